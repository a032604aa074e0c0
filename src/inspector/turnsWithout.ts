import { traitsOf } from '../locks/libraries/registry.ts';
import type { Contender, Hazard, LockQueue } from '../locks/lockQueue.ts';
import { isMember } from '../locks/dialect.ts';
import type { Entry } from '../locks/order.ts';
import { queueOfNames, type OwnQueue } from '../locks/recognition/recognise.ts';
import { turnsOf } from '../locks/turn.ts';
import { parentPath } from '../base/paths.ts';

/**
 * `known`: the dialect's rule decides who holds. `race`: the first client that creates the node; waiters have no nodes.
 * `election`: the waiters choose one by what their nodes hold then.
 * `limit-unknown`: a guess, since the number of leases is not stored.
 */
export type Succession = 'known' | 'race' | 'election' | 'limit-unknown';

/** The holders after a contender has left. */
interface Succeeding {
  succession: Succession;
  /** In grant order: new holders, and those that held before and still do. */
  holders: Contender[];
}

/** Who holds after one contender has left, by the rules that also decide who holds now. */
export function holdersWithout(queue: LockQueue, leaving: Contender): Succeeding {
  return holdersWithoutAll(queue, [leaving]);
}

/** Who holds after several contenders have left at the same time: those of a session that ends. */
export function holdersWithoutAll(queue: LockQueue, leaving: readonly Contender[]): Succeeding {
  const gone = new Set(leaving.map(({ path }) => path));
  const rest = queue.contenders.filter(({ path }) => !gone.has(path));
  if (isLoneNode(queue)) return { succession: 'race', holders: [] };
  const hasHolder = leaving.some(({ role }) => role === 'holder');
  if (traitsOf(queue.dialect).isElectedByData === true && hasHolder) return { succession: 'election', holders: [] };
  if (isSemaphore(queue)) return semaphoreHolders(queue, leaving, rest);
  const named = namedQueue(queue, rest);
  if (named === undefined) return { succession: 'known', holders: rest.filter(({ role }) => role === 'holder') };
  // A foreign child that takes a place in the order is no contender: it has no owner, and it stays.
  const names = new Set(leaving.map(({ name }) => name));
  const ordered = named.entries.filter(({ name }) => !names.has(name));
  addFacts(named, ordered, rest);
  const turns = turnsOf(ordered, named.rule);
  const holds = new Set(ordered.filter((_, at) => turns[at]?.holds === true).map(({ name }) => name));
  // A holder stays a holder when another contender leaves. Names alone may say otherwise, since some rules read the nodes' data.
  const holders = rest.filter(({ name, role }) => role === 'holder' || holds.has(name));
  return { succession: queue.hazards.some(isUnknownLimit) ? 'limit-unknown' : 'known', holders };
}

/** Adds what is known of the nodes to entries that were read from names, for one question alone. */
function addFacts({ failing }: OwnQueue, entries: readonly Entry[], contenders: readonly Contender[]): void {
  const owners = new Map(contenders.map(({ name, ownerSession }) => [name, ownerSession]));
  for (const entry of entries) {
    if (!isMember(entry)) continue;
    entry.node.ephemeralOwner = owners.get(entry.name) ?? 0n;
    // A contender that lists the directory again then, fails.
    entry.hasFailed = failing.length > 0 && entry.dialect.foreign?.effect === 'counted-or-fails';
  }
}

/** Waiters behind these do not change who is next, except that there may be more readers. */
export const nextHorizon = 100;

/** Who gets the lock next, and by what rule; without `next` by a rule that names no one. */
export interface NextInLine {
  succession: Succession;
  /** In grant order; with `nextHorizon` of them, there may be more. */
  next: Contender[];
}

/**
 * Who gets the lock when it becomes free: a semaphore when one holder leaves, whichever it is, any other lock when all have left.
 *
 * @param holders of the queue, all of them
 * @param waiters the first `nextHorizon` of the queue, so that a long one takes no longer
 * @returns `undefined` without holders, and where it depends on which of them leaves
 */
export function nextInLine(
  queue: LockQueue,
  holders: readonly Contender[],
  waiters: readonly Contender[],
): NextInLine | undefined {
  const last = holders.at(-1);
  const [first] = holders;
  if (first === undefined || last === undefined) return undefined;
  if (!isSemaphore(queue)) return newHolders({ ...queue, contenders: [last, ...waiters] }, last);
  const head = { ...queue, contenders: [...holders, ...waiters] };
  const [one, other] = [newHolders(head, first), newHolders(head, last)];
  const isSame = one.next.length === other.next.length && one.next.every((next, at) => next === other.next[at]);
  return isSame ? one : undefined;
}

function newHolders(queue: LockQueue, leaving: Contender): NextInLine {
  const { succession, holders } = holdersWithout(queue, leaving);
  const held = new Set(queue.contenders.filter(({ role }) => role === 'holder'));
  return { succession, next: holders.filter(holder => !held.has(holder)) };
}

/** Set by `queueByWatches` where more may hold than the first. */
function isUnknownLimit({ kind }: Hazard): boolean {
  return kind === 'limit-unknown';
}

/** The queue as its library reads it from the names, with its rule. @returns `undefined` if no name is that of a contender */
export function namedQueue(queue: LockQueue, contenders: readonly Contender[]): OwnQueue | undefined {
  const [first] = contenders;
  if (first === undefined) return undefined;
  // Contenders of another queue in the same directory may count, too.
  const blocking = queue.hazards.filter(({ kind }) => kind === 'strangers-block').flatMap(({ names }) => names);
  const inDirectory = queue.strangers.filter(name => !name.includes('/'));
  const names = [...new Set([...contenders.map(({ name }) => name), ...inDirectory, ...blocking])];
  return queueOfNames(parentPath(first.path), names, first.name);
}

/** Whether the lock is one node: the contender is the lock path itself, or its dialect has one node per lock. */
export function isLoneNode(queue: LockQueue): boolean {
  const [only] = queue.contenders;
  return only !== undefined && (only.path === queue.path || traitsOf(queue.dialect).isOneNode === true);
}

/** Whether several contenders may hold leases, as seen in the tree or in the data of the nodes. */
export function isSemaphore(queue: LockQueue): boolean {
  return queue.contenders.some(({ kind }) => kind === 'lease') && traitsOf(queue.dialect).isOneNode !== true;
}

/** How many may hold at once. If that is not stored, as many as hold now: while a contender waits, the semaphore is full. */
export function leaseLimit(queue: LockQueue): number {
  const held = queue.contenders.filter(({ role }) => role === 'holder').length;
  return queue.maxLeases ?? Math.max(1, held);
}

function semaphoreHolders(queue: LockQueue, leaving: readonly Contender[], rest: readonly Contender[]): Succeeding {
  const staying = rest.filter(({ role }) => role === 'holder');
  const waiters = rest.filter(({ role }) => role === 'waiter');
  // Curator's InterProcessSemaphore: a release wakes only who watches that node, and who has its turn then, holds.
  if (queue.dialect === 'curator') {
    const names = new Set(leaving.map(({ name }) => name));
    const woken = rest
      .slice(0, queue.maxLeases)
      .filter(({ role, waitsFor }) => role === 'waiter' && waitsFor !== undefined && names.has(waitsFor));
    return { succession: queue.maxLeases === undefined ? 'limit-unknown' : 'known', holders: [...staying, ...woken] };
  }
  const free = leaving.some(({ role }) => role === 'holder') ? Math.max(0, leaseLimit(queue) - staying.length) : 0;
  const isStored = queue.maxLeases !== undefined;
  return { succession: isStored ? 'known' : 'limit-unknown', holders: [...staying, ...waiters.slice(0, free)] };
}
