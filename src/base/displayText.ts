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

/** The blocks of the scripts that are written from right to left: Hebrew, Arabic and those like them. */
const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFE\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/**
 * Keeps text that is written from right to left from moving the words and numbers around it, by FSI and PDI. Other text moves
 * nothing in a language that is written from left to right, as ours are, and stays free of characters that were not typed.
 */
function isolate(text: string): string {
  return isolated(text, text);
}

/** The same for `shown`, which is `text` with marks around it. */
export function isolated(text: string, shown: string): string {
  return rightToLeft.test(text) ? `\u2068${shown}\u2069` : shown;
}

/**
 * The one way for foreign text (node names, paths, data, identifiers, error details, cluster names) to the user
 * interface. The result is for the eye only; never use it as a path or copy it to the clipboard.
 *
 * @param maxLength in characters; what is longer is cut and ends in an ellipsis
 */
export function displayText(foreign: string, maxLength = defaultMaxLength): string {
  // Cut before and after: before, so that a megabyte is not escaped in vain; after, since codes are longer.
  return displayEscaped(escapeUnseen(cut(foreign, maxLength)), maxLength);
}

/** As `displayText`, for a text from `escapeUnseen`. */
export function displayEscaped(escaped: string, maxLength = defaultMaxLength): string {
  return isolate(disarm(cut(escaped, maxLength)));
}

/** As `displayText`, for paths and names of nodes: what is too long loses its beginning, since they differ at their ends. */
export function displayEnd(foreign: string, maxLength: number): string {
  // At most two code units are one character; one more shows that something was cut.
  const end = Array.from(escapeUnseen(foreign.slice(-2 * maxLength - 1)));
  return isolate(disarm(end.length <= maxLength ? end.join('') : `…${end.slice(1 - maxLength).join('')}`));
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

/**
 * Foreign text for the log: nothing that a terminal would obey, one line, no `user:password@`. Tabs before a line are left out:
 * stacks have them in VS Code, and every further line is indented anyway.
 */
export function logText(message: string): string {
  const oneLine = message
    .split(/\r\n|\n/u)
    .map(line => escapeUnseen(line.replace(/^\t+/u, '')))
    .join('\n    ');
  return oneLine.replaceAll(/[^\s/@,:]+:[^\s/@,]+@/gu, '***@');
}
