import type { Interruptible } from '../../base/interruptible.ts';
import type { JournalEntry } from '../../journal/entry.ts';
import { journalLine } from '../../journal/journalLines.ts';

/** Characters that are written at once. */
const chunkLength = 256 * 1024;

/** About how long its line is, bytes. */
export function estimated(entry: JournalEntry): number {
  switch (entry.type) {
    case 'node':
      return 180 + entry.node.path.length + Math.ceil(entry.node.data.length * 1.4);
    case 'gone':
    case 'cause':
      return 110 + entry.path.length;
    case 'session':
      return 160;
    default:
      return 70;
  }
}

/** The same of several entries. */
export function lengthOf(entries: readonly JournalEntry[]): number {
  return entries.reduce((sum, entry) => sum + estimated(entry), 0);
}

/** The lines of some entries. @returns also the place of the first entry behind them */
export function* formatting(
  entries: readonly JournalEntry[],
  start: number,
): Interruptible<{ text: string; next: number }> {
  const lines: string[] = [];
  let length = 0;
  let next = start;
  for (let entry = entries[next]; entry !== undefined && length < chunkLength; entry = entries[next]) {
    const line = journalLine(entry);
    lines.push(line);
    length += line.length;
    next++;
    if (next % 64 === 0) yield;
  }
  return { text: lines.join(''), next };
}
