import { headerOf, mostDepth } from './parseScenario.ts';
import { tokensOf, type Token } from './tokens.ts';

/**
 * One line as it is formatted: one space between words, two for each open block in front, comments and what cannot be read as they
 * are.
 *
 * @param depth how many blocks are open before it
 * @returns the line, and how many are open after it
 */
export function formatLine(content: string, depth: number): { readonly text: string; readonly depth: number } {
  const tokens = tokensOf(content, 0);
  const end = tokens.at(-1)?.span.to ?? 0;
  const comment = content.slice(end).trim();
  if (headerOf(tokens) === 'cluster') return { text: clusterHeader(content, tokens, comment), depth };
  const marks = tokens.filter(({ kind }) => kind === 'mark').map(({ text }) => text);
  const opened = marks.filter(text => text === '{').length;
  const closed = marks.filter(text => text === '}').length;
  const before = Math.max(0, tokens[0]?.kind === 'mark' && tokens[0].text === '}' ? depth - 1 : depth);
  const text = [joined(tokens, content), comment].filter(part => part !== '').join('  ');
  return {
    text: text === '' ? '' : `${'  '.repeat(Math.min(before, mostDepth))}${text}`,
    depth: Math.max(0, depth + opened - closed),
  };
}

/** The name of a cluster may have blanks and marks of its own. */
function clusterHeader(content: string, tokens: readonly Token[], comment: string): string {
  const value = content.slice(tokens[1]?.span.to, tokens.at(-1)?.span.to).trim();
  return [`cluster: ${value}`.trimEnd(), comment].filter(part => part !== '').join('  ');
}

function joined(tokens: readonly Token[], content: string): string {
  let text = '';
  for (const [at, { kind, text: piece, span }] of tokens.entries()) {
    const isTight = kind === 'mark' && (piece === ',' || piece === ':') && tokens[at - 1]?.kind !== 'mark';
    if (text !== '' && !isTight) text += ' ';
    text += content.slice(span.from, span.to);
  }
  return text;
}
