/**
 * Where a spreadsheet could find a formula: a sign at the start of a cell (after blanks and quotes), or a cell that starts with
 * a tab or a line break. In many countries spreadsheets separate cells by semicolons, some by tabs; then quotes do not keep a
 * text together, and a cell can start inside it. The look-behind starts at the sign, so each run of blanks is scanned once.
 */
const formulaStart = /[=+\-@＝＋－＠](?<=(?:^|[;\p{Cc}\p{Zl}\p{Zp}])[\s\p{Cc}"]*.)|^(?=[\t\r])/gu;

/** What ends a cell or a line where text is pasted; a terminal runs what stands before a line break. */
const separators = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** Foreign text as the text of a cell: an apostrophe before each possible formula keeps it a text. */
export function spreadsheetText(foreign: string): string {
  return foreign.replaceAll(formulaStart, "'$&");
}

/** Foreign texts as one line for the clipboard: a spreadsheet makes a row of as many cells of it, none of them a formula. */
export function spreadsheetRow(foreign: readonly string[]): string {
  return foreign.map(rowCell).join('\t');
}

/** A quote at the start of a cell would take what follows into the cell, up to the next quote. */
function rowCell(foreign: string): string {
  const text = spreadsheetText(foreign).replaceAll(separators, ' ');
  return text.trimStart().startsWith('"') ? `"${text.replaceAll('"', '""')}"` : text;
}
