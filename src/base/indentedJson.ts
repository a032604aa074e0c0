/**
 * Indents JSON, one line per member and element. It changes only the blanks between tokens: parsing and writing would lose
 * digits of numbers and members that occur twice.
 *
 * @param maxLength of the result: deep nesting turns a small text into a huge one
 * @returns `undefined` if the text is no JSON object or array, or the result would be too long
 */
export function indentedJson(text: string, maxLength: number): string | undefined {
  if (!/^\s*[[{]/u.test(text)) return undefined;
  try {
    JSON.parse(text);
  } catch {
    // Other text that begins with a bracket.
    return undefined;
  }
  // Valid JSON consists of these tokens and blanks only.
  return indented(text.match(/"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/gu) ?? [], maxLength);
}

const openers: ReadonlySet<string> = new Set(['{', '[']);
const closers: ReadonlySet<string> = new Set(['}', ']']);

function indented(tokens: readonly string[], maxLength: number): string | undefined {
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
