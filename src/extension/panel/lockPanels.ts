import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { panelTypes } from '../platform/contributions.ts';
import { displayText } from '../../base/displayText.ts';
import { nameOfLock, type LockNode } from '../../app/clusters/clusterModel.ts';
import { LockPanel, type LockPanelParts, type PanelPage } from './lockPanel.ts';
import { pageShell } from './pageShell.ts';

/** The open panels, one for each lock. */
export class LockPanels implements Disposable {
  private readonly parts: LockPanelParts;
  private readonly extensionUri: vscode.Uri;
  private readonly open = new Map<vscode.WebviewPanel, LockPanel>();

  constructor(parts: LockPanelParts, extensionUri: vscode.Uri) {
    this.parts = parts;
    this.extensionUri = extensionUri;
  }

  /** Opens the panel of a lock, or brings the open one to the front. */
  show(lock: LockNode): void {
    const known = [...this.open].find(([, content]) => content.shows(lock));
    if (known === undefined) this.openPanel(lock);
    else known[0].reveal();
  }

  dispose(): void {
    for (const panel of [...this.open.keys()]) panel.dispose();
  }

  private openPanel(lock: LockNode): void {
    const dist = vscode.Uri.joinPath(this.extensionUri, 'dist');
    const panel = vscode.window.createWebviewPanel(
      panelTypes.queue,
      displayText(nameOfLock(lock), 60),
      vscode.ViewColumn.Active,
      { enableScripts: true, localResourceRoots: [dist] },
    );
    panel.iconPath = vscode.Uri.joinPath(this.extensionUri, 'media', 'icon.png');
    const content = new LockPanel(this.parts, pageOf(panel), lock);
    this.open.set(panel, content);
    panel.onDidDispose(() => {
      this.open.delete(panel);
      content.dispose();
    });
    panel.webview.html = pageShell({
      script: String(panel.webview.asWebviewUri(vscode.Uri.joinPath(dist, 'webview.js'))),
      style: String(panel.webview.asWebviewUri(vscode.Uri.joinPath(dist, 'webview.css'))),
      source: panel.webview.cspSource,
      nonce: randomBytes(16).toString('base64'),
      language: vscode.env.language,
    });
  }
}

function pageOf(panel: vscode.WebviewPanel): PanelPage {
  return {
    get isVisible() {
      return panel.visible;
    },
    // A page that is closing does not take the message; nothing needs it then.
    post: message => void panel.webview.postMessage(message),
    onMessage: listener => panel.webview.onDidReceiveMessage(listener),
    onVisibility: listener => panel.onDidChangeViewState(() => listener()),
  };
}
