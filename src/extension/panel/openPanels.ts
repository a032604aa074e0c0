import * as vscode from 'vscode';
import { isObject } from '../../app/clusters/clusterProfile.ts';
import type { WebviewPage } from '../../app/panel/pageLife.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import { loadPage, pageOf } from './webviewPage.ts';

/** Panels of one kind. `S` is what one is opened on, `C` what fills it. */
interface PanelKind<C, S, M> {
  /** By which VS Code knows them. */
  type: string;
  page: 'webview' | 'session';
  make(page: WebviewPage<M>, shown: S): C;
  isOf(content: C, shown: S): boolean;
  /** Checks what a page kept: another version, or another program, may have written it. */
  read(state: Record<string, unknown>): S | undefined;
  /** Of all that are open, in their order. */
  titles(contents: readonly C[]): readonly string[];
  /** Titles may be others: a cluster may get another name. */
  onChange: Event<unknown>;
  onFilled?(panel: vscode.WebviewPanel, content: C): void;
}

/** The open panels of one kind. */
export class OpenPanels<C extends Disposable, S, M> implements Disposable {
  private readonly kind: PanelKind<C, S, M>;
  private readonly extensionUri: vscode.Uri;
  private readonly open = new Map<vscode.WebviewPanel, C>();
  private readonly following: Disposable;

  constructor(kind: PanelKind<C, S, M>, extensionUri: vscode.Uri) {
    this.kind = kind;
    this.extensionUri = extensionUri;
    this.following = kind.onChange(() => this.nameAll());
  }

  /** Opens a panel, or brings the open one to the front. */
  show(shown: S): void {
    const known = [...this.open].find(([, content]) => this.kind.isOf(content, shown));
    if (known !== undefined) known[0].reveal();
    else this.fill(vscode.window.createWebviewPanel(this.kind.type, '', vscode.ViewColumn.Active), shown);
  }

  /**
   * Gives a panel its content back after the window was loaded again. Nothing is connected; the files of a recording are read.
   *
   * @param state what the page kept; a panel whose page kept nothing is closed
   */
  revive(panel: vscode.WebviewPanel, state: unknown): void {
    const shown = isObject(state) ? this.kind.read(state) : undefined;
    if (shown === undefined) panel.dispose();
    else this.fill(panel, shown);
  }

  dispose(): void {
    this.following.dispose();
    for (const panel of [...this.open.keys()]) panel.dispose();
  }

  private nameAll(): void {
    const titles = this.kind.titles([...this.open.values()]);
    for (const [at, panel] of [...this.open.keys()].entries()) panel.title = titles[at] ?? '';
  }

  private fill(panel: vscode.WebviewPanel, shown: S): void {
    panel.iconPath = vscode.Uri.joinPath(this.extensionUri, 'media', 'icon.png');
    const content = this.kind.make(pageOf(panel), shown);
    this.open.set(panel, content);
    this.nameAll();
    this.kind.onFilled?.(panel, content);
    panel.onDidDispose(() => {
      this.open.delete(panel);
      content.dispose();
      this.nameAll();
    });
    loadPage(panel.webview, this.extensionUri, this.kind.page);
  }
}
