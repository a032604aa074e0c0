import type { Contender, LockQueue } from '../locks/lockQueue.ts';
import { isSemaphore, leaseLimit, namedQueue } from './turnsWithout.ts';

/** Who waits: `session 0x…`, or `node /path` for a contender that no session owns. */
export type WaiterId = string;

/** One contender waits for another of the same lock. Both ends are sessions; the contenders say where. */
export interface WaitEdge {
  from: WaiterId;
  to: WaiterId;
  lock: { path: string; lockName?: string };
  waiter: Contender;
  blocker: Contender;
}

/** A contender in its queue, and whom it can stand in the way of. */
export interface WaitPlace {
  contender: Contender;
  id: WaiterId;
  /** Whether it holds up its session: it waits, and the session does not stand before it already for the same or for more. */
  waits: boolean;
  blocksReaders: boolean;
  blocksAnybody: boolean;
}

/**
 * One lock as a resource. `limit` undefined: whoever waits needs *all* that block it to go (mutex, read/write). A number: so many
 * may be there at once, and a waiter needs *enough* of those before it to go (semaphore).
 */
export interface WaitQueue {
  lock: { path: string; lockName?: string };
  limit: number | undefined;
  places: WaitPlace[];
}

/** Everything that waits or is waited for. */
export interface WaitForGraph {
  queues: WaitQueue[];
  /** Sessions, or nodes without one, with the number of their places that wait. */
  waits: Map<WaiterId, number>;
}

/** The owner of a node as it stands in the graph. */
export function waiterId(contender: Contender): WaiterId {
  if (contender.ownerSession === 0n) return `node ${contender.path}`;
  return `session 0x${BigInt.asUintN(64, contender.ownerSession).toString(16)}`;
}

/**
 * Builds the wait-for graph of all locks given (resource-allocation graph after Holt, "Some Deadlock Properties of Computer
 * Systems", 1972). Edges are not stored: a queue of n waiters has n² of them, and its order tells them all. A lock that is given
 * twice counts once.
 */
export function buildWaitForGraph(queues: readonly LockQueue[]): WaitForGraph {
  const graph: WaitForGraph = { queues: [], waits: new Map() };
  const seen = new Set<string>();
  for (const queue of queues) {
    const contenders = queue.contenders.filter(({ path }) => !seen.has(path));
    for (const { path } of contenders) seen.add(path);
    if (contenders.length === 0) continue;
    const { path, lockName } = queue;
    const places = placesOf({ ...queue, contenders });
    const limit = isSemaphore(queue) ? leaseLimit(queue) : undefined;
    graph.queues.push({ lock: { path, ...(lockName === undefined ? {} : { lockName }) }, limit, places });
    for (const { id, waits } of places) graph.waits.set(id, (graph.waits.get(id) ?? 0) + (waits ? 1 : 0));
  }
  return graph;
}

function placesOf(queue: LockQueue): WaitPlace[] {
  // Only where some read do the dialects differ in who blocks whom.
  const isShared = queue.contenders.some(({ kind }) => kind === 'read');
  const named = isShared ? namedQueue(queue, queue.contenders) : undefined;
  const waitedFor = named?.rule.type === 'read-write' ? named.rule.readersWaitFor : undefined;
  const harmless = new Set(named?.contenders.filter(each => each.blocksNobody === true).map(({ name }) => name));
  const seen = new Set<string>();
  return queue.contenders.map(contender => ({
    contender,
    id: waiterId(contender),
    waits: isFirstOfItsSession(contender, seen) && contender.role === 'waiter',
    blocksReaders: waitedFor?.includes(contender.kind) ?? contender.kind !== 'read',
    blocksAnybody: !harmless.has(contender.name),
  }));
}

/**
 * A session that stands in a queue several times for the same is a program with several threads, each of which wants the lock
 * for itself: the later ones hold up nobody who stands before them. Two such programs would else seem to wait for each other.
 * So is a reader behind its own session's writer, unless that writer was downgraded, and then it does not wait at all.
 */
function isFirstOfItsSession(contender: Contender, seen: Set<string>): boolean {
  const id = waiterId(contender);
  const key = `${contender.kind} ${id}`;
  const isFirst = !seen.has(key) && !(contender.kind === 'read' && seen.has(`write ${id}`));
  seen.add(key);
  return isFirst;
}

/** Whether the owner of a place can still go on by itself: it waits for nobody who cannot. */
export type IsFree = (id: WaiterId) => boolean;

/**
 * Says of each place of a queue whether its wait will end, given who is free: one pass in grant order. Places that do not wait
 * are true. A session never stands in its own way here: whether its threads wait for each other nobody can see from outside.
 */
export function endingWaits(queue: WaitQueue, isFree: IsFree, onEnds: (id: WaiterId, at: number) => void): void {
  const all = new Blockers();
  const ofReaders = new Blockers();
  for (const [at, { contender, id, waits, blocksReaders, blocksAnybody }] of queue.places.entries()) {
    const blockers = contender.kind === 'read' ? ofReaders : all;
    const ends = blockers.countWithout(id) < (queue.limit ?? 1);
    if (waits && ends) onEnds(id, at);
    // Asked after `onEnds`: it may just have become free.
    if (!blocksAnybody || isFree(id)) continue;
    all.add(id);
    if (blocksReaders) ofReaders.add(id);
  }
}

class Blockers {
  private readonly counts = new Map<WaiterId, number>();
  private total = 0;

  add(id: WaiterId): void {
    this.counts.set(id, (this.counts.get(id) ?? 0) + 1);
    this.total++;
  }

  countWithout(id: WaiterId): number {
    return this.total - (this.counts.get(id) ?? 0);
  }
}
