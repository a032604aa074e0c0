import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { panelTypes } from '../platform/contributions.ts';
import { displayText } from '../../base/displayText.ts';
import type { LockNode } from '../../app/clusters/clusterModel.ts';
import { isObject } from '../../app/clusters/clusterProfile.ts';
import { titleParts } from '../../app/panel/panelTitles.ts';
import { lockOf, readSavedLock, type SavedRecording } from '../../app/panel/savedLock.ts';
import { joined } from '../words/language.ts';
import { LockPanel, type LockPanelParts } from '../../app/panel/lockPanel.ts';
import { loadPage, pageOf } from './webviewPage.ts';

export interface LockPanelsParts extends LockPanelParts {
  /** Called with the lock of each panel that comes to the front. */
  onFront(lock: () => LockNode | undefined): void;
}

/** The open panels, one for each lock. */
export class LockPanels implements Disposable {
  private readonly parts: LockPanelsParts;
  private readonly extensionUri: vscode.Uri;
  private readonly open = new Map<vscode.WebviewPanel, LockPanel>();
  private readonly following: Disposable;

  constructor(parts: LockPanelsParts, extensionUri: vscode.Uri) {
    this.parts = parts;
    this.extensionUri = extensionUri;
    // A cluster may get another name.
    this.following = parts.registry.onChange(() => this.nameAll());
  }

  /** Opens the panel of a lock, or brings the open one to the front. */
  show(lock: LockNode): void {
    const known = [...this.open].find(([, content]) => content.shows(lock));
    if (known !== undefined) {
      known[0].reveal();
      return;
    }
    this.fill(vscode.window.createWebviewPanel(panelTypes.queue, '', vscode.ViewColumn.Active), lock);
  }

  /**
   * Gives a panel its content back after the window was loaded again. Nothing is connected; the files of a recording are read.
   *
   * @param state what the page kept; a panel whose page kept nothing is closed
   */
  revive(panel: vscode.WebviewPanel, state: unknown): void {
    const saved = readSavedLock(isObject(state) ? state['lock'] : undefined);
    if (saved === undefined) panel.dispose();
    else this.fill(panel, lockOf(this.parts.registry, saved), saved.recording);
  }

  dispose(): void {
    this.following.dispose();
    for (const panel of [...this.open.keys()]) panel.dispose();
  }

  private nameAll(): void {
    const titles = titleParts([...this.open.values()].map(({ titled }) => titled));
    for (const [at, panel] of [...this.open.keys()].entries()) {
      panel.title = joined(titles[at]?.map(part => displayText(part, 60)) ?? []);
    }
  }

  private fill(panel: vscode.WebviewPanel, lock: LockNode, awaited?: SavedRecording): void {
    const { webview } = panel;
    panel.iconPath = vscode.Uri.joinPath(this.extensionUri, 'media', 'icon.png');
    const content = new LockPanel(this.parts, pageOf(panel), lock, awaited);
    this.open.set(panel, content);
    this.nameAll();
    const noteFront = (): void => {
      if (panel.active) this.parts.onFront(() => (this.open.has(panel) && panel.active ? content.lock : undefined));
    };
    noteFront();
    panel.onDidChangeViewState(noteFront);
    webview.onDidReceiveMessage((message: unknown) => {
      if (isObject(message) && message['type'] === 'focus') noteFront();
    });
    panel.onDidDispose(() => {
      this.open.delete(panel);
      content.dispose();
      this.nameAll();
    });
    loadPage(webview, this.extensionUri, 'webview');
  }
}
