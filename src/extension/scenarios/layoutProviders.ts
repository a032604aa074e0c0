import * as vscode from 'vscode';
import { displayText } from '../../base/displayText.ts';
import { formatLine } from '../../scenario/formatScenario.ts';
import { allSteps, type Claim, type Step } from '../../scenario/scenario.ts';
import { linesOf } from '../../scenario/tokens.ts';
import { rangeOf, type ReadDocument } from './readDocument.ts';

/** Outline, folding and formatting. */
export class LayoutProviders
  implements
    vscode.DocumentSymbolProvider,
    vscode.FoldingRangeProvider,
    vscode.DocumentFormattingEditProvider,
    vscode.DocumentRangeFormattingEditProvider
{
  private readonly read: ReadDocument;

  constructor(read: ReadDocument) {
    this.read = read;
  }

  provideDocumentSymbols(document: vscode.TextDocument): vscode.DocumentSymbol[] {
    const { steps } = this.read(document).scenario;
    return steps.map(step => symbolOf(document, step));
  }

  provideFoldingRanges(document: vscode.TextDocument): vscode.FoldingRange[] {
    const blocks = [...allSteps(this.read(document).scenario.steps)]
      .filter(step => 'steps' in step)
      // The brace that closes it stays in sight.
      .map(({ span, endLine }) => new vscode.FoldingRange(span.line, endLine - 1));
    return [...blocks.filter(({ start, end }) => end > start), ...comments(linesOf(document.getText()))];
  }

  provideDocumentFormattingEdits(document: vscode.TextDocument): vscode.TextEdit[] {
    return formatted(linesOf(document.getText()), 0, document.lineCount - 1);
  }

  provideDocumentRangeFormattingEdits(document: vscode.TextDocument, { start, end }: vscode.Range): vscode.TextEdit[] {
    return formatted(linesOf(document.getText()), start.line, end.line);
  }
}

/** The lines that change. */
function formatted(lines: readonly string[], first: number, last: number): vscode.TextEdit[] {
  const edits: vscode.TextEdit[] = [];
  let depth = 0;
  for (const [at, content] of lines.entries()) {
    const line = formatLine(content, depth);
    depth = line.depth;
    if (at < first || at > last || line.text === content) continue;
    edits.push(new vscode.TextEdit(new vscode.Range(at, 0, at, content.length), line.text));
  }
  return edits;
}

function comments(lines: readonly string[]): vscode.FoldingRange[] {
  const ranges: vscode.FoldingRange[] = [];
  let first: number | undefined;
  for (const [at, line] of [...lines, ''].entries()) {
    if (line.trimStart().startsWith('#')) first ??= at;
    else {
      if (first !== undefined && first < at - 1) {
        ranges.push(new vscode.FoldingRange(first, at - 1, vscode.FoldingRangeKind.Comment));
      }
      first = undefined;
    }
  }
  return ranges;
}

function symbolOf(document: vscode.TextDocument, step: Step): vscode.DocumentSymbol {
  const { Event, Array: Block, Boolean: Expectation } = vscode.SymbolKind;
  if (step.kind === 'expect') {
    const symbol = named(document, step, Expectation);
    symbol.children = step.claims.map(claim => named(document, claim, Expectation));
    return symbol;
  }
  if (!('steps' in step)) return named(document, step, Event);
  const symbol = named(document, step, Block);
  symbol.range = symbol.range.union(document.lineAt(Math.min(step.endLine, document.lineCount - 1)).range);
  symbol.children = step.steps.map(each => symbolOf(document, each));
  return symbol;
}

function named(document: vscode.TextDocument, { span }: Step | Claim, kind: vscode.SymbolKind): vscode.DocumentSymbol {
  const range = rangeOf(span);
  // VS Code refuses a symbol without a name.
  const name =
    displayText(
      document
        .getText(range)
        .replace(/\s*\{$/u, '')
        .trim(),
      80,
    ) || '…';
  return new vscode.DocumentSymbol(name, '', kind, range, range);
}
