import { curatorLeases, curatorMutex } from './dialects/curator.ts';
import type { KnownChild } from './dialects/dialect.ts';
import { hazardsOf } from './hazards.ts';
import { textOf } from './identifier.ts';
import { knownChild } from './knownChild.ts';
import type { ChildNode, LockDirectory } from './lockDirectory.ts';
import type { Contender } from './lockQueue.ts';
import { childPath, lastSegment, parentPath } from '../base/paths.ts';
import { semaphoreContender, splitChildren, type Semaphore } from './semaphoreParts.ts';
import { sortEntries } from './sortEntries.ts';

// Curator's InterProcessSemaphoreV2 and SemaphoreMutex (docs/dialects.md, section 1): a mutex queue in `P/locks` guards
// the making of leases in `P/leases`. Its head makes its lease first and then waits until the leases fit the limit, so
// a waiter already has a lease node: that one is pending, shown as a stranger and not counted. The limit itself is
// stored nowhere. Both directories are containers, which the server removes when they have been empty for a while: leases
// are held for hours without a `locks` beside them.

interface Parts {
  path: string;
  locks: readonly ChildNode[];
  leases: readonly ChildNode[];
  /** Children of the asked directory that belong to the semaphore. */
  claimed: ReadonlySet<string>;
}

/**
 * Recognises the semaphore from its own directory or from either of its two parts.
 *
 * @returns undefined when the directory is no part of one. Strangers are named relative to the semaphore's path.
 */
export function recogniseCuratorSemaphore(directory: LockDirectory): Semaphore | undefined {
  const parts = partsOf(directory);
  if (parts === undefined) return undefined;
  const { path } = parts;
  const locks = splitChildren(childPath(path, 'locks'), parts.locks, isMutexNode);
  const leases = splitChildren(childPath(path, 'leases'), parts.leases, isLease);
  const nobody = locks.known.length === 0 && leases.known.length === 0;
  if (nobody && (locks.others.length > 0 || leases.others.length > 0)) return undefined;
  const waiting = sortEntries(locks.known, curatorMutex.compare);
  const made = sortEntries(leases.known, curatorLeases.compare);
  const pending = pendingLease(waiting[0], made);
  const held = made.filter(lease => lease.name !== pending);
  const holders = toContenders(held, 'holder');
  const waiters = toContenders(waiting, 'waiter');
  const strangers = [
    ...(pending === undefined ? [] : [`leases/${pending}`]),
    ...locks.others.map(node => `locks/${node.name}`),
    ...leases.others.map(node => `leases/${node.name}`),
  ];
  const hazards = [...hazardsOf(holders, curatorLeases), ...hazardsOf(waiters, curatorMutex)];
  return {
    queue: { path, dialect: 'curator-semaphore', contenders: [...holders, ...waiters], strangers, hazards },
    claimed: parts.claimed,
  };
}

function partsOf(directory: LockDirectory): Parts | undefined {
  return partsBelow(directory) ?? partsBeside(directory);
}

/** Seen from the semaphore's own directory. */
function partsBelow({ path, further }: LockDirectory): Parts | undefined {
  const leases = further.get(childPath(path, 'leases'));
  if (leases === undefined) return undefined;
  const locks = further.get(childPath(path, 'locks'));
  if (locks === undefined && !holdsLeases(childPath(path, 'leases'), leases)) return undefined;
  return { path, locks: locks ?? [], leases, claimed: new Set(['locks', 'leases']) };
}

/** Seen from one of its two parts. */
function partsBeside({ path: own, children, further }: LockDirectory): Parts | undefined {
  const path = parentPath(own);
  if (path === '/') return undefined;
  const claimed = (): Set<string> => new Set(children.map(({ name }) => name));
  const locks = further.get(childPath(path, 'locks'));
  const leases = further.get(childPath(path, 'leases'));
  if (lastSegment(own) === 'locks' && leases !== undefined)
    return { path, locks: children, leases, claimed: claimed() };
  if (lastSegment(own) !== 'leases' || (locks === undefined && !holdsLeases(own, children))) return undefined;
  return { path, locks: locks ?? [], leases: children, claimed: claimed() };
}

/** What else is called `leases` has no children with such names. */
function holdsLeases(path: string, children: readonly ChildNode[]): boolean {
  return children.some(node => {
    const child = knownChild(path, node);
    return child !== undefined && isLease(child);
  });
}

function isMutexNode({ dialect }: KnownChild): boolean {
  return dialect === curatorMutex;
}

function isLease({ dialect }: KnownChild): boolean {
  return dialect === curatorLeases;
}

/** The newest lease of the session at the head, if it was made after the head joined. */
function pendingLease(head: KnownChild | undefined, leases: readonly KnownChild[]): string | undefined {
  if (head === undefined || head.ownerSession === 0n) return undefined;
  let newest: KnownChild | undefined;
  for (const lease of leases) {
    const isCandidate = lease.ownerSession === head.ownerSession && lease.czxid > head.czxid;
    if (isCandidate && (newest === undefined || lease.czxid > newest.czxid)) newest = lease;
  }
  return newest?.name;
}

/** The head watches the leases as a whole and so waits for no single node; the others watch their predecessor. */
function toContenders(children: readonly KnownChild[], role: Contender['role']): Contender[] {
  return children.map(({ node, sequence }, at) => {
    const before = role === 'waiter' ? children[at - 1] : undefined;
    const more = { sequence, ...(before === undefined ? {} : { waitsFor: before.name }) };
    return semaphoreContender(node, role, textOf(node.data), more);
  });
}
