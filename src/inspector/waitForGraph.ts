import type { Contender, LockQueue } from '../locks/lockQueue.ts';
import { isSemaphore, leaseLimit, namedQueue } from './turnsWithout.ts';

/** One who waits: `session 0x…`, or `node /path` for a contender that no session owns. */
export type WaiterId = string;

/** One contender waits for another of the same lock. Both ends are sessions; the contenders say where. */
export interface WaitEdge {
  from: WaiterId;
  to: WaiterId;
  lock: { path: string; lockName?: string };
  waiter: Contender;
  blocker: Contender;
}

/** A contender in its queue, and which waiters it can block. */
export interface WaitPlace {
  contender: Contender;
  id: WaiterId;
  /** Whether its session is blocked here: it waits, and its session is not in the queue before it for the same or for more. */
  waits: boolean;
  blocksReaders: boolean;
  blocksOthers: boolean;
}

/**
 * One lock as a resource. `limit` undefined: a waiter needs *all* that block it to leave (mutex, read/write). A number: so many
 * may hold at once, and a waiter needs *enough* of those before it to leave (semaphore).
 */
export interface WaitQueue {
  lock: { path: string; lockName?: string };
  limit: number | undefined;
  places: WaitPlace[];
}

/** All queues, and who waits in them. */
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
 * Systems", 1972). Edges are not stored: a queue of n waiters has n² of them, which follow from its order. A lock that is given
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
  // Only with readers in the queue do the dialects differ in who blocks whom.
  const isShared = queue.contenders.some(({ kind }) => kind === 'read');
  const named = isShared ? namedQueue(queue, queue.contenders) : undefined;
  const waitedFor = named?.rule.type === 'read-write' ? named.rule.readersWaitFor : undefined;
  const harmless = new Set(named?.entries.filter(each => each.isNeverWaitedFor === true).map(({ name }) => name));
  const seen = new Set<string>();
  return queue.contenders.map(contender => ({
    contender,
    id: waiterId(contender),
    waits: isFirstOfItsSession(contender, seen) && contender.role === 'waiter',
    blocksReaders: waitedFor?.includes(contender.kind) ?? contender.kind !== 'read',
    blocksOthers: !harmless.has(contender.name),
  }));
}

/**
 * A session that is in a queue several times for the same is a program with several threads, each of which wants the lock for
 * itself: a later thread does not block what an earlier one does. Otherwise two such programs would seem to wait for each other.
 * The same holds for a reader behind the writer of its own session; if that writer was downgraded, the reader does not wait.
 */
function isFirstOfItsSession(contender: Contender, seen: Set<string>): boolean {
  const id = waiterId(contender);
  const key = `${contender.kind} ${id}`;
  const isFirst = !seen.has(key) && !(contender.kind === 'read' && seen.has(`write ${id}`));
  seen.add(key);
  return isFirst;
}

/**
 * Calls `onEnds` for each place whose wait will end, given which owners are free (all their waits end): one pass in grant order. A session never blocks itself
 * here: whether its threads wait for each other cannot be seen from outside.
 */
export function endingWaits(
  queue: WaitQueue,
  isFree: (id: WaiterId) => boolean,
  onEnds: (id: WaiterId, at: number) => void,
): void {
  const all = new Blockers();
  const ofReaders = new Blockers();
  for (const [at, { contender, id, waits, blocksReaders, blocksOthers }] of queue.places.entries()) {
    const blockers = contender.kind === 'read' ? ofReaders : all;
    const ends = blockers.countWithout(id) < (queue.limit ?? 1);
    if (waits && ends) onEnds(id, at);
    // After `onEnds`: it may just have become free.
    if (!blocksOthers || isFree(id)) continue;
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

/**
 * The edges of a queue among the blocked: from each wait without end to the blocked places before it.
 *
 * Not all n² of them: each waiter gets an edge to the first blocked holder, and to every place between itself and the nearest
 * waiter before it whose own edges lead on to the rest. Reachability is the same as with all edges, and a queue of n waiters
 * gives about n edges.
 *
 * @param isBlocked after the reduction of the graph
 * @param ends whether the wait of the place at this index ends
 */
export function blockedEdges(
  queue: WaitQueue,
  isBlocked: (id: WaiterId) => boolean,
  ends: (at: number) => boolean,
): WaitEdge[] {
  const edges: WaitEdge[] = [];
  const blocked = [...queue.places.entries()]
    .filter(([, { id }]) => isBlocked(id))
    .map(([at, place]) => ({ at, place }));
  const holders = blocked.filter(({ place }) => place.contender.role === 'holder');
  for (const [index, { at, place }] of blocked.entries()) {
    if (!place.waits || ends(at)) continue;
    const holder = holders.find(other => other.at < at && blocks(other.place, place))?.place;
    const blockers = new Set(holder === undefined ? [] : [holder]);
    for (const before of nearest(blocked, index, ends)) blockers.add(before);
    for (const { id, contender } of blockers) {
      edges.push({ from: place.id, to: id, lock: queue.lock, waiter: place.contender, blocker: contender });
    }
  }
  return edges;
}

interface Indexed {
  at: number;
  place: WaitPlace;
}

/** Walks back from a waiter to the nearest one that leads on to all the rest. */
function nearest(blocked: readonly Indexed[], index: number, ends: (at: number) => boolean): WaitPlace[] {
  const found: WaitPlace[] = [];
  const waiter = blocked[index]?.place;
  if (waiter === undefined) return found;
  for (let before = index - 1; before >= 0; before--) {
    const other = blocked[before];
    if (other === undefined || !blocks(other.place, waiter)) continue;
    found.push(other.place);
    if (leadsOn(other.place, waiter) && !ends(other.at)) break;
  }
  return found;
}

function blocks(blocker: WaitPlace, waiter: WaitPlace): boolean {
  if (blocker.id === waiter.id) return false;
  return waiter.contender.kind === 'read' ? blocker.blocksReaders : blocker.blocksOthers;
}

/** Whether `before` waits for everything that `waiter` waits for: a reader does not wait for readers before it. */
function leadsOn(before: WaitPlace, waiter: WaitPlace): boolean {
  if (!before.waits) return false;
  return before.contender.kind !== 'read' || waiter.contender.kind === 'read';
}
