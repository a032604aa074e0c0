import { clusterAt, type ScenarioCluster } from '../../scenario/scenarioCluster.ts';
import type { ClusterNode } from '../clusters/clusterModel.ts';
import { gatherOwners, type OwnerQueryOptions } from '../owners/gatherFacts.ts';
import type { SessionOpener } from '../security/sessionOpener.ts';

/** How a scenario gets to a cluster of the list. */
export interface LiveParts {
  opener: Pick<SessionOpener, 'open'>;
  /** How its servers are asked, by the settings of that moment. */
  ownerQuery: () => OwnerQueryOptions;
}

/**
 * A cluster of the list as the stage of a scenario: each session is opened with the log-in and the TLS of the profile as it is now.
 *
 * @throws ConnectStringError
 */
export function liveCluster(cluster: ClusterNode, { opener, ownerQuery }: LiveParts): ScenarioCluster {
  const { profile } = cluster;
  return clusterAt(
    profile.connectString,
    ({ signal, ...session }) => opener.open(profile, signal ?? new AbortController().signal, session),
    (reader, signal) => gatherOwners(cluster, reader, ownerQuery(), signal),
  );
}
