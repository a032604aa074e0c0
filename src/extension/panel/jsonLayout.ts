/**
 * JSON with a line for each member and element. Only blanks between the tokens change: numbers keep all their digits, and
 * members that occur twice stay, which parsing and writing again would lose.
 *
 * @param maxLength of the result: deep nesting makes a huge text of a small one
 * @returns `undefined` if it is no JSON object or array, or the result would be too long
 */
export function laidOutJson(text: string, maxLength: number): string | undefined {
  if (!/^\s*[[{]/u.test(text)) return undefined;
  try {
    JSON.parse(text);
  } catch {
    // Something else that begins with a bracket.
    return undefined;
  }
  // Valid JSON consists of nothing but these tokens and blanks.
  return laidOut(text.match(/"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/gu) ?? [], maxLength);
}

const openers: ReadonlySet<string> = new Set(['{', '[']);
const closers: ReadonlySet<string> = new Set(['}', ']']);

function laidOut(tokens: readonly string[], maxLength: number): string | undefined {
  let depth = 0;
  let text = '';
  let before = '';
  for (const token of tokens) {
    const closes = closers.has(token);
    if (closes) depth--;
    const beginsLine = closes ? !openers.has(before) : openers.has(before) || before === ',';
    if (beginsLine) text += `\n${'  '.repeat(depth)}`;
    text += token === ':' ? ': ' : token;
    if (openers.has(token)) depth++;
    if (text.length > maxLength) return undefined;
    before = token;
  }
  return text;
}
