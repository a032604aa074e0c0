import { isCuratorMutexName } from '../locks/libraries/curator.ts';
import type { Contender, Hazard, LockQueue } from '../locks/lockQueue.ts';
import { withHolders, type WaitWatches } from './waitWatches.ts';

/**
 * The queue as the watches of its sessions show it, where names leave open who holds:
 *
 * - Curator's InterProcessSemaphore has the names of a mutex. With a limit of n the first n watch nothing, and each other one watches
 *   the node n places before its own. If the watches fit no limit, it is said that it is unknown.
 * - kazoo counts go-zookeeper's contenders only where its program says so: who watches one of them does.
 *
 * @param watches undefined: the queue is returned as it is
 */
export function queueByWatches(queue: LockQueue, watches: WaitWatches | undefined): LockQueue {
  if (watches === undefined) return queue;
  return isCuratorMutex(queue) ? withLimit(queue, watches) : withSight(queue, watches);
}

/** Whether more than one may hold though the names are those of a mutex. */
function isCuratorMutex({ dialect, contenders }: LockQueue): boolean {
  return dialect === 'curator' && contenders.length > 1 && contenders.every(({ name }) => isCuratorMutexName(name));
}

function withLimit(queue: LockQueue, watches: WaitWatches): LockQueue {
  const places = new Places(queue.contenders, watches);
  const limit = places.limit();
  if (limit === 1) return queue;
  if (limit === undefined) return places.mayAllHold ? withUnknownLimit(queue) : queue;
  const contenders = queue.contenders.map((contender, at) => leaseOf(contender, places.waitsFor(at, limit)));
  return { ...queue, maxLeases: limit, contenders };
}

function leaseOf(contender: Contender, waitsFor: Contender | undefined): Contender {
  const lease: Contender = { ...contender, kind: 'lease', role: waitsFor === undefined ? 'holder' : 'waiter' };
  delete lease.waitsFor;
  delete lease.heldSince;
  if (waitsFor !== undefined) lease.waitsFor = waitsFor.name;
  else lease.heldSince = { earliest: contender.createdAt };
  return lease;
}

function withUnknownLimit(queue: LockQueue): LockQueue {
  const [head, ...others] = queue.contenders;
  if (head === undefined) return queue;
  const doubtful = others.map((contender): Contender => ({ ...contender, mayHold: true }));
  const unknown: Hazard = { kind: 'limit-unknown', names: others.map(({ name }) => name) };
  return { ...queue, contenders: [head, ...doubtful], hazards: [...queue.hazards, unknown] };
}

/** Which places of a queue the sessions of its contenders watch. */
class Places {
  private readonly contenders: readonly Contender[];
  private readonly watches: WaitWatches;
  /** By session; a revocable owner watches its own place. */
  private readonly watched = new Map<bigint, ReadonlySet<number>>();
  private readonly counts = new Map<bigint, number>();

  constructor(contenders: readonly Contender[], watches: WaitWatches) {
    this.contenders = contenders;
    this.watches = watches;
    const placeOf = new Map(contenders.map(({ path }, at) => [path, at]));
    for (const contender of contenders) {
      const { ownerSession } = contender;
      this.counts.set(ownerSession, (this.counts.get(ownerSession) ?? 0) + 1);
      if (this.watched.has(ownerSession)) continue;
      const places = watches.watchedBy(contender).flatMap(path => placeOf.get(path) ?? []);
      this.watched.set(ownerSession, new Set(places));
    }
  }

  /** Whether no contender waits by its watches, and all had the time to set one. */
  get mayAllHold(): boolean {
    return this.contenders.every(contender => this.watches.watchesNothing(contender));
  }

  /**
   * The least limit that fits all watches; one that left its node behind, or waits to set its watch, watches nothing.
   *
   * @returns undefined if none fits
   */
  limit(): number | undefined {
    return this.fitting(at => this.isSettled(at)) ?? this.fitting(at => this.watchesBefore(at).length > 0);
  }

  /** @param mustWatch whether the contender at a place watches another if it waits */
  private fitting(mustWatch: (at: number) => boolean): number | undefined {
    for (let limit = 1; limit < this.contenders.length; limit++) {
      let watching = 0;
      const fits = this.contenders.every((contender, at) => {
        if (at < limit) return true;
        const watches = this.placesOf(contender).has(at - limit);
        if (watches) watching++;
        return watches || !mustWatch(at);
      });
      if (fits && watching > 0) return limit;
    }
    return undefined;
  }

  /**
   * @returns the contender that the one at a place waits for; undefined: it holds. A waiter whose turn came with the release of
   *   another than the one that it watches goes on to wait
   */
  waitsFor(at: number, limit: number): Contender | undefined {
    if (at >= limit) return this.contenders[at - limit];
    const [watched] = this.watchesBefore(at);
    return watched === undefined ? undefined : this.contenders[watched];
  }

  /** Of a session with several nodes it is not known which of them the watch is for. */
  private watchesBefore(at: number): number[] {
    const contender = this.contenders[at];
    if (contender === undefined || this.counts.get(contender.ownerSession) !== 1) return [];
    return [...this.placesOf(contender)].filter(place => place < at);
  }

  private isSettled(at: number): boolean {
    const contender = this.contenders[at];
    return contender !== undefined && this.watches.isSettled(contender);
  }

  private placesOf({ ownerSession }: Contender): ReadonlySet<number> {
    return this.watched.get(ownerSession) ?? none;
  }
}

const none: ReadonlySet<number> = new Set();

/** Decides for the contenders of kazoo that may not count those of go-zookeeper. */
function withSight(queue: LockQueue, watches: WaitWatches): LockQueue {
  const doubtful = new Set(queue.hazards.filter(({ kind }) => kind === 'sight-unknown').flatMap(({ names }) => names));
  if (doubtful.size === 0) return queue;
  const nodes = new Set(queue.contenders.map(({ path }) => path));
  const all = queue.contenders.filter(({ name }) => doubtful.has(name));
  const holding = all.filter(contender => watches.watchesNothing(contender));
  const waiting = all.filter(each => watches.watchedBy(each).some(path => path !== each.path && nodes.has(path)));
  for (const { name } of [...holding, ...waiting]) doubtful.delete(name);
  const sure = new Set(waiting);
  const contenders = queue.contenders.map(each => (sure.has(each) ? surely(each) : each));
  const hazards = queue.hazards.flatMap((each): Hazard[] => {
    if (each.kind !== 'sight-unknown') return [each];
    return doubtful.size === 0 ? [] : [{ ...each, names: [...doubtful] }];
  });
  if (holding.length > 0) hazards.push({ kind: 'mixed-dialects', names: holding.map(({ name }) => name) });
  return withHolders({ ...queue, contenders, hazards }, holding);
}

function surely(waiter: Contender): Contender {
  const sure = { ...waiter };
  delete sure.mayHold;
  return sure;
}
