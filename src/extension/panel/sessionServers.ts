import type { ClusterNode } from '../../app/clusters/clusterModel.ts';
import type { ConnectionState } from '../../app/clusters/clusterConnection.ts';
import { loadedQueues } from '../../app/clusters/queueMarks.ts';
import { ownersIn, type AskedOwners } from '../../app/sessions/sessionStanding.ts';
import type { Subject } from '../../app/sessions/subject.ts';
import { atOnce } from '../../base/interruptible.ts';
import type { Logger } from '../../base/logger.ts';
import { logText } from '../words/errorText.ts';

/** After a failure the servers are asked again so late, ms. */
const lookAgainMs = 30_000;

type Found = Omit<AskedOwners, 'known'>;

/** Asks the servers of a cluster. Both reject with the cause. */
export interface ServerQuestions {
  /** With the session that is open; `undefined` if there is none. Nothing is connected and nothing shown. */
  lookForOwners(cluster: ClusterNode): Promise<Found> | undefined;
  /** Connects if needed, with progress. Asks for watches, too. */
  askServers(cluster: ClusterNode): Promise<Found>;
}

interface SessionServersParts {
  actions: ServerQuestions;
  monotonicNow(): number;
  logger: Logger;
}

/** What the servers say of clients, for one page: they are asked once when there is a connection, and on request. */
export class SessionServers {
  /** The person waits for an answer. */
  isAsking = false;
  private readonly parts: SessionServersParts;
  private readonly subject: Subject;
  private readonly onChange: () => void;
  /** Whose servers were asked: a cluster that was removed and added again may have others. */
  private cluster: ClusterNode | undefined;
  private said: AskedOwners | undefined;
  /** After a failure, by the monotonic clock: not asked again before. */
  private looksAgainAt = 0;

  /** @param onChange called when more is known, and when it is asked for */
  constructor(parts: SessionServersParts, subject: Subject, onChange: () => void) {
    this.parts = parts;
    this.subject = subject;
    this.onChange = onChange;
  }

  /** What the servers of this cluster said. */
  of(cluster: ClusterNode): AskedOwners | undefined {
    return cluster === this.cluster ? this.said : undefined;
  }

  /** What was said is of one connection: the next one may be to other servers, which are asked then. */
  follow(cluster: ClusterNode | undefined, connection: ConnectionState['kind'] = 'disconnected'): void {
    if (connection === 'disconnected' || connection === 'failed') {
      this.cluster = this.said = undefined;
      this.looksAgainAt = 0;
    }
    if (cluster !== undefined && cluster !== this.cluster) void this.look(cluster);
  }

  /** On request. @throws the cause */
  async ask(cluster: ClusterNode): Promise<void> {
    if (cluster.time !== undefined || this.isAsking) return;
    this.isAsking = true;
    this.onChange();
    const known = this.knownIn(cluster);
    try {
      this.said = { ...(await this.parts.actions.askServers(cluster)), known };
      this.cluster = cluster;
    } finally {
      this.isAsking = false;
      this.onChange();
    }
  }

  /** A failure leaves unknown who is connected. */
  private async look(cluster: ClusterNode): Promise<void> {
    const { parts } = this;
    if (cluster.time !== undefined || this.isAsking || parts.monotonicNow() < this.looksAgainAt) return;
    const asking = parts.actions.lookForOwners(cluster);
    if (asking === undefined) return;
    this.cluster = cluster;
    this.said = undefined;
    const known = this.knownIn(cluster);
    try {
      const found = await asking;
      // Else the connection that it was asked with has ended.
      if (this.cluster === cluster) this.said = { ...found, known };
    } catch (error) {
      parts.logger.warn(logText(error));
      if (this.cluster === cluster && this.said === undefined) this.cluster = undefined;
      this.looksAgainAt = parts.monotonicNow() + lookAgainMs;
    }
    this.onChange();
  }

  /** The sessions that are known now: what servers say of others, asked now, proves nothing. */
  private knownIn(cluster: ClusterNode): ReadonlySet<bigint> {
    const known = atOnce(ownersIn(loadedQueues(cluster)));
    if (this.subject.kind === 'session') known.add(this.subject.id);
    return known;
  }
}
