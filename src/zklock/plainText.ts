import { cut, escapeUnseen, isolated } from '../base/displayText.ts';

/** Longest piece of foreign text in a line of output, characters. */
const longest = 1_000;

/** Foreign text for a terminal or a CI log: one line, without anything that a terminal would obey. */
export function shown(foreign: string): string {
  const escaped = escapeUnseen(cut(foreign, longest));
  return isolated(escaped, escaped);
}

/** Every character of a JSON text that a terminal might obey as its code, which means the same to whatever reads JSON. */
export function plainJson(value: unknown): string {
  return plainJsonText(JSON.stringify(value, undefined, 2));
}

/** The same for a text that is JSON already: outside of its strings only line breaks are controls. */
export function plainJsonText(json: string): string {
  return json.replaceAll(/[^\P{C}\n]|[\u2028\u2029\ufeff]/gu, character =>
    Array.from({ length: character.length }, (_, at) => {
      const code = character.charCodeAt(at).toString(16);
      return String.raw`\u${code.padStart(4, '0')}`;
    }).join(''),
  );
}

/** A span of time: `12 ms`, `2.05 s`. */
export function durationText(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(2)} s`;
}

/** Rows as columns of text, each as wide as its widest cell. */
export function tableText(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(0, ...rows.map(({ length }) => length));
  const widths = Array.from({ length: columns }, (_, at) => Math.max(...rows.map(row => row[at]?.length ?? 0)));
  const lines = rows.map(row =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return lines.map(line => `${line}\n`).join('');
}
