import { traitsOf } from '../locks/libraries/registry.ts';
import type { Contender, Hazard, LockQueue } from '../locks/lockQueue.ts';
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
  queue: WaitQueue;
  blocksReaders: boolean;
  blocksOthers: boolean;
  /** Of a waiter, by the reduction of the graph: it will get the lock. */
  hasEnded: boolean;
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
  /** The places in which a session waits, the newest first. */
  waits: Map<WaiterId, WaitPlace[]>;
}

/** A contender and the identity of its queue. */
export interface TiedPlace {
  contender: Contender;
  queue: object;
}

/** Says which waits may keep a holder from its release. @returns whether the thread of `wait` may be the one that holds `held` */
export type Tie = (held: TiedPlace, wait: TiedPlace) => boolean;

/** The owner of a node as it stands in the graph. */
export function waiterId(contender: Contender): WaiterId {
  if (contender.ownerSession === 0n) return `node ${contender.path}`;
  return `session 0x${BigInt.asUintN(64, contender.ownerSession).toString(16)}`;
}

/**
 * Builds the wait-for graph of all locks given (resource-allocation graph after Holt, "Some Deadlock Properties of Computer
 * Systems", 1972). Edges are not stored: a queue of n waiters has n² of them, which follow from its order. A lock that is given
 * twice counts once. Candidates of elections are left out: no library blocks a thread for them.
 */
export function buildWaitForGraph(queues: readonly LockQueue[]): WaitForGraph {
  const graph: WaitForGraph = { queues: [], waits: new Map() };
  const seen = new Set<string>();
  for (const queue of queues) {
    const contenders = queue.contenders.filter(({ path, kind }) => kind !== 'candidate' && !seen.has(path));
    for (const { path } of contenders) seen.add(path);
    if (contenders.length > 0) graph.queues.push(waitQueue({ ...queue, contenders }));
  }
  for (const place of graph.queues.flatMap(({ places }) => places)) {
    if (place.contender.role === 'holder') continue;
    const waits = graph.waits.get(place.id);
    if (waits === undefined) graph.waits.set(place.id, [place]);
    else waits.push(place);
  }
  for (const waits of graph.waits.values()) waits.sort(newestFirst);
  return graph;
}

function newestFirst(one: WaitPlace, other: WaitPlace): number {
  return Number(other.contender.czxid - one.contender.czxid);
}

/** Which contenders of one queue can block which others, by the rule of its library. */
export interface Blocking {
  /** As of `WaitQueue`. */
  limit: number | undefined;
  blocksReaders: (contender: Contender) => boolean;
  /** Whether it blocks those that are no readers. */
  blocksOthers: (contender: Contender) => boolean;
}

/** The rule of one queue. @param contenders of the queue, without candidates */
export function blockingIn(queue: LockQueue, contenders: readonly Contender[]): Blocking {
  // Only with readers in the queue do the dialects differ in who blocks whom.
  const isShared = contenders.some(({ kind }) => kind === 'read');
  const isPlain = traitsOf(queue.dialect).waitsByKind === true && !queue.hazards.some(isMixed);
  const named = isShared && !isPlain ? namedQueue(queue, contenders) : undefined;
  const waitedFor = named?.rule.type === 'read-write' ? named.rule.readersWaitFor : undefined;
  const limit = isSemaphore(queue) ? leaseLimit(queue) : undefined;
  if (named === undefined) return { limit, blocksReaders: isNoReader, blocksOthers: () => true };
  const harmless = new Set(named.entries.filter(each => each.isNeverWaitedFor === true).map(({ name }) => name));
  return {
    limit,
    blocksReaders: contender => waitedFor?.includes(contender.kind) ?? isNoReader(contender),
    blocksOthers: ({ name }) => !harmless.has(name),
  };
}

function isNoReader({ kind }: Contender): boolean {
  return kind !== 'read';
}

/** Another library's rule may count, too. */
function isMixed({ kind }: Hazard): boolean {
  return kind === 'mixed-dialects' || kind === 'strangers-block';
}

function waitQueue(queue: LockQueue): WaitQueue {
  const { path, lockName } = queue;
  const { limit, blocksReaders, blocksOthers } = blockingIn(queue, queue.contenders);
  const lock = { path, ...(lockName === undefined ? {} : { lockName }) };
  const built: WaitQueue = { lock, limit, places: [] };
  built.places = queue.contenders.map(contender => ({
    contender,
    id: waiterId(contender),
    queue: built,
    blocksReaders: blocksReaders(contender),
    blocksOthers: blocksOthers(contender),
    hasEnded: false,
  }));
  return built;
}

/**
 * A thread that waits takes no further lock. So the thread that waits in one place can hold another only if it held that before;
 * otherwise another thread holds it and goes on. Within one queue the two are taken for two threads: most programs with
 * several threads look like that, and a thread that does it blocks itself, with or without the others.
 */
export const acrossLocks: Tie = (held, wait) => held.queue !== wait.queue && isOlder(held, wait);

/** As `acrossLocks`, and the holder of a lease may want another one of that semaphore, a reader to write before it is done. */
export const withinLocksToo: Tie = (held, wait) => {
  if (held.queue !== wait.queue) return acrossLocks(held, wait);
  const wantsMore =
    held.contender.kind === 'lease' || (held.contender.kind === 'read' && wait.contender.kind !== 'read');
  return wantsMore && isOlder(held, wait);
};

function isOlder({ contender: held }: TiedPlace, { contender: wait }: TiedPlace): boolean {
  const { earliest = held.createdAt } = held.heldSince ?? {};
  // Moments are compared only where they say more than the transactions: the clock may step when another server leads.
  return held.czxid < wait.czxid && (earliest <= held.createdAt || earliest <= wait.createdAt);
}

/** The waits of each session that have no end, the newest first. */
export type OpenWaits = ReadonlyMap<WaiterId, readonly WaitPlace[]>;

/**
 * Removes, round after round, all whose waits end: `hasEnded` says of each waiter whether it will get the lock. A place that got the
 * lock leaves. Each pass over a queue, in grant order, can free many waiters at once.
 */
export function reduce(graph: WaitForGraph, isTied: Tie): OpenWaits {
  for (const place of graph.queues.flatMap(({ places }) => places)) {
    // Who may hold already is not known to wait.
    place.hasEnded = place.contender.mayHold === true;
  }
  const open = new Map(graph.waits);
  const endSome = (): boolean => graph.queues.filter(queue => endWaits(queue, open, isTied)).length > 0;
  while (endSome()) {
    for (const [id, waits] of open) {
      const left = waits.filter(({ hasEnded }) => !hasEnded);
      if (left.length === 0) open.delete(id);
      else if (left.length < waits.length) open.set(id, left);
    }
  }
  return open;
}

function endWaits({ limit, places }: WaitQueue, open: OpenWaits, isTied: Tie): boolean {
  let changed = false;
  const all = new Blockers();
  const ofReaders = new Blockers();
  for (const place of places) {
    const { contender, id } = place;
    if (contender.role === 'waiter' && !place.hasEnded) {
      const blockers = contender.kind === 'read' ? ofReaders : all;
      place.hasEnded = limit === undefined ? blockers.countWithout(id) === 0 : blockers.total < limit;
      changed ||= place.hasEnded;
    }
    if (!place.blocksOthers || !isStuck(place, open, isTied)) continue;
    all.add(id);
    if (place.blocksReaders) ofReaders.add(id);
  }
  return changed;
}

/** Whether it waits without end, or holds and may be kept from its release by such a wait. */
function isStuck(place: WaitPlace, open: OpenWaits, isTied: Tie): boolean {
  if (place.contender.role === 'waiter') return !place.hasEnded;
  return open.get(place.id)?.some(wait => !wait.hasEnded && isTied(place, wait)) === true;
}

class Blockers {
  private readonly counts = new Map<WaiterId, number>();
  total = 0;

  add(id: WaiterId): void {
    this.counts.set(id, (this.counts.get(id) ?? 0) + 1);
    this.total++;
  }

  /** A session does not block itself: its threads take turns, or it downgrades. */
  countWithout(id: WaiterId): number {
    return this.total - (this.counts.get(id) ?? 0);
  }
}

/** What one waiter waits for: another waiter, directly or by way of a place that the other's thread holds. */
export interface StuckWait {
  wait: WaitPlace;
  next: WaitPlace;
  edge: WaitEdge;
}

/**
 * The edges between waits without end, after the reduction of the graph.
 *
 * Not all n² of a queue: each waiter gets an edge to the first stuck holder, and to every place between itself and the nearest
 * waiters of two sessions before it, whose own edges lead on to the rest. Of several places of a session with one kind the first
 * counts: the threads behind it wait for the same and more. A queue of n waiters gives about n edges.
 */
export function stuckWaits({ queues }: WaitForGraph, open: OpenWaits, isTied: Tie): StuckWait[] {
  return queues.flatMap(({ places }) => {
    const stuck = firsts(places.filter(place => isStuck(place, open, isTied)));
    const holders = stuck.filter(({ contender }) => contender.role === 'holder');
    const tied = new Map(holders.map(holder => [holder, tiedTo(holder, open, isTied)]));
    return stuck.flatMap((wait, at) => {
      if (wait.contender.role === 'holder') return [];
      const holder = holders.find(other => blocks(other, wait));
      const blockers = new Set([...(holder === undefined ? [] : [holder]), ...nearest(stuck, at)]);
      return [...blockers].flatMap(blocker => {
        const edge = edgeOf(wait, blocker);
        return (tied.get(blocker) ?? [blocker]).map(next => ({ wait, next, edge }));
      });
    });
  });
}

/** Of each session, role and kind the first. */
function firsts(places: readonly WaitPlace[]): WaitPlace[] {
  const seen = new Set<string>();
  return places.filter(({ id, contender: { kind, role } }) => {
    const key = `${role} ${kind} ${id}`;
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst;
  });
}

/** The waits without end that may keep a holder from its release: of each queue and kind the oldest. */
function tiedTo(held: WaitPlace, open: OpenWaits, isTied: Tie): WaitPlace[] {
  const waits = open.get(held.id)?.filter(wait => isTied(held, wait)) ?? [];
  const byQueue = [...Map.groupBy(waits, ({ queue }) => queue).values()];
  return byQueue.flatMap(inQueue => firsts(inQueue.reverse()));
}

function edgeOf({ id, contender, queue }: WaitPlace, blocker: WaitPlace): WaitEdge {
  return { from: id, to: blocker.id, lock: queue.lock, waiter: contender, blocker: blocker.contender };
}

/** Walks back from a waiter to the nearest ones of two sessions that lead on to all the rest, each except to its own session. */
function nearest(stuck: readonly WaitPlace[], index: number): WaitPlace[] {
  const found: WaitPlace[] = [];
  const waiter = stuck[index];
  const leading = new Set<WaiterId>();
  for (let before = index - 1; waiter !== undefined && before >= 0 && leading.size < 2; before--) {
    const other = stuck[before];
    if (other === undefined || leading.has(other.id) || !blocks(other, waiter)) continue;
    found.push(other);
    if (leadsOn(other, waiter)) leading.add(other.id);
  }
  return found;
}

function blocks(blocker: WaitPlace, waiter: WaitPlace): boolean {
  if (blocker.id === waiter.id) return false;
  return waiter.contender.kind === 'read' ? blocker.blocksReaders : blocker.blocksOthers;
}

/** Whether `before` waits for everything that `waiter` waits for: a reader does not wait for readers before it. */
function leadsOn(before: WaitPlace, waiter: WaitPlace): boolean {
  if (before.contender.role === 'holder') return false;
  return before.contender.kind !== 'read' || waiter.contender.kind === 'read';
}
