import {
  fixedNaming,
  matchStems,
  mutexRule,
  readWriteRule,
  type Dialect,
  type TraitsTable,
  type StemMatch,
} from '../dialect.ts';
import { byDigits } from '../order.ts';

// Client libraries whose recipes need few lines each.

// go-zookeeper/zk `Lock` (docs/dialects.md, sections 0.2 and 3): protected like Curator's but with a GUID without dashes. Every
// child counts by the number behind its last `lock-`, else behind its last `__`, so kazoo's and Curator's readers and writers too.
// A child without a number makes every attempt end with an error, which leaves its node behind. Only lower numbers are waited for.

const GO_STEM = /^_c_[0-9a-f]{32}-lock-$/;

/** @returns the number by which go-zookeeper counts a child; `undefined`: its attempts fail because of it */
export function goNumberOf(name: string): string | undefined {
  const text = name.split(name.includes('lock-') ? 'lock-' : '__').at(-1) ?? '';
  return /^[+-]?\d{1,18}$/.test(text) ? text : undefined;
}

export const goZookeeper: Dialect = {
  id: 'go-zookeeper',
  family: 'guid-lock',
  match: stem => (stem.startsWith('_c_') && GO_STEM.test(stem) ? { kind: 'exclusive', queueKey: 'lock-' } : undefined),
  rule: { ...mutexRule, equalNumbers: 'not-waited-for' },
  foreign: { effect: 'counted-or-fails', suffixOf: goNumberOf },
};

export const goZookeeperTraits: TraitsTable = {
  'go-zookeeper': {
    // conn.go, lock.go
    writes: {
      mutex: { prefix: ({ attemptId }) => `_c_${attemptId.replaceAll('-', '')}-lock-`, hasIdInName: true },
    },
  },
};

// The Ruby gem `zk` (docs/dialects.md, section 3). It reads the trailing digits without their sign. A semaphore's limit
// is stored nowhere: only its head is certain to hold.

/** Without leading zeros; '0' for a name that ends in no digit. Walks: a regular expression takes a hostile name's length squared. */
function numberAtEnd(name: string): string {
  let start = name.length;
  while (start > 0 && isDigit(name.charCodeAt(start - 1))) start--;
  return name.slice(start).replace(/^0+(?=\d)/, '') || '0';
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

export const zkRuby: readonly Dialect[] = [
  {
    id: 'zk-ruby',
    match: matchStems({ ex: { kind: 'write' }, sh: { kind: 'read' } }),
    isHandWritten: true,
    compare: byDigits,
    rule: readWriteRule,
    // A child without a number counts as number 0 and so stands before all others.
    foreign: { effect: 'counted', suffixOf: numberAtEnd },
  },
  {
    id: 'zk-ruby-semaphore',
    match: matchStems({ sem: { kind: 'lease' } }),
    isHandWritten: true,
    compare: byDigits,
    rule: { type: 'semaphore', maxLeases: 1, waiterWatches: 'nothing' },
    isLimitUnknown: true,
  },
  /** A won election is confirmed by the node `leader_ack`. */
  {
    id: 'zk-ruby-election',
    match: matchStems({ ballot: { kind: 'candidate' } }),
    compare: byDigits,
    rule: view => ({ type: 'mutex', waiterWatches: 'predecessor', headUnconfirmed: !view.hasChild('leader_ack') }),
  },
];

export const zkRubyTraits: TraitsTable = {
  'zk-ruby': {
    // lib/zk/locker
    writes: {
      mutex: fixedNaming('ex'),
      read: fixedNaming('sh'),
      write: fixedNaming('ex'),
      semaphore: fixedNaming('sem'),
    },
    semaphore: { type: 'in-queue', marksHolders: false },
  },
  'zk-ruby-semaphore': { semaphoreOf: 'zk-ruby' },
};

// aiozk and zoonado (docs/dialects.md, section 3): `<label>-<32 hex>-<seq>`; the last ten characters are the number,
// its sign is lost. A reader is blocked by `write` only; every other label by everything before it. A lease that does
// not fit is deleted at once, so the listed ones hold; its data is an expiry time.

const AIOZK_STEM = /^(lock|read|write|candidate)-[0-9a-f]{32}-$/;
const AIOZK_LEASE = /^lease-[0-9a-f]{32}-$/;
const AIOZK_KINDS: ReadonlyMap<string, StemMatch['kind']> = new Map([
  ['lock', 'exclusive'],
  ['read', 'read'],
  ['write', 'write'],
  ['candidate', 'candidate'],
]);

export const aiozk: readonly Dialect[] = [
  {
    id: 'aiozk',
    match: stem => {
      const kind = AIOZK_KINDS.get(AIOZK_STEM.exec(stem)?.[1] ?? '');
      return kind === undefined ? undefined : { kind };
    },
    compare: byDigits,
    rule: { type: 'read-write', readerWatches: 'nearest-writer', readersWaitFor: ['write'] },
  },
  {
    id: 'aiozk',
    match: stem => (AIOZK_LEASE.test(stem) ? { kind: 'lease', queueKey: 'lease' } : undefined),
    compare: byDigits,
    rule: { type: 'everyone' },
    identify: () => '',
  },
];

// LeaderLatch of the Rust crate `zookeeper` (docs/dialects.md, section 3): `latch-<id>-<seq>`, the id may hold dashes.

const RUST_STEM = /^latch-(.+)-$/s;

export const rustLatch: Dialect = {
  id: 'rust-latch',
  isHandWritten: true,
  match: stem => {
    const id = stem.startsWith('latch-') ? RUST_STEM.exec(stem)?.[1] : undefined;
    return id === undefined ? undefined : { kind: 'candidate', identifier: id };
  },
  compare: byDigits,
};
