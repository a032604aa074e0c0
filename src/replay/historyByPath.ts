import { atOnce, forEachInParts, type Interruptible } from '../base/interruptible.ts';
import type { Hold, Wait } from '../history/hold.ts';
import type { KeptPlaces, LockHistory, LockName, Present } from '../history/lockHistory.ts';

/** What a history has of the locks of one path. */
interface OfPath {
  holds: Hold[];
  waits: Wait[];
  lockNames: Set<string>;
}

/**
 * The holds and waits of a history by the path of their lock. They are sorted out when they are asked for, or before, and kept until the
 * history changes, so that one question for each of many locks does not go through all holds each time.
 */
export class HistoryByPath {
  private readonly history: LockHistory;
  /** Those that the history had forgotten when they ended: they were open for long. */
  private readonly late: { holds: Hold[]; waits: Wait[] } = { holds: [], waits: [] };
  private sorted: Map<string, OfPath> | undefined;

  constructor(history: LockHistory) {
    this.history = history;
  }

  /** The history has changed. */
  forget(): void {
    this.sorted = undefined;
  }

  /** A contender has ended. */
  noteEnd({ hold, wait }: Present): void {
    const { holds, waits } = this.history;
    if (hold !== undefined && isForgotten(hold, holds)) add(this.late.holds, hold);
    if (wait !== undefined && isForgotten(wait, waits)) add(this.late.waits, wait);
  }

  /** All that are kept or open, by their begins. */
  allHolds(): Hold[] {
    const { holds, present } = this.history;
    const open = Array.from(present.values(), ({ hold }) => hold);
    return older(this.late.holds, open, holds).concat(holds.values());
  }

  /** All that are kept or open. */
  allWaits(): Wait[] {
    const { waits, present } = this.history;
    const open = Array.from(present.values(), ({ wait }) => wait);
    return older(this.late.waits, open, waits).concat(waits.values());
  }

  /** By their begins. */
  holds(path: string): Hold[] {
    return [...(this.all().get(path)?.holds ?? [])];
  }

  /** As `LockHistory.waits`. */
  waits(path: string): Wait[] {
    return [...(this.all().get(path)?.waits ?? [])];
  }

  /** Whether a lock has holds or waits. */
  has({ path, lockName = '' }: LockName): boolean {
    return this.all().get(path)?.lockNames.has(lockName) === true;
  }

  /** Sorts them out, so that the first question takes no longer than the others. The history must not change before that ends. */
  *preparing(): Interruptible<Map<string, OfPath>> {
    this.sorted ??= yield* sortedOut(this.allHolds(), this.allWaits());
    return this.sorted;
  }

  private all(): ReadonlyMap<string, OfPath> {
    return this.sorted ?? atOnce(this.preparing());
  }
}

/** So many are kept that were forgotten while they were open. */
const mostLate = 1_000;

function add<T>(late: T[], one: T): void {
  late.push(one);
  if (late.length > mostLate) late.shift();
}

/** A history forgets the oldest. */
function isForgotten<T>(place: T, kept: KeptPlaces<T>): boolean {
  return kept.wasShifted && !kept.has(place);
}

/** Those that a history has forgotten, by the creation of their nodes. */
function older<T extends Hold | Wait>(late: readonly T[], open: readonly (T | undefined)[], kept: KeptPlaces<T>): T[] {
  const forgotten = kept.wasShifted ? (open.filter(one => one !== undefined && isForgotten(one, kept)) as T[]) : [];
  return [...late, ...forgotten].sort((a, b) => (a.queued.zxid < b.queued.zxid ? -1 : 1));
}

function* sortedOut(holds: readonly Hold[], waits: readonly Wait[]): Interruptible<Map<string, OfPath>> {
  const sorted = new Map<string, OfPath>();
  const at = ({ path, lockName = '' }: LockName): OfPath => {
    let found = sorted.get(path);
    if (found === undefined) sorted.set(path, (found = { holds: [], waits: [], lockNames: new Set() }));
    found.lockNames.add(lockName);
    return found;
  };
  yield* forEachInParts(holds, hold => at(hold).holds.push(hold));
  yield* forEachInParts(waits, wait => at(wait).waits.push(wait));
  return sorted;
}
