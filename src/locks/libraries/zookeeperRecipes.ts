import { type Dialect, type TraitsTable, type NameContext, type StemMatch } from '../dialect.ts';
import { byDigits, bySequenceThenName } from '../order.ts';

// ZooKeeper's own recipes (docs/dialects.md, section 2): WriteLock in Java (session id as signed decimal) and in C (16
// hex digits), LeaderElectionSupport. The two WriteLocks count each other's nodes, so theirs is one queue.

const STEM = /^x-(-?\d{1,19}|[0-9a-f]{16})-$/;

/** Sixteen decimal digits may be either notation: only the node's owner decides. Unknown owner: the padded one, C's. */
function isHex(session: string, context: NameContext): boolean {
  if (session.length !== 16 || session.startsWith('-')) return false;
  if (/[a-f]/.test(session)) return true;
  return context.node?.ephemeralOwner !== BigInt(session);
}

function match(stem: string, context: NameContext, hex: boolean): StemMatch | undefined {
  const session = stem.startsWith('x-') ? STEM.exec(stem)?.[1] : undefined;
  if (session === undefined || isHex(session, context) !== hex) return undefined;
  return { kind: 'exclusive', client: session };
}

export const writeLocks: readonly Dialect[] = [
  {
    id: 'zookeeper-writelock',
    family: 'x',
    match: (stem, context) => match(stem, context, false),
    // As of 3.7: the number as an int, then the prefix. Names without a number come last and block no contender.
    compare: bySequenceThenName,
  },
  {
    id: 'zookeeper-writelock-c',
    family: 'x',
    match: (stem, context) => match(stem, context, true),
    compare: byDigits,
    // Its comparison looks for the last dash and reads through a null pointer where there is none.
    foreign: { effect: 'fails', unless: /-/ },
  },
];

export const leaderElectionSupport: Dialect = {
  id: 'zookeeper-election',
  match: stem => (stem === 'n_' ? { kind: 'candidate' } : undefined),
  foreign: { effect: 'fails', unless: /^..[-+]?\d+$/ },
  isHandWritten: true,
};

/** Unsigned hex, as the C library writes 64-bit ids. */
function hexSession(sessionId: bigint): string {
  return BigInt.asUintN(64, sessionId).toString(16).padStart(16, '0');
}

// Both look for their directory before they list or create, and fail without it (WriteLock.java, zoo_lock.c).
export const zookeeperTraits: TraitsTable = {
  'zookeeper-writelock': {
    writes: { mutex: { prefix: ({ sessionId }) => `x-${String(sessionId)}-`, hasIdInName: false } },
    needsDirectory: true,
  },
  'zookeeper-writelock-c': {
    writes: { mutex: { prefix: ({ sessionId }) => `x-${hexSession(sessionId)}-`, hasIdInName: false } },
    needsDirectory: true,
  },
};
