import type { DeleteConsequences } from '../../inspector/deleteConsequences.ts';
import { lastSegment } from '../../base/paths.ts';
import type { ClusterProfile } from '../clusters/clusterProfile.ts';
import { escapeUnseen } from '../../base/displayText.ts';

/** Whether somebody may be behind the node: who cannot be shown to be dead counts as living. */
export function mayLive({ owner }: Pick<DeleteConsequences, 'owner'>): boolean {
  return owner.alive === 'yes' || owner.alive === 'unknown';
}

/** Whether a click is not enough: the person types the lock's name for a living owner, and on production always. */
export function mustTypeName(
  profile: Pick<ClusterProfile, 'environment'>,
  consequences: Pick<DeleteConsequences, 'owner'>,
): boolean {
  return profile.environment === 'production' || mayLive(consequences);
}

/** What to type: the lock's own name as the tree shows it, so that unseen characters can be typed as their codes. */
export function nameToType({ path, lockName }: DeleteConsequences['lock']): string {
  return escapeUnseen(lockName ?? lastSegment(path)).trim();
}
