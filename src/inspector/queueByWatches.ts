import { isCuratorMutexName } from '../locks/libraries/curator.ts';
import type { Contender, Hazard, LockQueue } from '../locks/lockQueue.ts';
import { withHolders, type WaitWatches } from './waitWatches.ts';

/**
 * The queue as the watches of its sessions show it, where names leave open who holds:
 *
 * - Curator's InterProcessSemaphore has the names of a mutex. With a limit of n the first n watch nothing, and each other one watches
 *   the node n places before its own (`Places`). If the watches show no limit, it is said that it is unknown.
 * - kazoo counts go-zookeeper's contenders only where its program says so: who watches one of them does, who watches one of kazoo in
 *   front of them does not.
 *
 * @param watches undefined: the queue is returned as it is
 */
export function queueByWatches(queue: LockQueue, watches: WaitWatches | undefined): LockQueue {
  if (watches === undefined) return queue;
  return isCuratorMutex(queue) ? withLimit(queue, watches) : withSight(queue, watches);
}

/** Whether the queue may be one of Curator's InterProcessSemaphore for all that is known. */
export function mayBeSemaphore(queue: LockQueue, watches: WaitWatches | undefined): boolean {
  return watches === undefined && isCuratorMutex(queue);
}

/** Whether more than one may hold though the names are those of a mutex. */
function isCuratorMutex({ dialect, contenders }: LockQueue): boolean {
  return dialect === 'curator' && contenders.length > 1 && contenders.every(({ name }) => isCuratorMutexName(name));
}

function withLimit(queue: LockQueue, watches: WaitWatches): LockQueue {
  const places = new Places(queue.contenders, watches);
  if (places.isUnwatched) return places.mayAllHold ? withUnknownLimit(queue, places) : queue;
  const limits = places.limits();
  if (limits === undefined) return withUnknownLimit(queue, places);
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

/** The head holds; others that do not certainly wait, may hold. */
function withUnknownLimit(queue: LockQueue, places: Places): LockQueue {
  const doubtful = queue.contenders.filter((_, at) => at > 0 && places.mayHold(at));
  const inDoubt = new Set(doubtful);
  const contenders = queue.contenders.map(each => (inDoubt.has(each) ? { ...each, mayHold: true as const } : each));
  const unknown: Hazard = { kind: 'limit-unknown', names: doubtful.map(({ name }) => name) };
  return { ...queue, contenders, hazards: doubtful.length === 0 ? queue.hazards : [...queue.hazards, unknown] };
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

  /** Whether the contender at a place is not known to wait: it watches nothing, or the watches may be those of other threads. */
  mayHold(at: number): boolean {
    const contender = this.contenders[at];
    if (contender === undefined) return false;
    const isAlone = this.ofSession.get(contender.ownerSession)?.length === 1;
    return !isAlone || this.watches.watchesNothing(contender);
  }

  /**
   * Of a session with several places it is not known which of them a watch is for, nor whether its thread still waits: then only a
   * mutex can be proven.
   *
   * @returns undefined if the watches show no limit
   */
  limits(): Limits | undefined {
    if (this.hasThreads) return this.isMutex && this.isProvenMutex ? mutex : undefined;
    const least = Math.max(...this.waits.map(({ watched, own: [at = 0] }) => at - watched));
    const most = Math.min(...this.waits.map(wait => this.mostOf(wait)));
    // A mutex with a node that was left behind, or a semaphore of which one between the second holder and the next waiter has left.
    if (this.isMutex && most > 1) return this.waits.length === this.contenders.length - 1 ? mutex : undefined;
    return least <= most ? { least, most } : undefined;
  }

  /** Where only one place of the session stands behind the one that it watches, the limit is at most the distance of the numbers. */
  private mostOf({ watched, own: [at = 0, ...others] }: Wait): number {
    return others.length > 0 ? Infinity : this.numberAt(at) - this.numberAt(watched);
  }

  private get isProvenMutex(): boolean {
    return this.waits.some(wait => this.mostOf(wait) === 1);
  }

  private get hasThreads(): boolean {
    return this.ofSession.size < this.contenders.length;
  }

  /** Whether all that wait watch the place before their own. */
  private get isMutex(): boolean {
    return this.waits.every(({ watched, own }) => own.includes(watched + 1));
  }

  /** What the contender at a place does: holds, waits for another, or waits though nothing will wake it. */
  standing(at: number, { least, most }: Limits): Contender | 'holds' | 'waits' {
    // Of several watches, the last one was set last.
    const watched = Math.max(-1, ...this.waits.filter(({ own: [place] }) => place === at).map(wait => wait.watched));
    const contender = this.contenders[at];
    const bound = contender !== undefined && this.watches.isSettled(contender) ? most : least;
    return this.contenders[watched] ?? (at < bound ? 'holds' : 'waits');
  }

  private numberAt(at: number): number {
    return this.contenders[at]?.sequence ?? 0;
  }
}

const kazooName = /__r?lock__-?\d+$/;

/** Decides for the contenders of kazoo that may not count those of go-zookeeper. */
function withSight(queue: LockQueue, watches: WaitWatches): LockQueue {
  if (!isKazooBesideOthers(queue)) return queue;
  const doubtful = new Set(queue.hazards.filter(({ kind }) => kind === 'sight-unknown').flatMap(({ names }) => names));
  const nodes = new Set(queue.contenders.map(({ path }) => path));
  const all = queue.contenders.filter(({ name }) => doubtful.has(name));
  const holding = all.filter(contender => watches.watchesNothing(contender));
  const waiting = all.filter(each => watches.watchedBy(each).some(path => path !== each.path && nodes.has(path)));
  for (const { name } of [...holding, ...waiting]) doubtful.delete(name);
  const sure = new Set(waiting);
  const blind = new Map(queue.contenders.map(each => [each, ownWait(queue, each, watches)]));
  const contenders = queue.contenders.map(each => {
    const waitsFor = blind.get(each)?.name;
    if (waitsFor !== undefined) return { ...surely(each), waitsFor };
    return sure.has(each) ? surely(each) : each;
  });
  const hazards = queue.hazards.flatMap((each): Hazard[] => {
    if (each.kind !== 'sight-unknown') return [each];
    return doubtful.size === 0 ? [] : [{ ...each, names: [...doubtful] }];
  });
  const unseeing = queue.contenders.filter(each => holding.includes(each) || blind.get(each) !== undefined);
  if (unseeing.length > 0) hazards.push({ kind: 'mixed-dialects', names: unseeing.map(({ name }) => name) });
  return withHolders({ ...queue, contenders, hazards }, holding);
}

function isKazooBesideOthers({ contenders }: LockQueue): boolean {
  return contenders.some(({ name }) => kazooName.test(name)) && contenders.some(({ name }) => !kazooName.test(name));
}

/** @returns the contender of kazoo that one of kazoo waits for, by its watch, though others stand between the two */
function ownWait(
  { contenders }: LockQueue,
  { name, path, ownerSession, waitsFor }: Contender,
  watches: WaitWatches,
): Contender | undefined {
  if (waitsFor === undefined || !kazooName.test(name)) return undefined;
  if (contenders.some(each => each.ownerSession === ownerSession && each.path !== path)) return undefined;
  const watched = new Set(watches.watchedBy({ path, ownerSession }));
  const before = contenders
    .slice(
      0,
      contenders.findIndex(each => each.path === path),
    )
    .findLast(each => watched.has(each.path));
  return before !== undefined && before.name !== waitsFor && kazooName.test(before.name) ? before : undefined;
}

function surely(waiter: Contender): Contender {
  const sure = { ...waiter };
  delete sure.mayHold;
  return sure;
}
