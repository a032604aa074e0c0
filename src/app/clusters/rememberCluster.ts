import type { ClusterNode } from './clusterModel.ts';
import type { ClusterBrowser } from './clusterBrowser.ts';
import { ClusterChanged } from './clusterChanged.ts';
import { connectionKey } from './clusterSecurity.ts';

interface Listed {
  get(id: string): { node: ClusterNode; connection: Pick<ClusterBrowser['connection'], 'client'> } | undefined;
}

/** What an answer to a question about the cluster is worth no more without. */
function meaningOf({ profile }: ClusterNode): string {
  return JSON.stringify([profile.environment, profile.readOnly === true, connectionKey(profile)]);
}

/**
 * Questions stay open for as long as the person likes, while the list of clusters is shared with other windows.
 *
 * @returns to be called after the last question, right before what was asked about is done. @throws ClusterChanged unless
 *   the very cluster is still in the list, means the same, and is connected
 */
export function rememberCluster(registry: Listed, node: ClusterNode): () => void {
  const { name } = node.profile;
  const meaning = meaningOf(node);
  return () => {
    const listed = registry.get(node.id);
    if (listed === undefined) throw new ClusterChanged(name, 'removed');
    if (listed.node !== node || meaningOf(node) !== meaning) throw new ClusterChanged(name, 'changed');
    if (listed.connection.client === undefined) throw new ClusterChanged(name, 'disconnected');
  };
}
