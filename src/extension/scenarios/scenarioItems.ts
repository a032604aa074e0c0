import * as vscode from 'vscode';
import { monotonicNow } from '../../base/deadline.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { Pacer } from '../../base/pacer.ts';
import { callLater } from '../../base/timer.ts';
import { mostText } from '../../scenario/parseScenario.ts';
import { firstError, readScenario, type ReadScenario } from '../../scenario/readScenario.ts';
import { expectsOf, type ExpectStep, type Span } from '../../scenario/scenario.ts';
import { linesOf } from '../../scenario/tokens.ts';
import { scenarioFiles, scenarioLanguage } from '../platform/contributions.ts';
import { errorSentence } from '../words/errorText.ts';
import { problemText } from '../words/scenarioProblemText.ts';
import { atLine, fileLabel, lineText } from '../words/scenarioTestText.ts';
import { rangeOf } from './readDocument.ts';

/** Files of one workspace that are looked for. */
const mostFiles = 2_000;

/** When a text that is being typed, or a file that changes, is read again, ms. */
const pace = { gatherMs: 250, spacingMs: 500 };

/** A file as it was read last. */
export interface ScenarioFile {
  readonly item: vscode.TestItem;
  readonly uri: vscode.Uri;
  readonly text: string;
  readonly lines: readonly string[];
  readonly read: ReadScenario;
  readonly expects: ReadonlyMap<ExpectStep, vscode.TestItem>;
}

/** Whether a document is a scenario that can be run: not one side of a comparison with an older version. */
export function isScenario({ languageId, uri }: Pick<vscode.TextDocument, 'languageId' | 'uri'>): boolean {
  if (languageId !== scenarioLanguage) return false;
  return uri.scheme === 'file' || uri.scheme === 'untitled' || vscode.workspace.getWorkspaceFolder(uri) !== undefined;
}

/** The part of a file where something stands. */
export function textAt(lines: readonly string[], { line, from, to }: Span): string {
  return (lines[line] ?? '').slice(from, to);
}

/** The scenarios of the workspace and those in editors, as tests: each file one, each `expect` a child. Text in editors counts, saved or not. */
export class ScenarioItems implements Disposable {
  private readonly controller: vscode.TestController;
  private readonly logger: Logger;
  private readonly owned = new DisposableStore();
  private readonly files = new Map<string, ScenarioFile>();
  private readonly changes: Pacer<string>;
  /** Readings follow each other, so that the newest text wins. */
  private turn: Promise<void> = Promise.resolve();
  private discovery: Promise<void> | undefined;

  constructor(controller: vscode.TestController, logger: Logger) {
    this.controller = controller;
    this.logger = logger;
    const call = (keys: ReadonlySet<string>): void => {
      for (const key of keys) void this.update(vscode.Uri.parse(key));
    };
    this.changes = this.owned.add(new Pacer({ ...pace, call, schedule: callLater, now: monotonicNow }));
    const { workspace } = vscode;
    const take = (document: vscode.TextDocument): void => void (isScenario(document) && this.update(document.uri));
    this.owned.add(workspace.onDidOpenTextDocument(take));
    this.owned.add(workspace.onDidCloseTextDocument(take));
    this.owned.add(
      workspace.onDidChangeTextDocument(({ document }) => {
        if (isScenario(document)) this.changes.add(document.uri.toString());
      }),
    );
    workspace.textDocuments.forEach(take);
  }

  get all(): readonly ScenarioFile[] {
    return [...this.files.values()].sort((one, other) => (one.item.label < other.item.label ? -1 : 1));
  }

  /** The file that a test is of. */
  of(item: vscode.TestItem): ScenarioFile | undefined {
    return this.files.get((item.parent ?? item).id);
  }

  /** Looks for all files of the workspace, once; from then on it follows them. Never rejects. */
  discover(): Promise<void> {
    this.discovery ??= this.follow();
    return this.discovery;
  }

  /** Looks for all files again. */
  async refresh(): Promise<void> {
    await this.discover();
    await this.find();
    await Promise.all(this.all.map(({ uri }) => this.update(uri)));
  }

  /** Reads a file as it is now. Never rejects. @returns `undefined`: it is gone */
  async update(uri: vscode.Uri): Promise<ScenarioFile | undefined> {
    this.turn = this.turn.then(() => this.take(uri)).catch((error: unknown) => this.logger.error(String(error)));
    await this.turn;
    return this.files.get(uri.toString());
  }

  dispose(): void {
    this.owned.dispose();
  }

  private async follow(): Promise<void> {
    const watcher = this.owned.add(vscode.workspace.createFileSystemWatcher(scenarioFiles));
    const note = (uri: vscode.Uri): void => this.changes.add(uri.toString());
    for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete]) this.owned.add(event(note));
    await this.find();
  }

  private async find(): Promise<void> {
    const found = await vscode.workspace.findFiles(scenarioFiles, '**/node_modules/**', mostFiles);
    await Promise.all(found.map(uri => this.update(uri)));
  }

  private async take(uri: vscode.Uri): Promise<void> {
    const key = uri.toString();
    const document = vscode.workspace.textDocuments.find(each => each.uri.toString() === key && isScenario(each));
    if (document !== undefined) {
      this.show(uri, document.getText());
      return;
    }
    // A file of elsewhere is a test as long as it is open.
    if (vscode.workspace.getWorkspaceFolder(uri) === undefined) this.remove(key);
    else await this.takeSaved(uri, key);
  }

  private async takeSaved(uri: vscode.Uri, key: string): Promise<void> {
    const { fs } = vscode.workspace;
    try {
      const { size } = await fs.stat(uri);
      // Of a longer file nothing is read but that it is too long.
      this.show(uri, size > 4 * mostText ? ' '.repeat(mostText + 1) : new TextDecoder().decode(await fs.readFile(uri)));
    } catch (error) {
      if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') this.remove(key);
      else this.show(uri, '').error = errorSentence(error);
    }
  }

  private remove(key: string): void {
    this.files.delete(key);
    this.controller.items.delete(key);
  }

  private show(uri: vscode.Uri, text: string): vscode.TestItem {
    const key = uri.toString();
    const known = this.files.get(key);
    if (known?.text === text) return known.item;
    const item = known?.item ?? this.newItem(key, uri);
    const [lines, read] = [linesOf(text), readScenario(text)];
    const problem = firstError(read);
    item.error = problem === undefined ? undefined : atLine(problem.span.line, problemText(problem));
    // While a line is being typed it has errors, and the tests would come and go.
    const steps = problem === undefined ? expectsOf(read.scenario) : [];
    const expects = new Map(steps.map((step, at) => [step, this.childOf(item, step, at, lines)]));
    if (problem === undefined) item.children.replace([...expects.values()]);
    this.files.set(key, { item, uri, text, lines, read, expects });
    return item;
  }

  private newItem(key: string, uri: vscode.Uri): vscode.TestItem {
    const item = this.controller.createTestItem(key, fileLabel(vscode.workspace.asRelativePath(uri)), uri);
    item.range = new vscode.Range(0, 0, 0, 0);
    this.controller.items.add(item);
    return item;
  }

  private childOf(item: vscode.TestItem, { span }: ExpectStep, at: number, lines: readonly string[]): vscode.TestItem {
    const label = lineText(textAt(lines, span).replace(/^expect\s*:/u, ''));
    const child = this.controller.createTestItem(`${item.id}#${at}`, label, item.uri);
    child.range = rangeOf(span);
    child.sortText = String(at).padStart(6, '0');
    return child;
  }
}
