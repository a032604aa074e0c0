import * as vscode from 'vscode';
import { DisposableStore, toDisposable, type Disposable } from '../../base/disposable.ts';
import { escapeUnseen, cut } from '../../base/displayText.ts';
import { markdownReport } from '../../base/markdownReport.ts';
import type { Report } from '../../base/report.ts';
import { textReport } from '../../base/textReport.ts';
import { l10n } from '../words/language.ts';
import { builtInCommandIds } from './contributions.ts';

/** VS Code's own. Its pages run no scripts, and load nothing, of a document that the person does not trust. */
const markdownExtension = 'vscode.markdown-language-features';
const markdownPreview = 'vscode.markdown.preview.editor';

/** `zookeeper-locks-text`: reports. `zookeeper-lock`: nodes of locks. */
type TextScheme = 'zookeeper-locks-text' | 'zookeeper-lock';

/**
 * Foreign text for a document. Unlike in messages nothing is made a command of it in an editor, so it stays what it is and
 * can be copied; only unseen characters are shown as their codes.
 */
export function documentText(foreign: string): string {
  return escapeUnseen(cut(foreign, 1000));
}

/** What a tab shows that VS Code brought back after its text was gone. */
function goneText(path: string): string {
  const report: Report = {
    headline: l10n.t('This text is gone'),
    blocks: [
      {
        kind: 'paragraph',
        text: l10n.t(
          'It showed what was read when its command ran, and is not kept when a window is loaded again. Run the command once more.',
        ),
      },
    ],
  };
  return path.endsWith('.md') ? markdownReport(report) : textReport(report);
}

/** Shows texts that can be read and copied, but not changed by mistake. */
export class ReadOnlyTexts implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly texts = new Map<string, string>();
  /** Reports as they are copied. */
  private readonly plainTexts = new Map<string, string>();
  private readonly scheme: TextScheme;
  private count = 0;
  /** Tabs outlive the program that made their texts, and must not be taken for those of the next one. */
  private readonly program = Date.now().toString(36);

  constructor(scheme: TextScheme = 'zookeeper-locks-text') {
    this.scheme = scheme;
    const provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: uri => this.texts.get(uri.path) ?? goneText(uri.path),
    });
    const closing = vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      if (uri.scheme !== scheme) return;
      this.texts.delete(uri.path);
      this.plainTexts.delete(uri.path);
    });
    for (const subscription of [provider, closing]) this.owned.add(toDisposable(() => void subscription.dispose()));
  }

  /**
   * Opens a report as a page, where VS Code can show Markdown, else as a text.
   *
   * @param title of the tab; it must hold nothing foreign
   */
  async showReport(title: string, report: Report): Promise<void> {
    const text = textReport(report);
    if (vscode.extensions.getExtension(markdownExtension) === undefined) {
      await this.show(`${title}.txt`, text);
      return;
    }
    const uri = this.keep(`${title}.md`, markdownReport(report));
    this.plainTexts.set(uri.path, text);
    await vscode.commands.executeCommand(builtInCommandIds.openWith, uri, markdownPreview, { preview: true });
  }

  /** Puts a shown text on the clipboard, a report as plain text. @param uri default: that of the tab in front */
  async copy(uri?: unknown): Promise<void> {
    const input: unknown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    const isText = input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputText;
    const { path = '' } = uri instanceof vscode.Uri ? uri : isText ? input.uri : {};
    const text = this.plainTexts.get(path) ?? this.texts.get(path);
    if (text !== undefined) await vscode.env.clipboard.writeText(text);
  }

  /** @param title of the tab, with its ending; it must hold nothing foreign */
  async show(title: string, text: string): Promise<void> {
    const opened = await vscode.workspace.openTextDocument(this.keep(title, text));
    await vscode.window.showTextDocument(opened, { preview: true });
  }

  private keep(title: string, text: string): vscode.Uri {
    const path = `/${this.program}-${String(++this.count)}/${title}`;
    this.texts.set(path, text);
    return vscode.Uri.from({ scheme: this.scheme, path });
  }

  dispose(): void {
    this.owned.dispose();
    this.texts.clear();
  }
}
