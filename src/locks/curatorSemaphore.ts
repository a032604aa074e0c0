import { curatorLeases, curatorMutex } from './dialects/curator.ts';
import type { KnownChild } from './dialects/dialect.ts';
import { hazardsOf } from './hazards.ts';
import { textOf } from './identifier.ts';
import type { ChildNode, LockDirectory } from './lockDirectory.ts';
import type { Contender } from './lockQueue.ts';
import { childPath, lastSegment, parentPath } from './paths.ts';
import { semaphoreContender, splitChildren, type Semaphore } from './semaphoreParts.ts';
import { sortEntries } from './sortEntries.ts';

// Curator's InterProcessSemaphoreV2 and SemaphoreMutex (docs/dialects.md, section 1): a mutex queue in `P/locks` guards
// the making of leases in `P/leases`. Its head makes its lease first and then waits until the leases fit the limit, so
// a waiter already has a lease node: that one is pending, shown as a stranger and not counted. The limit itself is
// stored nowhere.

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
  const { path, children, further } = directory;
  const locks = further.get(childPath(path, 'locks'));
  const leases = further.get(childPath(path, 'leases'));
  if (locks !== undefined && leases !== undefined)
    return { path, locks, leases, claimed: new Set(['locks', 'leases']) };
  const parent = parentPath(path);
  const own = lastSegment(path);
  const otherLeases = further.get(childPath(parent, 'leases'));
  if (own === 'locks' && otherLeases !== undefined) {
    return { path: parent, locks: children, leases: otherLeases, claimed: namesOf(children) };
  }
  const otherLocks = further.get(childPath(parent, 'locks'));
  if (own === 'leases' && otherLocks !== undefined) {
    return { path: parent, locks: otherLocks, leases: children, claimed: namesOf(children) };
  }
  return undefined;
}

function namesOf(nodes: readonly ChildNode[]): Set<string> {
  return new Set(nodes.map(({ name }) => name));
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
