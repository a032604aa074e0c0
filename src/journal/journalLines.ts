import { crc32 } from 'node:zlib';
import { mapOf } from '../locks/nodeData.ts';
import type { JournalEntry } from './entry.ts';
import { formatEntry, parseEntry } from './entryText.ts';

// A journal on disk is a file of lines, each `<8 hexadecimal digits: CRC-32 of the JSON text> <JSON object>\n`. The first one is the header. A crash
// may leave the last line unfinished; nothing else is ever written twice or changed.

/** Of the format: a reader refuses files with a higher one. */
export const journalVersion = 1;

const checksumLength = 8;
const lineStart = /^[0-9a-f]{8} \{/;

/** What a line is. */
export type ReadLine =
  | { kind: 'header'; version: number }
  | { kind: 'entry'; entry: JournalEntry }
  /** Of a type that this version does not know: whole, and of no meaning here. */
  | { kind: 'other' }
  | { kind: 'no line' }
  | { kind: 'wrong checksum' }
  | { kind: 'bad record' };

/** The first line of a file, with its line end. */
export function journalHeader(): string {
  return framed(JSON.stringify({ type: 'journal', version: journalVersion }));
}

/** An entry as a line of a file, with its line end. */
export function journalLine(entry: JournalEntry): string {
  return framed(formatEntry(entry));
}

function framed(json: string): string {
  return `${checksumOf(json)} ${json}\n`;
}

function checksumOf(json: string | Uint8Array): string {
  return crc32(json).toString(16).padStart(checksumLength, '0');
}

/**
 * Reads a line. Total.
 *
 * @param line without its line end
 */
export function readJournalLine(line: Buffer): ReadLine {
  if (!lineStart.test(line.toString('latin1', 0, checksumLength + 2))) return { kind: 'no line' };
  const json = line.subarray(checksumLength + 1);
  if (checksumOf(json) !== line.toString('latin1', 0, checksumLength)) return { kind: 'wrong checksum' };
  const value = parsed(json);
  const entry = parseEntry(value);
  if (entry !== undefined) return { kind: 'entry', entry };
  const fields = mapOf(value);
  const version = fields?.get('version');
  if (fields?.get('type') === 'journal' && typeof version === 'number') return { kind: 'header', version };
  return { kind: isKnownType(fields?.get('type')) ? 'bad record' : 'other' };
}

const knownTypes: ReadonlySet<unknown> = new Set<JournalEntry['type'] | 'journal'>([
  ...(['begin', 'complete', 'node', 'gone', 'cause', 'session', 'alive', 'gap', 'journal'] as const),
]);

function isKnownType(type: unknown): boolean {
  return typeof type !== 'string' || knownTypes.has(type);
}

function parsed(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString('utf8'));
  } catch {
    // Foreign, though its checksum is right.
    return undefined;
  }
}
