import { textOf } from '../identifier.ts';
import { bySuffixText, ignoresForeign, type Dialect, type StemMatch } from './dialect.ts';

// kazoo (docs/dialects.md, section 3). Lock, WriteLock and Election write the same name; a reader waits for the nearest
// writer before it. kazoo 2.8.0 made a reader wait for the *highest* writer, even a later one: names cannot show which
// version made them, so the rule of every other version is shown.

const STEM = /^[0-9a-f]{32}__r?lock__$/;
const EXCLUSIVE: StemMatch = { kind: 'exclusive' };
const READ: StemMatch = { kind: 'read' };

function match(stem: string): StemMatch | undefined {
  if (stem.length < 40 || !stem.endsWith('lock__') || !STEM.test(stem)) return undefined;
  return stem.length === 40 ? EXCLUSIVE : READ;
}

export const kazoo: Dialect = {
  id: 'kazoo',
  match,
  compare: bySuffixText,
  rule: { type: 'read-write', readerWatches: 'nearest-writer', writerWatches: 'predecessor' },
  foreign: ignoresForeign,
  identify: node => withoutRepr(textOf(node.data)),
  // Its pattern asks for ten digits: a small negative number has nine.
  acceptsSuffix: suffix => suffix.length !== 10 || !suffix.startsWith('-'),
};

/**
 * A semaphore's queue nodes hold Python's notation of the bytes, `b'host'`, up to kazoo 2.11.
 *
 * @returns the text within, or the text as it is
 */
export function withoutRepr(text: string): string {
  return /^b(['"])(.*)\1$/s.exec(text)?.[2] ?? text;
}

/** Names of a kazoo semaphore's leases and of a double barrier's members. */
export function isHexName(name: string): boolean {
  return name.length === 32 && /^[0-9a-f]{32}$/.test(name);
}
