import * as vscode from 'vscode';
import { monotonicNow } from '../../base/deadline.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Pacer } from '../../base/pacer.ts';
import { lastSegment } from '../../base/paths.ts';
import { callLater } from '../../base/timer.ts';
import type { Problem } from '../../scenario/problem.ts';
import type { ReadScenario } from '../../scenario/readScenario.ts';
import { scenarioLanguage } from '../platform/contributions.ts';
import { problemText } from '../words/scenarioProblemText.ts';
import { fixOf, type FileEdit, type Fix } from './fixes.ts';
import { linesOf } from '../../scenario/tokens.ts';
import { rangeOf, type ReadDocument } from './readDocument.ts';

/** As many as VS Code shows of one file. */
const mostProblems = 1_000;

/** Shows what is wrong with the scenarios that are open, a moment after each change. */
export class Diagnostics implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly read: ReadDocument;
  private readonly shown = this.owned.add(vscode.languages.createDiagnosticCollection(scenarioLanguage));
  private readonly pacer = this.owned.add(
    new Pacer<vscode.TextDocument>({
      gatherMs: 150,
      spacingMs: 150,
      restPerWork: 4,
      longestSpacingMs: 2_000,
      call: documents => documents.forEach(document => this.show(document)),
      schedule: callLater,
      now: monotonicNow,
    }),
  );

  constructor(read: ReadDocument) {
    this.read = read;
    const { workspace } = vscode;
    this.owned.add(workspace.onDidOpenTextDocument(document => this.note(document)));
    this.owned.add(workspace.onDidChangeTextDocument(({ document }) => this.note(document)));
    this.owned.add(workspace.onDidCloseTextDocument(document => this.shown.delete(document.uri)));
    for (const document of workspace.textDocuments) this.note(document);
  }

  dispose(): void {
    this.owned.dispose();
  }

  private note(document: vscode.TextDocument): void {
    // Not the former side of a comparison with the repository.
    if (document.languageId === scenarioLanguage && document.uri.scheme !== 'git') this.pacer.add(document);
  }

  private show(document: vscode.TextDocument): void {
    // It may have been closed, or become another language, in the meantime.
    if (document.isClosed || document.languageId !== scenarioLanguage) return;
    this.shown.set(document.uri, shownProblems(this.read(document)).map(diagnosticOf));
  }
}

function shownProblems({ problems }: ReadScenario): readonly Problem[] {
  // Where no step can be read, each has its own problem.
  const shown = problems.length === 1 ? problems : problems.filter(({ facts }) => facts.kind !== 'no-steps');
  return shown.slice(0, mostProblems);
}

function diagnosticOf(problem: Problem): vscode.Diagnostic {
  const { Error: error, Warning } = vscode.DiagnosticSeverity;
  const severity = problem.severity === 'error' ? error : Warning;
  const diagnostic = new vscode.Diagnostic(rangeOf(problem.span), problemText(problem), severity);
  diagnostic.source = scenarioLanguage;
  diagnostic.code = problem.facts.kind;
  return diagnostic;
}

/** The fixes of the problems at the cursor. */
export class Fixes implements vscode.CodeActionProvider {
  private readonly read: ReadDocument;

  constructor(read: ReadDocument) {
    this.read = read;
  }

  provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    const read = this.read(document);
    const [lines, usualPath] = [linesOf(document.getText()), usualPathOf(document)];
    const here = shownProblems(read).filter(({ span }) => rangeOf(span).intersection(range) !== undefined);
    return here.flatMap(problem => {
      const fix = fixOf({ lines, read, problem, usualPath });
      return fix === undefined
        ? []
        : [
            actionOf(
              document,
              fix,
              diagnostics.filter(one => isOf(one, problem)),
            ),
          ];
    });
  }
}

function isOf({ range, code, source }: vscode.Diagnostic, { span, facts }: Problem): boolean {
  return source === scenarioLanguage && code === facts.kind && range.isEqual(rangeOf(span));
}

function actionOf(document: vscode.TextDocument, fix: Fix, solved: vscode.Diagnostic[]): vscode.CodeAction {
  const action = new vscode.CodeAction(fix.title, vscode.CodeActionKind.QuickFix);
  action.edit = new vscode.WorkspaceEdit();
  for (const edit of fix.edits) action.edit.replace(document.uri, ...replacement(document, edit));
  action.diagnostics = solved;
  action.isPreferred = true;
  return action;
}

function replacement(document: vscode.TextDocument, edit: FileEdit): [vscode.Range, string] {
  if ('span' in edit) return [rangeOf(edit.span), edit.text];
  const { at, removes, lines } = edit;
  const text = lines.map(line => `${line}\n`).join('');
  if (at < document.lineCount) return [new vscode.Range(at, 0, at + removes, 0), text];
  const { range } = document.lineAt(document.lineCount - 1);
  // Behind the last line: a file usually ends with an empty one.
  return [new vscode.Range(range.end, range.end), range.isEmpty ? text : `\n${text}`];
}

/** Named after the file: scenarios that are played together do not meet. */
function usualPathOf({ uri }: vscode.TextDocument): string {
  const name = lastSegment(uri.path)
    .replace(/\.zklock$/u, '')
    .replaceAll(/[^\p{L}\p{N}_-]+/gu, '-');
  return `/scenario/${name === '' || name === '-' ? 'lock' : name}`;
}
