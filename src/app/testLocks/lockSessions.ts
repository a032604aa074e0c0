import type { Logger } from '../../base/logger.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import { SessionLostError } from '../../zookeeper/errors.ts';
import { type ClusterProfile, connectionKey } from '../clusters/clusterProfile.ts';
import { ClusterChanged } from '../clusters/clusterErrors.ts';
import { ClusterConnection, type ConnectionParts } from '../clusters/clusterConnection.ts';
import type { ClusterNode } from '../clusters/clusterModel.ts';

export interface LockSessionsParts extends Pick<ConnectionParts, 'schedule' | 'now'> {
  open(profile: ClusterProfile, signal: AbortSignal): Promise<ZooKeeperClient>;
  /** The cluster of this id in the list now. */
  listed(clusterId: string): ClusterNode | undefined;
  logger: Logger;
}

interface LockSession {
  connectionKey: string;
  connection: ClusterConnection;
}

/**
 * The second session of each cluster, for locks and deletes: large replies of the browsing session cannot delay its pings.
 * Opened on first use. A lost session is replaced by the next request, never by itself, since its locks are gone.
 */
export class LockSessions {
  private readonly parts: LockSessionsParts;
  private readonly sessions = new Map<string, LockSession>();

  constructor(parts: LockSessionsParts) {
    this.parts = parts;
  }

  /**
   * Opens the session if there is none.
   *
   * @throws ClusterChanged when the cluster is not in the list any more, or its session is to other servers and about to end;
   *   the cause when the session cannot be opened
   */
  async clientOf(cluster: ClusterNode): Promise<ZooKeeperClient> {
    const { connection } = this.sessionOf(cluster);
    await connection.connect();
    const { client, state } = connection;
    if (client !== undefined) return client;
    throw state.kind === 'failed' ? state.error : new SessionLostError({ kind: 'closed' });
  }

  /** The id of the session of a cluster; `undefined` while there is none. */
  sessionIdOf(clusterId: string): bigint | undefined {
    return this.sessions.get(clusterId)?.connection.client?.sessionId;
  }

  /** Ids of the clusters with a session that were removed from the list, or have other servers now. */
  get outdated(): readonly string[] {
    return [...this.sessions].flatMap(([id, session]) => {
      const profile = this.parts.listed(id)?.profile;
      return profile !== undefined && connectionKey(profile) === session.connectionKey ? [] : [id];
    });
  }

  /** Closes the session, which deletes own nodes that are left. Never rejects. */
  async close(clusterId: string): Promise<void> {
    const session = this.sessions.get(clusterId);
    this.sessions.delete(clusterId);
    await session?.connection.disconnect();
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.sessions.keys()].map(id => this.close(id)));
  }

  private sessionOf(cluster: ClusterNode): LockSession {
    const { id, profile } = cluster;
    const listed = this.parts.listed(id);
    if (listed === undefined) throw new ClusterChanged(profile.name, 'removed');
    const known = this.sessions.get(id);
    const key = connectionKey(profile);
    if (listed !== cluster || (known !== undefined && known.connectionKey !== key)) {
      throw new ClusterChanged(profile.name, 'changed');
    }
    if (known !== undefined && known.connection.state.kind !== 'lost') return known;
    const { logger } = this.parts;
    const connection = new ClusterConnection({
      open: signal => this.parts.open(profile, signal),
      isWanted: () => false,
      schedule: (callback, ms) => this.parts.schedule(callback, ms),
      now: () => this.parts.now(),
      logger,
    });
    const session = { connectionKey: key, connection };
    this.sessions.set(id, session);
    return session;
  }
}
