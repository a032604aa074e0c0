import * as vscode from 'vscode';
import { displayText } from '../../base/displayText.ts';
import type { DialectId } from '../../locks/lockQueue.ts';
import { expectedAt, type ExpectedAt } from '../../scenario/expectedAt.ts';
import { dialectWords } from '../../scenario/readScenario.ts';
import { allSteps } from '../../scenario/scenario.ts';
import { linesOf, tokensOf, type Token } from '../../scenario/tokens.ts';
import { dialectText } from '../words/contenderText.ts';
import { l10n, listed } from '../words/language.ts';
import { wordExplanation } from '../words/scenarioWordText.ts';
import { rangeOf, type ReadDocument } from './readDocument.ts';
import { placesOfSession } from './sessionPlaces.ts';

/** Longest list of lines where a session is used. */
const mostLines = 12;

/** Explains the word under the pointer. Texts of the file are never read as Markdown. */
export class Hover implements vscode.HoverProvider {
  private readonly read: ReadDocument;

  constructor(read: ReadDocument) {
    this.read = read;
  }

  provideHover(document: vscode.TextDocument, { line, character }: vscode.Position): vscode.Hover | undefined {
    const lines = linesOf(document.getText());
    const token = tokensOf(lines[line] ?? '', line).find(({ span }) => span.from <= character && character < span.to);
    if (token === undefined || token.kind === 'mark') return undefined;
    const at = expectedAt(lines, line, token.span.from, dialectWords);
    const text = wordHover(token, at) ?? this.placeHover(document, token, at);
    return text && new vscode.Hover(text, rangeOf(token.span));
  }

  private placeHover(
    document: vscode.TextDocument,
    { text, span }: Token,
    at: ExpectedAt,
  ): vscode.MarkdownString | undefined {
    const can = new Set(at.expected.flatMap(one => ('what' in one ? one.what : [])));
    if (can.has('dialect') && dialectWords.has(text)) return plain(dialectText(text as DialectId));
    if (can.has('path') && text.startsWith('/')) return plain(this.pathText(document, text));
    if (!can.has('session') && !can.has('new session')) return undefined;
    return this.sessionHover(document, text, span);
  }

  /** Where a session begins, and where it is used. Lines are counted from 1. */
  private sessionHover(
    document: vscode.TextDocument,
    name: string,
    { line, from }: Token['span'],
  ): vscode.MarkdownString | undefined {
    const places = placesOfSession(this.read(document).scenario, line, from);
    const opening = places.find(({ use }) => use === 'opens');
    if (places.length === 0) return undefined;
    const linesOfUse = [...new Set(places.filter(place => place !== opening).map(({ span }) => span.line + 1))];
    const texts = [l10n.t('Session {0}', displayText(name, 40))];
    if (opening !== undefined)
      texts.push(l10n.t('First in line {0}: {1}', opening.span.line + 1, trimmed(document, opening.span.line)));
    if (linesOfUse.length > 0) {
      const shown = linesOfUse.slice(0, mostLines).map(String);
      texts.push(l10n.t('Used in lines {0}', listed(linesOfUse.length > mostLines ? [...shown, '…'] : shown)));
    }
    return plain(...texts);
  }

  /** How many steps and expectations are about a path. */
  private pathText(document: vscode.TextDocument, path: string): string {
    const { scenario, paths } = this.read(document);
    const about = [...allSteps(scenario.steps)].filter(step => {
      const all = step.kind === 'expect' ? step.claims.flatMap(claim => paths.get(claim) ?? []) : paths.get(step);
      return all?.includes(path) === true;
    });
    return l10n.t('Lock {0}: steps of this file about it: {1}', displayText(path), about.length);
  }
}

function wordHover({ text }: Token, { expected }: ExpectedAt): vscode.MarkdownString | undefined {
  const meant = expected.flatMap(one =>
    'word' in one && one.word.split(' ')[0] === text ? (one.endOf ?? one.word) : [],
  );
  const explanation = meant.map(words => wordExplanation(words)).find(one => one !== undefined);
  if (explanation === undefined) return undefined;
  return plain(explanation.text).appendCodeblock(explanation.example, 'zklock');
}

function trimmed(document: vscode.TextDocument, line: number): string {
  return displayText(document.lineAt(line).text.trim(), 80);
}

/** A paragraph for each text. */
function plain(...texts: readonly string[]): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString();
  for (const text of texts) markdown.appendText(text).appendMarkdown('\n\n');
  return markdown;
}
