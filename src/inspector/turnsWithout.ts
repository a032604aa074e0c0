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
  const rest = queue.contenders.filter(contender => contender.path !== leaving.path);
  if (isLoneNode(queue)) return { succession: 'race', holders: [] };
  const isUnforeseen = traitsOf(queue.dialect).isElectedByData === true && leaving.role === 'holder';
  if (isUnforeseen) return { succession: 'election', holders: [] };
  if (isSemaphore(queue)) return semaphoreHolders(queue, leaving, rest);
  const named = namedQueue(queue, rest);
  if (named === undefined) return { succession: 'known', holders: rest.filter(({ role }) => role === 'holder') };
  const facts = new Map(rest.map(contender => [contender.name, contender]));
  // A contender that lists the directory again then, fails.
  const isFailing = named.failing.length > 0;
  const ordered = named.entries
    // A foreign child that takes a place in the order is no contender: it has no owner, and it stays.
    .filter(({ name }) => name !== leaving.name)
    .map((entry): Entry => {
      const hasFailed = isFailing && isMember(entry) && entry.dialect.foreign?.effect === 'counted-or-fails';
      return { ...entry, ownerSession: facts.get(entry.name)?.ownerSession ?? 0n, hasFailed };
    });
  const turns = turnsOf(ordered, named.rule);
  const holds = new Set(ordered.filter((_, at) => turns[at]?.holds === true).map(({ name }) => name));
  // A holder stays a holder when another contender leaves. Names alone may say otherwise, since some rules read the nodes' data.
  const holders = rest.filter(({ name, role }) => role === 'holder' || holds.has(name));
  return { succession: queue.hazards.some(isUnknownLimit) ? 'limit-unknown' : 'known', holders };
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

function semaphoreHolders(queue: LockQueue, leaving: Contender, rest: readonly Contender[]): Succeeding {
  const staying = rest.filter(({ role }) => role === 'holder');
  const waiters = rest.filter(({ role }) => role === 'waiter');
  // Curator's InterProcessSemaphore: a release wakes only who watches that node, and who has its turn then, holds.
  if (queue.dialect === 'curator') {
    const woken = rest.slice(0, queue.maxLeases).filter(({ waitsFor }) => waitsFor === leaving.name);
    return { succession: queue.maxLeases === undefined ? 'limit-unknown' : 'known', holders: [...staying, ...woken] };
  }
  const free = leaving.role === 'holder' ? Math.max(0, leaseLimit(queue) - staying.length) : 0;
  const isStored = queue.maxLeases !== undefined;
  return { succession: isStored ? 'known' : 'limit-unknown', holders: [...staying, ...waiters.slice(0, free)] };
}
