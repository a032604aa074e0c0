import { fixedNaming, matchStems, readWriteRule, type Dialect, type TraitsTable } from '../dialect.ts';
import { textOf } from '../nodeData.ts';
import { byCreation, bySequence, type Entry } from '../order.ts';

// DistributedLock for .NET, and HBase 1.x's table locks, which have the same names and rules (docs/dialects.md,
// sections 3, 4). It is the one library here whose order survives the counter's wrap: numbers lie on a ring of 2^32,
// and the ring is cut at its largest gap.

const RING = 2 ** 32;
const WRAP_GAP = 4_000_000_000;

function ringPosition(entry: Entry): number {
  return entry.sequence >>> 0;
}

function arrangeOnRing(entries: Entry[]): Entry[] {
  entries.sort((a, b) => ringPosition(a) - ringPosition(b) || bySequence(a, b) || byCreation(a, b));
  const start = entries.findIndex((entry, at) => {
    const before = entries[at - 1];
    return before !== undefined && (ringPosition(entry) - ringPosition(before)) % RING > WRAP_GAP;
  });
  return start < 0 ? entries : [...entries.slice(start), ...entries.slice(0, start)];
}

export const distributedLockNet: readonly Dialect[] = [
  {
    id: 'distributedlock-net',
    match: matchStems({ 'read-': { kind: 'read', queueKey: 'rw' }, 'write-': { kind: 'write', queueKey: 'rw' } }),
    arrange: arrangeOnRing,
    isHandWritten: true,
    rule: readWriteRule,
  },
  {
    id: 'distributedlock-net',
    match: matchStems({ 'lock-': { kind: 'exclusive', queueKey: 'lock' } }),
    arrange: arrangeOnRing,
    isHandWritten: true,
  },
  {
    id: 'distributedlock-net-semaphore',
    match: matchStems({ 'semaphore-': { kind: 'lease' } }),
    arrange: arrangeOnRing,
    isHandWritten: true,
    rule: { type: 'marked' },
    isMarked: node => textOf(node.data) === 'ACQUIRED',
    identify: () => '',
  },
];

export const distributedLockTraits: TraitsTable = {
  'distributedlock-net': {
    writes: {
      mutex: fixedNaming('lock-'),
      read: fixedNaming('read-'),
      write: fixedNaming('write-'),
      semaphore: fixedNaming('semaphore-'),
    },
    semaphore: { type: 'in-queue', marksHolders: true },
  },
  'distributedlock-net-semaphore': { semaphoreOf: 'distributedlock-net' },
};
