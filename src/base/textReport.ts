import { isolated } from './displayText.ts';
import { partsOf, type Report } from './report.ts';

/** Columns of a line. A longer piece of foreign text stays whole, so that it can be copied. */
const lineWidth = 80;

/** Chinese, Japanese and Korean characters: two columns wide, and a line may end behind each. */
const wide = String.raw`\u1100-\u115f\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6`;
const wideCharacter = new RegExp(`[${wide}]`, 'gu');
/** What a line does not begin with. */
const closing = '、。，；：！？）」』】”’》';
/** Blanks, then a word or a wide character with the closing marks behind it. */
const piece = new RegExp(`( *)((?:[${wide}][${closing}]*)|[^ ${wide}]+|$)`, 'gu');

function widthOf(text: string): number {
  return Array.from(text.replaceAll(/[\u2068\u2069]/gu, '')).length + (text.match(wideCharacter)?.length ?? 0);
}

/** Quoted where its blanks could make it look like words of ours. */
function quoted(text: string): string {
  return text === '' || text.includes(' ') ? `"${text}"` : text;
}

interface Word {
  text: string;
  /** What stands between it and the word before it, unless a line ends there. */
  gap: '' | ' ';
}

/** Whether a line may end between two characters that no blank divides. */
function mayEndBetween(before: string, after: string): boolean {
  const [last = '', next = ''] = [before.at(-1), after[0]];
  return widthOf(last + next) > 2 && !closing.includes(next);
}

/** The pieces of a text between which a line may end. */
function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  const add = (word: string, blanks: string): void => {
    const last = words.at(-1);
    if (blanks !== '') words.push({ text: word, gap: ' ' });
    else if (last === undefined || mayEndBetween(last.text, word)) words.push({ text: word, gap: '' });
    else last.text += word;
  };
  for (const part of partsOf(text)) {
    if (part.isForeign) add(isolated(part.text, quoted(part.text)), '');
    else for (const [, blanks = '', word = ''] of part.text.matchAll(piece)) add(word, blanks);
  }
  return words;
}

/** Wraps a text; lines after the first begin with `indent`. */
function wrapped(text: string, first = '', indent = first): string[] {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const { text: word, gap } of wordsOf(text)) {
    if (!isEmpty && widthOf(line) + gap.length + widthOf(word) > lineWidth) {
      lines.push(line);
      line = indent;
      isEmpty = true;
    }
    line += isEmpty ? word : gap + word;
    isEmpty = false;
  }
  return [...lines, line].map(each => each.trimEnd());
}

/** A report as plain text in lines of 80 columns, each ending with `\n`. */
export function textReport({ headline, blocks }: Report): string {
  const lines = wrapped(headline);
  for (const [at, block] of blocks.entries()) {
    // A list belongs to its heading.
    if (blocks[at - 1]?.kind !== 'heading') lines.push('');
    if (block.kind !== 'list') {
      lines.push(...wrapped(block.text));
      continue;
    }
    for (const item of block.items) {
      const { text, below } = typeof item === 'string' ? { text: item, below: [] } : item;
      lines.push(...wrapped(text, '- ', '  '), ...below.flatMap(each => wrapped(each, '  - ', '    ')));
    }
  }
  return lines.map(line => `${line}\n`).join('');
}
