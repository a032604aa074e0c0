import type { ClusterNode } from '../../app/clusters/clusterModel.ts';
import { isOfWindow } from '../../app/clusters/clusterProfile.ts';

/** What a scenario can name, as far as this window knows it. Foreign text. */
export interface KnownPlaces {
  /** The clusters of the settings. */
  readonly clusters: readonly string[];
  /** Paths of the locks that are shown. @param cluster of this one; without it, or if it is not shown, of all */
  lockPaths(cluster: string | undefined): readonly string[];
}

/** No server is asked. */
export function knownPlaces(nodes: readonly ClusterNode[]): KnownPlaces {
  const named = new Map(nodes.filter(({ profile }) => !isOfWindow(profile)).map(node => [node.profile.name, node]));
  return {
    clusters: [...named.keys()],
    lockPaths: cluster => {
      const one = cluster === undefined ? undefined : named.get(cluster);
      const shown = one === undefined ? nodes : [one];
      return [...new Set(shown.flatMap(({ locks }) => [...locks.values()].map(({ path }) => path)))];
    },
  };
}
