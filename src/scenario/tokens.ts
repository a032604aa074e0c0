import type { Span } from './scenario.ts';

/** One piece of a line. `text` of a quoted one is what stands between the quotes. */
export interface Token {
  readonly kind: 'word' | 'quoted' | 'mark' | 'not closed';
  readonly text: string;
  readonly span: Span;
}

/**
 * A quoted text; a mark: a colon only where it ends a word, so that `host:2181` and paths stay whole; a comment; a word.
 */
const pieces = /"(?:[^"\\]|\\.?)*"?|[{},]|:(?=[\s{},"]|$)|#.*|(?:[^\s{},#":]|:(?![\s{},"]|$)|(?<=\S)#)+/gsu;

/** The lines of a file, without their ends. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/u);
}

/** Splits a line into tokens. Linear in its length; any text gives an answer. */
export function tokensOf(text: string, line: number): Token[] {
  const tokens: Token[] = [];
  for (const { 0: piece, index } of text.matchAll(pieces)) {
    if (piece.startsWith('#')) break;
    const span = { line, from: index, to: index + piece.length };
    if (piece.startsWith('"')) tokens.push(quoted(piece, span));
    else tokens.push({ kind: /^[{},:]$/u.test(piece) ? 'mark' : 'word', text: piece, span });
  }
  return tokens;
}

function quoted(piece: string, span: Span): Token {
  const isClosed = piece.length > 1 && /(?:^|[^\\])(?:\\\\)*"$/u.test(piece.slice(1));
  const inner = isClosed ? piece.slice(1, -1) : piece.slice(1);
  return { kind: isClosed ? 'quoted' : 'not closed', text: inner.replaceAll(/\\(.)/gsu, '$1'), span };
}

/** A text as it must be written to stay one token. */
export function written(text: string): string {
  return /^[^\s{},#":]+$/u.test(text) ? text : `"${text.replaceAll(/["\\]/gu, '\\$&')}"`;
}
