import { cut, escapeUnseen } from './displayText.ts';

/**
 * A report for a person: the answer first, then what it is made of. It is written once, and rendered as Markdown for reading and as
 * plain text for the clipboard (`markdownReport`, `textReport`). Its texts are plain: what looks like markup in them is shown as it is.
 */
export interface Report {
  headline: string;
  blocks: readonly Block[];
}

export type Block = { kind: 'heading' | 'paragraph'; text: string } | { kind: 'list'; items: readonly Item[] };

/** `below`: what belongs to an item, one level further in. */
export type Item = string | { text: string; below: readonly string[] };

/** Private use, which `escapeUnseen` shows as codes: no foreign text has them. */
const [begin, end] = ['\u{e000}', '\u{e001}'];

/**
 * Marks foreign text in a text of a report, so that it cannot pose as ours: Markdown shows it as code, plain text quotes it where it
 * has blanks. Unseen characters are shown as codes. It can be copied from the report.
 */
export function foreign(text: string): string {
  return `${begin}${escapeUnseen(cut(text, 1000))}${end}`;
}

/** The parts of a text in order. Line breaks, which only texts of ours can have, are blanks. */
export function partsOf(text: string): { text: string; isForeign: boolean }[] {
  return text
    .replaceAll(/\s*\n\s*/g, ' ')
    .split(begin)
    .flatMap((piece, at) => {
      if (at === 0) return [{ text: piece, isForeign: false }];
      const [inside = '', after = ''] = piece.split(end);
      return [
        { text: inside, isForeign: true },
        { text: after, isForeign: false },
      ];
    })
    .filter(({ text: part, isForeign }) => isForeign || part !== '');
}

/** A section with a list; nothing without items. */
export function section(heading: string, items: readonly Item[]): Block[] {
  return items.length === 0
    ? []
    : [
        { kind: 'heading', text: heading },
        { kind: 'list', items },
      ];
}
