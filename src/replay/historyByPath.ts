import type { Hold, Wait } from '../history/hold.ts';
import type { LockHistory, LockName } from '../history/lockHistory.ts';

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
  private sorted: ReadonlyMap<string, OfPath> | undefined;

  constructor(history: LockHistory) {
    this.history = history;
  }

  /** The history has changed. */
  forget(): void {
    this.sorted = undefined;
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
    this.sorted ??= sortedOut(this.history);
    return this.sorted;
  }
}

function sortedOut({ holds, waits }: LockHistory): Map<string, OfPath> {
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
