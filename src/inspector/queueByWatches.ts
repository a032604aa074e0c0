import { isCuratorMutexName } from '../locks/libraries/curator.ts';
import type { Contender, Hazard, LockQueue } from '../locks/lockQueue.ts';
import { withHolders, type WaitWatches } from './waitWatches.ts';

/**
 * The queue as the watches of its sessions show it, where names leave open who holds:
 *
 * - Curator's InterProcessSemaphore has the names of a mutex. With a limit of n the first n watch nothing, and each other one watches
 *   the node n places before its own (`Places`). If the watches show no limit, it is said that it is unknown.
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
  if (places.isUnwatched) return places.mayAllHold ? withUnknownLimit(queue) : queue;
  const limits = places.limits();
  if (limits === undefined) return withUnknownLimit(queue);
  if (limits.most === 1) return queue;
  const contenders = queue.contenders.map((contender, at) => leaseOf(contender, places.standing(at, limits)));
  return { ...queue, ...(limits.least === limits.most ? { maxLeases: limits.least } : {}), contenders };
}

function leaseOf(contender: Contender, standing: Contender | 'holds' | 'waits'): Contender {
  const lease: Contender = { ...contender, kind: 'lease', role: standing === 'holds' ? 'holder' : 'waiter' };
  delete lease.waitsFor;
  delete lease.heldSince;
  if (standing === 'holds') lease.heldSince = { earliest: contender.createdAt };
  else if (standing !== 'waits') lease.waitsFor = standing.name;
  return lease;
}

function withUnknownLimit(queue: LockQueue): LockQueue {
  const [head, ...others] = queue.contenders;
  if (head === undefined) return queue;
  const doubtful = others.map((contender): Contender => ({ ...contender, mayHold: true }));
  const unknown: Hazard = { kind: 'limit-unknown', names: others.map(({ name }) => name) };
  return { ...queue, contenders: [head, ...doubtful], hazards: [...queue.hazards, unknown] };
}

/** How many may hold at once, at least and at most. */
interface Limits {
  least: number;
  most: number;
}

const mutex: Limits = { least: 1, most: 1 };

/** A session watches the node at a place; it waits with one of its own places behind that. */
interface Wait {
  watched: number;
  own: readonly number[];
}

/**
 * The places of a queue, and which of them are watched from which. A contender that finds the limit of n before it watches the node n
 * places ahead. When another between the two leaves, the distance shrinks, and the contender goes on to wait though its turn has come:
 * the release woke who watched that node. So the limit is no less than any distance now, and no more than the distance of the numbers,
 * which those that left have too.
 */
class Places {
  private readonly contenders: readonly Contender[];
  private readonly watches: WaitWatches;
  private readonly ofSession: ReadonlyMap<bigint, readonly number[]>;
  private readonly waits: readonly Wait[];

  constructor(contenders: readonly Contender[], watches: WaitWatches) {
    this.contenders = contenders;
    this.watches = watches;
    this.ofSession = Map.groupBy(contenders.keys(), at => contenders[at]?.ownerSession ?? 0n);
    const placeOf = new Map(contenders.map(({ path }, at) => [path, at]));
    this.waits = [...this.ofSession.values()].flatMap(own => {
      const first = contenders[own[0] ?? -1];
      const watched = first === undefined ? [] : watches.watchedBy(first).flatMap(path => placeOf.get(path) ?? []);
      // A revocable owner watches its own node.
      return watched.map(place => ({ watched: place, own: own.filter(at => at > place) }));
    }).filter(({ own }) => own.length > 0); // prettier-ignore
  }

  /** Whether no contender waits by its watches. */
  get isUnwatched(): boolean {
    return this.waits.length === 0;
  }

  /** Whether all had the time to set a watch, and none did. */
  get mayAllHold(): boolean {
    return this.contenders.every(contender => this.watches.watchesNothing(contender));
  }

  /** @returns undefined if no limit fits the watches */
  limits(): Limits | undefined {
    if (this.hasThreads) return this.limitOfThreads() ?? (this.isMutex ? mutex : undefined);
    if (this.isMutex) return mutex;
    const least = Math.max(...this.waits.map(({ watched, own: [at = 0] }) => at - watched));
    const most = Math.min(
      ...this.waits.map(({ watched, own: [at = 0] }) => this.numberAt(at) - this.numberAt(watched)),
    );
    return least <= most ? { least, most } : undefined;
  }

  private get hasThreads(): boolean {
    return this.ofSession.size < this.contenders.length;
  }

  /** Whether all that wait watch the place before their own. */
  private get isMutex(): boolean {
    return this.waits.every(({ watched, own }) => own.includes(watched + 1));
  }

  /** Of a session with several places it is not known which of them a watch is for: the limit by which each that waits has its watch. */
  private limitOfThreads(): Limits | undefined {
    const watched = this.contenders.map(() => new Set<number>());
    for (const wait of this.waits) for (const at of wait.own) watched[at]?.add(wait.watched);
    for (let limit = 1; limit < this.contenders.length; limit++) {
      if (watched.slice(limit).every((places, at) => places.has(at))) return { least: limit, most: limit };
    }
    return undefined;
  }

  /** What the contender at a place does: holds, waits for another, or waits though nothing will wake it. */
  standing(at: number, { least, most }: Limits): Contender | 'holds' | 'waits' {
    const own = this.waits.filter(wait => wait.own.includes(at)).map(({ watched }) => watched);
    // Of several, the last one was set last.
    const watched = this.hasThreads ? at - least : Math.max(-1, ...own);
    const contender = this.contenders[at];
    const bound = contender !== undefined && this.watches.isSettled(contender) ? most : least;
    return this.contenders[watched] ?? (at < bound ? 'holds' : 'waits');
  }

  private numberAt(at: number): number {
    return this.contenders[at]?.sequence ?? 0;
  }
}

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
