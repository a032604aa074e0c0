import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { WebviewPage } from '../../app/panel/pageLife.ts';
import { pageShell } from './pageShell.ts';

export function pageOf<M>(panel: vscode.WebviewPanel): WebviewPage<M> {
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

/** Loads one of our pages into a webview, with nothing within its reach but what was built. */
export function loadPage(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  page: 'webview' | 'incident' | 'session',
): void {
  const dist = vscode.Uri.joinPath(extensionUri, 'dist');
  webview.options = { enableScripts: true, localResourceRoots: [dist] };
  webview.html = pageShell({
    script: String(webview.asWebviewUri(vscode.Uri.joinPath(dist, `${page}.js`))),
    style: String(webview.asWebviewUri(vscode.Uri.joinPath(dist, `${page}.css`))),
    source: webview.cspSource,
    nonce: randomBytes(16).toString('base64'),
    language: vscode.env.language,
  });
}
