import type { Hold, Wait } from '../history/hold.ts';
import type { LockHistory, LockName, Present } from '../history/lockHistory.ts';

/** What a history has of the locks of one path. */
interface OfPath {
  holds: Hold[];
  waits: Wait[];
  lockNames: Set<string>;
}

/**
 * The holds and waits of a history by the path of their lock. They are sorted out when they are asked for, and kept until the history
 * changes, so that one question for each of many locks does not go through all holds each time.
 */
export class HistoryByPath {
  private readonly history: LockHistory;
  /** Those that the history had forgotten when they ended: they were open for long. */
  private readonly late: { holds: Hold[]; waits: Wait[] } = { holds: [], waits: [] };
  private sorted: ReadonlyMap<string, OfPath> | undefined;

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
    if (hold !== undefined && !holds.has(hold)) add(this.late.holds, hold);
    if (wait !== undefined && !waits.has(wait)) add(this.late.waits, wait);
  }

  /** All that are kept or open, by their begins. */
  allHolds(): Hold[] {
    const { holds, present } = this.history;
    const open = Array.from(present.values(), ({ hold }) => hold);
    return [...older(this.late.holds, open, holds), ...holds];
  }

  /** All that are kept or open. */
  allWaits(): Wait[] {
    const { waits, present } = this.history;
    const open = Array.from(present.values(), ({ wait }) => wait);
    return [...older(this.late.waits, open, waits), ...waits];
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

  private all(): ReadonlyMap<string, OfPath> {
    this.sorted ??= sortedOut(this.allHolds(), this.allWaits());
    return this.sorted;
  }
}

/** So many are kept that were forgotten while they were open. */
const mostLate = 1_000;

function add<T>(late: T[], one: T): void {
  late.push(one);
  if (late.length > mostLate) late.shift();
}

/** Those that a history has forgotten, by the creation of their nodes. */
function older<T extends Hold | Wait>(late: readonly T[], open: readonly (T | undefined)[], kept: ReadonlySet<T>): T[] {
  const forgotten = open.filter(one => one !== undefined && !kept.has(one)) as T[];
  return [...late, ...forgotten].sort((a, b) => (a.queued.zxid < b.queued.zxid ? -1 : 1));
}

function sortedOut(holds: readonly Hold[], waits: readonly Wait[]): Map<string, OfPath> {
  const sorted = new Map<string, OfPath>();
  const at = ({ path, lockName = '' }: LockName): OfPath => {
    let found = sorted.get(path);
    if (found === undefined) sorted.set(path, (found = { holds: [], waits: [], lockNames: new Set() }));
    found.lockNames.add(lockName);
    return found;
  };
  for (const hold of holds) at(hold).holds.push(hold);
  for (const wait of waits) at(wait).waits.push(wait);
  return sorted;
}
