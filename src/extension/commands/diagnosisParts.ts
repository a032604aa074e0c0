import type { Logger } from '../../base/logger.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import type { CommandParts } from './clusterCommands.ts';
import type { ClusterNode } from '../../app/clusters/clusterModel.ts';
import type { AuditList } from '../../app/deletes/auditList.ts';
import type { ReadOnlyTexts } from '../platform/readOnlyTexts.ts';

/** What the test locks of this window lend: their quiet session, and what they hold. */
export interface OwnLocks {
  /** The session for own nodes and deletes. @throws the cause when it cannot be opened */
  clientOf(cluster: ClusterNode): Promise<ZooKeeperClient>;
  /** Gives back the test lock of this window whose node it is; `undefined` if it is none. */
  releaserOf(clusterId: string, path: string): (() => Promise<void>) | undefined;
}

/** What the commands of diagnosis and force delete work with. */
export interface DiagnosisParts extends Omit<CommandParts, 'store'> {
  ownLocks: OwnLocks;
  audit: AuditList;
  texts: ReadOnlyTexts;
  logger: Logger;
}
