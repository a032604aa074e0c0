import { childPath, lastSegment, parentPath } from '../../base/paths.ts';
import {
  type ContenderNaming,
  type Dialect,
  type TraitsTable,
  type ForeignChildren,
  type Member,
  type NumberSharer,
  type StemMatch,
} from '../dialect.ts';
import { hazardsOf } from '../hazards.ts';
import { lastJoin, leaseSince } from '../heldSince.ts';
import type { ChildNode, LockDirectory } from '../lockDirectory.ts';
import type { Contender, HeldSince } from '../lockQueue.ts';
import { nodeText, textOf, withoutEnd } from '../nodeData.ts';
import { byCreation, bySuffixText, sortEntries } from '../order.ts';
import { readSequence } from '../sequence.ts';
import {
  contenderOfNode,
  semaphoreWaiters,
  splitChildren,
  type MemberOf,
  type Semaphore,
  type TwoDirectorySemaphore,
} from './semaphore.ts';

// Apache Curator (docs/dialects.md, section 1). Names carry a protection prefix, `_c_` + UUID + `-`, 40 characters.
// Order is the text after the lock name, equal ones as the server lists them, and every child of the directory takes a place in it,
// Curator's own or not.

const PREFIX = '_c_';
const PREFIX_LENGTH = 40;
const DIGIT = 1;
const DASH = 2;
/** What stands behind `_c_`, by place: a UUID and a dash. */
const SHAPE = Uint8Array.from('xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx-', place => (place === '-' ? DASH : DIGIT));
/** What the characters of ASCII are, by code. */
const KIND = Uint8Array.from({ length: 128 }, (_, code) => kindOf(String.fromCharCode(code)));

function kindOf(character: string): number {
  if (character === '-') return DASH;
  return '0123456789abcdef'.includes(character) ? DIGIT : 0;
}

/**
 * Whether a name without its number has Curator's protection prefix. A regular expression takes three times as long, a tenth of the
 * time in which a queue of 10,000 is read.
 */
export function isProtected(stem: string): boolean {
  if (stem.length < PREFIX_LENGTH || !stem.startsWith(PREFIX)) return false;
  let differs = 0;
  for (let place = 0; place < SHAPE.length; place++) {
    const code = stem.charCodeAt(PREFIX.length + place);
    differs |= (code >> 7) | ((KIND[code & 127] ?? 0) ^ (SHAPE[place] ?? 0));
  }
  return differs === 0;
}

/** Whether a name is that of an InterProcessMutex, whose owner may listen for a request to revoke. */
export function isCuratorMutexName(name: string): boolean {
  return hasMarker(name, 'lock-');
}

function hasMarker(name: string, marker: string): boolean {
  return readSequence(name).some(({ stem }) => isProtectedMarker(stem, marker));
}

function identify(node: ChildNode): string {
  const text = nodeText(node);
  // A request to revoke overwrites the identifier.
  return text === '__REVOKE__' ? '' : text;
}

function textAfter(name: string, marker: string): string {
  const at = name.lastIndexOf(marker);
  return at < 0 ? name : name.slice(at + marker.length);
}

function counted(...markers: string[]): ForeignChildren {
  return { effect: 'counted', suffixOf: name => markers.reduce(textAfter, name) };
}

function matchMarker(marker: string, kind: StemMatch['kind']): Dialect['match'] {
  const match: StemMatch = { kind, queueKey: marker };
  return stem => (isProtectedMarker(stem, marker) ? match : undefined);
}

/** Whether a stem is the protection prefix and the marker; makes no new text for each name of a long queue. */
function isProtectedMarker(stem: string, marker: string): boolean {
  return stem.length === PREFIX_LENGTH + marker.length && stem.endsWith(marker) && isProtected(stem);
}

/** Mutex, LeaderSelector and the deprecated semaphore, which look the same. go-zookeeper and `<guid>-lock-` share its order. */
export const curatorMutex: Dialect = {
  id: 'curator',
  family: 'guid-lock',
  match: matchMarker('lock-', 'exclusive'),
  compare: bySuffixText,
  ties: 'listing',
  foreign: counted('lock-'),
  identify,
};

const READ: StemMatch = { kind: 'read', queueKey: 'rw' };
const WRITE: StemMatch = { kind: 'write', queueKey: 'rw' };

function matchReadWrite(stem: string): StemMatch | undefined {
  if (isProtectedMarker(stem, '__READ__')) return READ;
  return isProtectedMarker(stem, '__WRIT__') ? WRITE : undefined;
}

/** Since 5.5 a downgraded read lock carries the number of its own session's write lock. */
function isDowngradePair(a: NumberSharer, b: NumberSharer): boolean {
  return a.ownerSession !== 0n && a.ownerSession === b.ownerSession && (a.kind === 'read' || b.kind === 'read');
}

const curatorReadWrite: Dialect = {
  id: 'curator',
  match: matchReadWrite,
  compare: bySuffixText,
  rule: { type: 'read-write', readerWatches: 'first-writer', downgrade: true },
  foreign: counted('__WRIT__', '__READ__'),
  identify,
  sharesNumber: isDowngradePair,
  // Since 5.5 a downgraded reader stays at its writer's place when that has left.
  joinsOutOfOrder: ({ kind }) => kind === 'read',
};

const curatorLatch: Dialect = {
  id: 'curator-latch',
  match: matchMarker('latch-', 'candidate'),
  compare: bySuffixText,
  ties: 'listing',
  foreign: counted('latch-'),
  identify,
};

/** Leases of a semaphore; a queue of their own where no `locks` stand beside them. */
const curatorLeases: Dialect = {
  id: 'curator-semaphore',
  match: matchMarker('lease-', 'lease'),
  rule: { type: 'everyone' },
  identify,
};

/** In the order of recognition. */
export const curator: readonly Dialect[] = [curatorMutex, curatorReadWrite, curatorLatch, curatorLeases];

/** ProtectedUtils.java; InterProcessMutex, InterProcessReadWriteLock. The semaphore's queue uses the mutex' names. */
function naming(marker: string): ContenderNaming {
  return { prefix: ({ attemptId }) => `${PREFIX}${attemptId}-${marker}`, hasIdInName: true };
}

export const curatorTraits: TraitsTable = {
  curator: {
    waitsByKind: true,
    writes: {
      mutex: naming('lock-'),
      read: naming('__READ__'),
      write: naming('__WRIT__'),
      semaphore: naming('lock-'),
    },
    semaphore: {
      type: 'lease-node',
      made: 'first',
      queue: locksOf,
      leases: leasesOf,
      leaseName: id => `${PREFIX}${id}-lease-`,
    },
  },
  'curator-semaphore': { semaphoreOf: 'curator', spansDirectories: true },
};

function matchAnyName(stem: string): StemMatch | undefined {
  if (!isProtected(stem)) return undefined;
  const name = stem.slice(PREFIX_LENGTH);
  return { kind: 'exclusive', queueKey: name, lockName: withoutEnd(name, '-_') };
}

/** Protected names with a lock name of their own: Curator with an own driver, or zookeeper-client for Rust. */
export const curatorNamed: Dialect = {
  id: 'curator',
  family: 'curator-named',
  isGuess: true,
  match: matchAnyName,
  compare: bySuffixText,
  // Its driver, or the program that chose the name, makes the nodes.
  makesPersistent: 'on-request',
  ties: 'listing',
  identify,
};

// InterProcessSemaphoreV2 and SemaphoreMutex: a mutex queue in `P/locks` guards the making of leases in `P/leases`. Its head makes
// its lease first and then waits until the leases fit the limit, so a waiter already has a lease node: that one is pending,
// shown as a stranger and not counted. The limit itself is stored nowhere. Both directories are containers, which the server
// removes when they have been empty for a while: leases are held for hours without a `locks` beside them.

interface Parts {
  path: string;
  locks: readonly ChildNode[];
  leases: readonly ChildNode[];
  /** Children of the given directory that belong to the semaphore. */
  claimed: ReadonlySet<string>;
}

export const curatorSemaphore: TwoDirectorySemaphore = {
  dialect: 'curator-semaphore',
  queued: curatorMutex,
  further(path, childNames) {
    const below = childNames.includes('leases') ? [locksOf(path), leasesOf(path)] : [];
    return [...below, ...besideOf(path, childNames)];
  },
  recognise,
  // Its own directory has one child or two; a look through thousands of names would be wasted.
  isLikely: childNames => childNames.length < 20 && childNames.includes('leases'),
  baseOfLeases: path => (lastSegment(path) === 'leases' ? parentPath(path) : undefined),
};

function locksOf(path: string): string {
  return childPath(path, 'locks');
}

function leasesOf(path: string): string {
  return childPath(path, 'leases');
}

/** Seen from one of the two parts: the other one. */
function besideOf(path: string, childNames: readonly string[]): string[] {
  const own = lastSegment(path);
  const base = parentPath(path);
  if ((own !== 'locks' && own !== 'leases') || base === '/') return [];
  const marker = own === 'locks' ? 'lock-' : 'lease-';
  const fits = childNames.length === 0 || childNames.some(name => hasMarker(name, marker));
  return fits ? [own === 'locks' ? leasesOf(base) : locksOf(base)] : [];
}

function recognise(directory: LockDirectory, memberOf: MemberOf): Semaphore | undefined {
  const { path: own } = directory;
  const parts = partsAt(own, directory, memberOf) ?? partsAt(parentPath(own), directory, memberOf);
  if (parts === undefined) return undefined;
  const { path } = parts;
  const locks = splitChildren(parts.locks, node => memberOf(locksOf(path), node), curatorMutex);
  const leases = splitChildren(parts.leases, node => memberOf(leasesOf(path), node), curatorLeases);
  const isEmpty = locks.members.length === 0 && leases.members.length === 0;
  if (isEmpty && (locks.others.length > 0 || leases.others.length > 0)) return undefined;
  const waiting = sortEntries(locks.members, curatorMutex.compare);
  const made = sortEntries(leases.members, curatorLeases.compare);
  const pending = pendingLease(waiting[0], made);
  const doubtful = pending === undefined ? doubtfulLease(waiting[0], made) : undefined;
  const sinceOf = leasesSince(directory, parts, made);
  const holders = made
    .filter(({ name }) => name !== pending && name !== doubtful?.name)
    .map(({ node, sequence }) => ({
      ...contenderOfNode(node, 'lease', 'holder', textOf(node.data)),
      ...(node.isUnread === true ? {} : { heldSince: sinceOf(node) }),
      sequence,
    }));
  const leased = [...holders, ...(doubtful === undefined ? [] : [leaseInDoubt(doubtful)])];
  const waiters = semaphoreWaiters(waiting);
  const strangers = [
    ...(pending === undefined ? [] : [`leases/${pending}`]),
    ...locks.others.map(({ name }) => `locks/${name}`),
    ...leases.others.map(({ name }) => `leases/${name}`),
  ];
  const hazards = [...hazardsOf(leased, curatorLeases), ...hazardsOf(waiters, curatorMutex)];
  return {
    queue: { path, dialect: 'curator-semaphore', contenders: [...leased, ...waiters], strangers, hazards },
    claimed: parts.claimed,
  };
}

/** Who holds depends on both directories: the queue says which lease still waits. */
function leasesSince(
  { lastChanges }: LockDirectory,
  { path, locks, leases }: Parts,
  made: readonly Member[],
): (lease: ChildNode) => HeldSince {
  const ends = [lastJoin(locks, lastChanges?.get(locksOf(path))), lastJoin(leases, lastChanges?.get(leasesOf(path)))];
  const known = ends.filter(end => end !== undefined);
  const settled = known.length === ends.length ? Math.max(...known) : undefined;
  const byAge = made.map(({ node }) => node).sort(byCreation);
  const next = new Map(byAge.map((lease, at) => [lease, byAge[at + 1]]));
  return lease => leaseSince(lease, next.get(lease), settled);
}

/** The semaphore at `path`, seen from its own directory or from one of its two parts. */
function partsAt(path: string, { path: own, children, further }: LockDirectory, memberOf: MemberOf): Parts | undefined {
  const isPart = path !== '/' && (own === locksOf(path) || own === leasesOf(path));
  if (own !== path && !isPart) return undefined;
  const read = (part: string) => (part === own ? children : further.get(part));
  const leases = read(leasesOf(path));
  const locks = read(locksOf(path));
  if (leases === undefined || (locks === undefined && !holdsLeases(leasesOf(path), leases, memberOf))) return undefined;
  const claimed = own === path ? ['locks', 'leases'] : children.map(({ name }) => name);
  return { path, locks: locks ?? [], leases, claimed: new Set(claimed) };
}

/** Other directories called `leases` have no children with such names. */
function holdsLeases(path: string, children: readonly ChildNode[], memberOf: MemberOf): boolean {
  return children.some(node => memberOf(path, node)?.dialect === curatorLeases);
}

function leaseInDoubt({ node, sequence }: Member): Contender {
  return { ...contenderOfNode(node, 'lease', 'waiter', textOf(node.data)), sequence, mayHold: true };
}

/**
 * The lease that may be pending: that or the head may not be read, so that it is not known whose it is. All others are held, since only the
 * head makes leases.
 */
function doubtfulLease(head: Member | undefined, leases: readonly Member[]): Member | undefined {
  const newest = leases.at(-1);
  if (head === undefined || newest === undefined) return undefined;
  if (newest.node.isUnread !== true && head.node.isUnread !== true) return undefined;
  const isOlder = newest.czxid !== 0n && head.czxid !== 0n && newest.czxid < head.czxid;
  return isOlder ? undefined : newest;
}

/** The newest lease of the session at the head, if it was made after the head joined. */
function pendingLease(head: Member | undefined, leases: readonly Member[]): string | undefined {
  if (head === undefined || head.ownerSession === 0n) return undefined;
  let newest: Member | undefined;
  for (const lease of leases) {
    const isCandidate = lease.ownerSession === head.ownerSession && lease.czxid > head.czxid;
    if (isCandidate && (newest === undefined || lease.czxid > newest.czxid)) newest = lease;
  }
  return newest?.name;
}
