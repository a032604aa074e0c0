import { maxStaleDeletes, type PlannedDelete, type StalePlan } from '../../inspector/deleteStale.ts';
import type { EmptyLock } from '../../inspector/findEmptyLocks.ts';
import type { OwnerStatus } from '../../inspector/owners/ownerFacts.ts';
import type { ClusterProfile } from '../clusters/clusterProfile.ts';

/** One line of the list that the person chooses from. */
export type StaleChoice =
  | { kind: 'contender'; path: string; planned: PlannedDelete; isPicked: boolean }
  | { kind: 'empty lock'; path: string; empty: EmptyLock; isPicked: boolean };

/** Contenders first, the surest first; never more than can be deleted at once. An idle lock is empty too, so none is picked. */
export function staleChoices({ planned }: StalePlan, empties: readonly EmptyLock[]): StaleChoice[] {
  const contenders = planned.map((each): StaleChoice => {
    const { path } = each.target;
    return { kind: 'contender', path, planned: each, isPicked: each.isPreselected };
  });
  const directories = empties.map((empty): StaleChoice => {
    return { kind: 'empty lock', path: empty.path, empty, isPicked: false };
  });
  return [...contenders, ...directories].slice(0, maxStaleDeletes);
}

/** Owners of the chosen nodes that may live. */
export function livingOwners(chosen: readonly StaleChoice[]): OwnerStatus[] {
  return chosen.flatMap(choice => {
    if (choice.kind !== 'contender') return [];
    const { owner } = choice.planned.finding;
    return owner.alive === 'yes' || owner.alive === 'unknown' ? [owner] : [];
  });
}

/** Whether a click is not enough, as for a single delete. */
export function mustTypeCluster(profile: Pick<ClusterProfile, 'environment'>, chosen: readonly StaleChoice[]): boolean {
  return profile.environment === 'production' || livingOwners(chosen).length > 0;
}
