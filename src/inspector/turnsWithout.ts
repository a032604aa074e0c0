import { traitsOf } from '../locks/libraries/registry.ts';
import type { Contender, LockQueue } from '../locks/lockQueue.ts';
import type { Entry } from '../locks/order.ts';
import { queueOfNames, type OwnQueue } from '../locks/recognition/recognise.ts';
import { turnsOf } from '../locks/turn.ts';
import { parentPath } from '../base/paths.ts';

/**
 * `known`: the dialect's rule says who holds. `race`: whoever creates the node first; who waits is not in the tree.
 * `limit-unknown`: who holds is a guess, since how many may hold is stored nowhere.
 */
export type Succession = 'known' | 'race' | 'limit-unknown';

/** Who would hold if a contender were gone. */
export interface Succeeding {
  succession: Succession;
  /** In grant order: those who hold then, and those who held before and still do. */
  holders: Contender[];
}

/** Who would hold if one contender left, by the same rules that say who holds now. */
export function holdersWithout(queue: LockQueue, leaving: Contender): Succeeding {
  const rest = queue.contenders.filter(contender => contender.path !== leaving.path);
  if (isLoneNode(queue)) return { succession: 'race', holders: [] };
  if (isSemaphore(queue)) return semaphoreHolders(queue, leaving, rest);
  const named = namedQueue(queue, rest);
  if (named === undefined) return { succession: 'known', holders: rest.filter(({ role }) => role === 'holder') };
  const facts = new Map(rest.map(contender => [contender.name, contender]));
  const ordered = named.entries
    // A foreign child that takes a place in the order has no facts of its own, and stays.
    .filter(({ name }) => name !== leaving.name)
    .map((contender): Entry => ({ ...contender, ownerSession: facts.get(contender.name)?.ownerSession ?? 0n }));
  const turns = turnsOf(ordered, named.rule);
  const holds = new Set(ordered.filter((_, at) => turns[at]?.holds === true).map(({ name }) => name));
  // Nobody loses a lock because another one leaves, whatever names alone tell: some rules ask the nodes' data.
  return { succession: 'known', holders: rest.filter(({ name, role }) => role === 'holder' || holds.has(name)) };
}

/**
 * The queue as its library reads it from the names, with the rule that it follows.
 *
 * @returns `undefined` if no name of it is a contender's
 */
export function namedQueue(queue: LockQueue, contenders: readonly Contender[]): OwnQueue | undefined {
  const [first] = contenders;
  if (first === undefined) return undefined;
  const inDirectory = queue.strangers.filter(name => !name.includes('/'));
  const names = [...contenders.map(({ name }) => name), ...inDirectory];
  return queueOfNames(parentPath(first.path), names, first.name);
}

/** A lock that is one node: its contender is the lock itself, or the only lease of its kind. */
export function isLoneNode(queue: LockQueue): boolean {
  const [only] = queue.contenders;
  return only !== undefined && (only.path === queue.path || traitsOf(queue.dialect).isOneNode === true);
}

/** Several may hold, and the tree or the data of the nodes say who does. */
export function isSemaphore(queue: LockQueue): boolean {
  return queue.contenders.some(({ kind }) => kind === 'lease') && traitsOf(queue.dialect).isOneNode !== true;
}

/**
 * How many may hold at once. Where that is stored nowhere, as many as hold now: while anybody waits, the semaphore is full.
 */
export function leaseLimit(queue: LockQueue): number {
  const held = queue.contenders.filter(({ role }) => role === 'holder').length;
  return queue.maxLeases ?? Math.max(1, held);
}

function semaphoreHolders(queue: LockQueue, leaving: Contender, rest: readonly Contender[]): Succeeding {
  const staying = rest.filter(({ role }) => role === 'holder');
  const waiters = rest.filter(({ role }) => role === 'waiter');
  const free = leaving.role === 'holder' ? Math.max(0, leaseLimit(queue) - staying.length) : 0;
  const isStored = queue.maxLeases !== undefined;
  return { succession: isStored ? 'known' : 'limit-unknown', holders: [...staying, ...waiters.slice(0, free)] };
}
