/** Longest piece of foreign text in one row, message or prompt, in characters. */
export const defaultMaxLength = 200;

/**
 * Invisible, and never broken at: put between the characters of a pattern that VS Code would bring to life. It cannot be
 * mistaken for foreign text, since a word joiner that came from outside is shown as its code.
 */
const wordJoiner = '\u2060';

/**
 * Characters that cannot be seen or that change how their neighbours are drawn: controls, bidi marks, zero-width
 * characters, fillers, variation selectors, unpaired surrogates, private use, line separators, and every blank but the
 * ordinary one.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;

function codeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}

/** A whole run, with what it stands before if that is a code or looks like one: shorter matches would be tried for ever. */
const backslashes = new RegExp(`\\\\+(?=(u[0-9a-fA-F{]|${unseen.source})?)`, 'gu');

/**
 * Shows unseen characters as `\u202E`. No two texts look the same: before a code, and before what looks like one, every
 * backslash is doubled, so that an odd number of them begins a code and an even one does not.
 */
export function escapeUnseen(text: string): string {
  const unambiguous = text.replaceAll(backslashes, (run: string, next: string | undefined) =>
    next === undefined ? run : run + run,
  );
  return unambiguous.replaceAll(unseen, codeOf);
}

/** Keeps the first `maxLength` characters (code points, so that no pair is torn) and marks the cut. */
export function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const characters: string[] = [];
  for (const character of text) {
    if (characters.length === maxLength) return `${characters.slice(0, -1).join('')}…`;
    characters.push(character);
  }
  return text;
}

/**
 * VS Code makes a link of `[text](command:...)` in messages, prompts and welcome texts, and an icon of `$(name)` in quick
 * picks and status bars. Neither can happen, not even across two pieces, where no `]` or `$` stands right before a `(`.
 */
function disarm(text: string): string {
  return text.replaceAll(/[\]$](?=\(|$)/gu, `$&${wordJoiner}`);
}

/**
 * The one way for foreign text (node names, paths, data, identifiers, error details, cluster names) to the user
 * interface. The result is for the eye only; never use it as a path or copy it to the clipboard.
 *
 * @param maxLength in characters; what is longer is cut and ends in an ellipsis
 */
export function displayText(foreign: string, maxLength = defaultMaxLength): string {
  // Cut before and after: before, so that a megabyte is not escaped in vain; after, since codes are longer.
  return disarm(cut(escapeUnseen(cut(foreign, maxLength)), maxLength));
}

/**
 * Foreign text of several lines for a tooltip. Every line begins with a bar, so that it cannot pose as one of our lines.
 *
 * @param maxLines further lines are left out and marked
 */
export function displayBlock(foreign: string, maxLines = 12): string {
  const lines = cut(foreign, maxLines * defaultMaxLength).split(/\r\n|\n/u);
  const shown = lines.slice(0, maxLines).map(line => `│ ${displayText(line.replaceAll('\t', '  '))}`);
  if (lines.length > maxLines) shown.push('│ …');
  return shown.join('\n');
}

/** Foreign text for the log: nothing that a terminal would obey, one line, no `user:password@`. */
export function logText(message: string): string {
  const oneLine = message
    .split(/\r\n|\n/u)
    .map(line => escapeUnseen(line))
    .join('\n    ');
  return oneLine.replaceAll(/[^\s/@,:]+:[^\s/@,]+@/gu, '***@');
}
