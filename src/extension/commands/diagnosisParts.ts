import type { OwnerFacts } from '../../inspector/owners/ownerFacts.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import type { ClusterNode, LockNode } from '../../app/clusters/clusterModel.ts';
import type { CycleSource } from '../../app/clusters/marks.ts';
import type { AuditList } from '../../app/deletes/auditList.ts';
import { gatherOwners } from '../../app/owners/gatherFacts.ts';
import type { ReadOnlyTexts } from '../platform/readOnlyTexts.ts';
import { withProgress } from '../platform/withProgress.ts';
import { CancelledError } from '../../zookeeper/errors.ts';
import { l10n } from '../words/language.ts';
import type { CommandParts } from './clusterCommands.ts';
import { ownerQueryOptions } from './ownerQuery.ts';

/** The test locks of this window, as far as deletes need them. */
export interface OwnLocks {
  /** The session for own nodes and deletes. @throws the cause when it cannot be opened */
  clientOf(cluster: ClusterNode): Promise<ZooKeeperClient>;
  /** The id of that session while it is open. @param clusterId of its cluster */
  sessionOf(clusterId: string): bigint | undefined;
  /** Releases the test lock of this window that has this node; `undefined` if there is none. */
  releaserOf(clusterId: string, path: string): (() => Promise<void>) | undefined;
}

/** What the commands of diagnosis and deletes work with. */
export interface DiagnosisParts extends Pick<CommandParts, 'registry' | 'reporter' | 'security' | 'targets'> {
  ownLocks: OwnLocks;
  marks: CycleSource;
  audit: AuditList;
  texts: ReadOnlyTexts;
}

/** Asks the servers of a lock's cluster for their clients, with progress. @throws CancelledError; what connecting throws */
export async function askOwners(
  parts: Pick<CommandParts, 'security' | 'targets'>,
  { cluster }: LockNode,
): Promise<OwnerFacts> {
  const client = await parts.targets.client(parts.targets.browserOf(cluster));
  return withProgress(l10n.t('Asking the servers'), async signal => {
    const owners = await gatherOwners(cluster, client, ownerQueryOptions(parts), signal);
    if (signal.aborted) throw new CancelledError('Asking the servers');
    return owners;
  });
}
