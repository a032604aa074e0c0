import * as vscode from 'vscode';
import { DisposableStore, toDisposable, type Disposable } from '../../base/disposable.ts';
import { escapeUnseen, cut } from '../../base/displayText.ts';

/** `zookeeper-locks-text`: reports. `zookeeper-lock`: nodes of locks. */
type TextScheme = 'zookeeper-locks-text' | 'zookeeper-lock';

/**
 * Foreign text for a document. Unlike in messages nothing is made a command of it in an editor, so it stays what it is and
 * can be copied; only unseen characters are shown as their codes.
 */
export function documentText(foreign: string): string {
  return escapeUnseen(cut(foreign, 1000));
}

/** Shows texts that can be read and copied, but not changed by mistake. */
export class ReadOnlyTexts implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly texts = new Map<string, string>();
  private readonly scheme: TextScheme;
  private count = 0;

  constructor(scheme: TextScheme = 'zookeeper-locks-text') {
    this.scheme = scheme;
    const provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: uri => this.texts.get(uri.path) ?? '',
    });
    const closing = vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      if (uri.scheme === scheme) this.texts.delete(uri.path);
    });
    for (const subscription of [provider, closing]) this.owned.add(toDisposable(() => void subscription.dispose()));
  }

  /** @param title of the tab, with its ending; it must hold nothing foreign */
  async show(title: string, text: string): Promise<void> {
    const path = `/${String(++this.count)}/${title}`;
    this.texts.set(path, text);
    const opened = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: this.scheme, path }));
    await vscode.window.showTextDocument(opened, { preview: true });
  }

  dispose(): void {
    this.owned.dispose();
    this.texts.clear();
  }
}
