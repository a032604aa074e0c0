import type { RecordedOwner } from '../../inspector/owners/ownerFacts.ts';
import type { ClusterNode } from '../clusters/clusterModel.ts';
import { addressesOf } from './gatherFacts.ts';

/**
 * Where clients are by what is known already; nothing is asked. Of a recording and of the recorder of this window all that they saw, of
 * a live cluster also what its servers said last.
 *
 * @returns by session. Foreign text
 */
export function knownOwners({ time, recorder, lastOwners }: ClusterNode): Map<bigint, RecordedOwner> {
  const known = addressesOf(time?.recording.sessions() ?? recorder?.past?.sessions() ?? new Map());
  for (const [session, { address }] of lastOwners?.connections ?? []) {
    known.set(session, { ...known.get(session), address });
  }
  return known;
}
