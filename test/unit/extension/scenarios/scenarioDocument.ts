import type * as vscode from 'vscode';
import { Position, Range, type TextEdit, type WorkspaceEdit } from '../fakeEditor.ts';

/** A text in an editor. */
export function documentOf(text: string, path = '/folder/orders.zklock'): vscode.TextDocument {
  const lines = text.split('\n');
  const offsetOf = ({ line, character }: vscode.Position): number =>
    lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0) +
    Math.min(character, lines[line]?.length ?? 0);
  const document = {
    uri: { scheme: 'file', path },
    languageId: 'zklock',
    version: 1,
    isClosed: false,
    lineCount: lines.length,
    lineAt: (line: number) => ({ text: lines[line], range: new Range(line, 0, line, lines[line]!.length) }),
    getText: (range?: vscode.Range) =>
      range === undefined ? text : text.slice(offsetOf(range.start), offsetOf(range.end)),
  };
  return document as unknown as vscode.TextDocument;
}

/** A text in an editor, with the cursor at `|`. */
export function withCursor(text: string): [vscode.TextDocument, vscode.Position] {
  const before = text.slice(0, text.indexOf('|')).split('\n');
  const position = new Position(before.length - 1, before.at(-1)!.length);
  return [documentOf(text.replace('|', '')), position as unknown as vscode.Position];
}

/** The text after edits that do not overlap. */
export function edited(text: string, edits: readonly (TextEdit | vscode.TextEdit)[]): string {
  const lines = text.split('\n');
  const offset = ({ line, character }: { line: number; character: number }): number =>
    line >= lines.length
      ? text.length
      : lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0) + Math.min(character, lines[line]!.length);
  return edits
    .map(({ range, newText }) => ({ from: offset(range.start), to: offset(range.end), newText }))
    .sort((one, other) => other.from - one.from || other.to - one.to)
    .reduce((result, { from, to, newText }) => result.slice(0, from) + newText + result.slice(to), text);
}

export function afterEdit(text: string, edit: vscode.WorkspaceEdit | undefined): string {
  return edited(text, (edit as unknown as WorkspaceEdit).edits);
}
