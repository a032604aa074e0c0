import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { requireDeletable } from './deleteGuards.ts';
import type { StaleFinding } from './findStale.ts';
import { deleteContender, type DeleteOptions, type DeleteReport, type DeleteTarget } from './forceDelete.ts';
import { RefusedDelete } from './refusedDelete.ts';

/** More than a person can look through is not deleted at once. */
export const maxStaleDeletes = 100;

/** One line of the list that a person chooses from. */
export interface PlannedDelete {
  finding: StaleFinding;
  target: DeleteTarget;
  /** Nothing that lives, or that a normal program could have left like this, is chosen beforehand. */
  isPreselected: boolean;
}

/** What can be offered for deleting, and why some of it is left out. */
export interface StalePlan {
  planned: PlannedDelete[];
  /** Findings beyond the limit. */
  leftOut: number;
  /** Findings whose path is guarded. */
  guarded: StaleFinding[];
}

/** What happened to one node. `refused`: by our rules or the server's. `failed`: the connection, or an answer nobody expects. */
export type StaleDeleteReport =
  | ({ target: DeleteTarget } & DeleteReport)
  | { target: DeleteTarget; path: string; outcome: 'refused'; error: RefusedDelete }
  | { target: DeleteTarget; path: string; outcome: 'failed'; error: unknown }
  | { target: DeleteTarget; path: string; outcome: 'cancelled' };

/** @param findings the most certain first, as `findStale` gives them */
export function planStaleDeletes(findings: readonly StaleFinding[], options: DeleteOptions = {}): StalePlan {
  const guarded: StaleFinding[] = [];
  const planned: PlannedDelete[] = [];
  for (const finding of findings) {
    const { path, czxid, ownerSession } = finding.contender;
    if (isGuarded(path, options)) guarded.push(finding);
    else planned.push({ finding, target: { path, czxid, ownerSession }, isPreselected: isSafe(finding) });
  }
  return {
    planned: planned.slice(0, maxStaleDeletes),
    leftOut: Math.max(0, planned.length - maxStaleDeletes),
    guarded,
  };
}

function isSafe({ confidence, owner }: StaleFinding): boolean {
  return confidence !== 'possible' && (owner.alive === 'no' || owner.alive === 'no-owner');
}

function isGuarded(path: string, options: DeleteOptions): boolean {
  try {
    requireDeletable(path, options);
    return false;
  } catch (error) {
    if (error instanceof RefusedDelete) return true;
    throw error;
  }
}

/**
 * Deletes stale nodes one after the other, each by the guarded path of `forceDelete`. One that is refused or fails does not stop
 * the others. Cancelling takes effect between two deletes: what is under way is finished and reported.
 *
 * @param options.onEach hears of each node as soon as its outcome is known
 * @returns one report per target, in the same order
 * @throws RefusedDelete `too-many` above 100 targets; nothing is deleted then
 */
export async function deleteStale(
  client: ZooKeeperClient,
  targets: readonly DeleteTarget[],
  options: DeleteOptions & { onEach?: (report: StaleDeleteReport, done: number) => void } = {},
): Promise<StaleDeleteReport[]> {
  const tooMany = targets[maxStaleDeletes];
  if (tooMany !== undefined) throw new RefusedDelete('too-many', tooMany.path);
  const { onEach, signal, ...rest } = options;
  const reports: StaleDeleteReport[] = [];
  for (const target of targets) {
    const report: StaleDeleteReport =
      signal?.aborted === true
        ? { target, path: target.path, outcome: 'cancelled' }
        : await deleteOne(client, target, rest);
    reports.push(report);
    onEach?.(report, reports.length);
  }
  return reports;
}

async function deleteOne(
  client: ZooKeeperClient,
  target: DeleteTarget,
  options: DeleteOptions,
): Promise<StaleDeleteReport> {
  try {
    return { target, ...(await deleteContender(client, target, options)) };
  } catch (error) {
    const { path } = target;
    if (error instanceof RefusedDelete) return { target, path, outcome: 'refused', error };
    return { target, path, outcome: 'failed', error };
  }
}
