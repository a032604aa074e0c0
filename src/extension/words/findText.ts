import type { ClusterProfile } from '../../app/clusters/clusterProfile.ts';
import type { ClusterNode } from '../../app/clusters/clusterModel.ts';
import type { Found, FoundSession } from '../../app/sessions/find.ts';
import { byKind } from '../../base/byKind.ts';
import { displayEnd, displayText } from '../../base/displayText.ts';
import { sessionText } from '../../base/sessionText.ts';
import { nameOfLock, waiterCount } from '../../app/clusters/clusterModel.ts';
import { environmentText } from './clusterText.ts';
import { joined, l10n } from './language.ts';

/** A row of *Find*. */
export interface FoundText {
  label: string;
  description: string;
}

/** Which cluster, and whether it is a production cluster or a recording. */
export function clusterWords({ name, environment, isRecording }: ClusterProfile): string {
  if (isRecording === true) return joined([displayText(name, 60), l10n.t('recording')]);
  return joined([displayText(name, 60), environment === 'production' ? environmentText(environment) : '']);
}

function description({ profile }: ClusterNode, ...parts: string[]): string {
  return joined([...parts, clusterWords(profile)]);
}

function placesText({ holds, waits }: FoundSession): string {
  if (holds + waits === 0) return l10n.t('no lock that was read has a node of it');
  return joined([
    holds === 0 ? '' : l10n.t('nodes that hold: {0}', holds),
    waits === 0 ? '' : l10n.t('nodes that wait: {0}', waits),
  ]);
}

/** The row of something that was found. */
export const foundText = byKind<Found, FoundText>({
  lock: ({ cluster, lock }) => {
    const waiting = waiterCount(lock);
    const parts = [displayEnd(lock.path, 80), waiting === 0 ? '' : l10n.t('{0} waiting', waiting)];
    return { label: `$(lock) ${displayText(nameOfLock(lock), 80)}`, description: description(cluster, ...parts) };
  },
  session: found => ({
    label: `$(plug) ${sessionText(found.session)}`,
    description: description(
      found.cluster,
      displayText(found.identifier, 60),
      displayText(found.address ?? '', 60),
      placesText(found),
    ),
  }),
  identifier: ({ cluster, identifier, nodes }) => ({
    label: `$(person) ${displayText(identifier, 80)}`,
    description: description(cluster, l10n.t('client, nodes: {0}', nodes)),
  }),
  address: ({ cluster, address, sessions }) => ({
    label: `$(server) ${displayText(address, 80)}`,
    description: description(cluster, l10n.t('address, sessions: {0}', sessions)),
  }),
});
