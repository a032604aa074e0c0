import { removeEmptyLock } from '../../inspector/emptyLocks.ts';
import { deleteRecognised, type DeleteTarget, type RecognisedNode } from '../../inspector/forceDelete.ts';
import { RefusedDelete } from '../../inspector/refusedDelete.ts';
import type { DeleteOutcome } from '../../inspector/removeNode.ts';
import { requestRevoke, type Listening, type RevokeOutcome } from '../../inspector/requestRevoke.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import { CancelledError } from '../../zookeeper/errors.ts';
import type { ClusterNode } from '../clusters/clusterModel.ts';
import type { ClusterProfile } from '../clusters/clusterProfile.ts';
import { sameClusterCheck } from '../clusters/clusterRegistry.ts';
import { ReadOnlyCluster } from '../clusters/clusterErrors.ts';
import { chrootOf } from '../owners/gatherFacts.ts';
import type { AuditList } from './auditList.ts';

/** What to do to one node. Each act is made from the queue that the look read, which proves the node to be part of a lock. */
export type PlannedAct =
  | { action: 'force delete' | 'delete stale'; target: DeleteTarget; recognised: RecognisedNode }
  | { action: 'remove empty lock'; target: DeleteTarget }
  | { action: 'request revoke'; target: DeleteTarget; listening: Listening };

/** An act that was carried out, or that the tree made pointless. */
export interface FinishedAct {
  act: PlannedAct;
  outcome: DeleteOutcome | RevokeOutcome;
  /** With `unknown`: the node was seen unchanged afterwards. */
  stillThere?: boolean;
}

/** An act that changed nothing. `refused`: by a guard or the server. `failed`: the connection, or an unexpected answer. */
export interface FailedAct {
  act: PlannedAct;
  outcome: 'refused' | 'failed' | 'cancelled';
  error: unknown;
}

export type ActReport = FinishedAct | FailedAct;

/** More nodes than this cannot be reviewed, so they are not deleted at once. */
export const maxActs = 100;

/** What the pipeline needs besides the steps. */
export interface DeletePipelineParts {
  registry: Parameters<typeof sameClusterCheck>[0];
  audit: Pick<AuditList, 'record'>;
  /** Opens the session for deletes. `clientOf` throws the cause when that fails. */
  sessions: { clientOf(cluster: ClusterNode): Promise<ZooKeeperClient> };
}

/** The steps that differ between the ways to delete. */
export interface DeleteSteps<Seen> {
  /** Reads the queue, once, and everything that the confirmation shows. */
  look: () => Promise<Seen>;
  /** Shows the consequences and asks. @returns what to do; nothing ends the pipeline. @throws CancelledError */
  confirm: (seen: Seen) => Promise<readonly PlannedAct[]>;
  /** Runs the acts with a sign of progress; aborting `signal` cancels the acts that have not begun. */
  withProgress?: (
    count: number,
    work: (signal: AbortSignal, onEach: (done: number) => void) => Promise<ActReport[]>,
  ) => Promise<ActReport[]>;
}

/**
 * The only way to delete: look → confirm → act → audit. The confirmation may take any time: afterwards the cluster must still be
 * the same one (`sameClusterCheck`), every act checks its guards again, and every node is read again and compared right before
 * its delete. An act that is refused or fails does not stop the others.
 *
 * @returns one report per act, in the same order
 * @throws what `look` and `confirm` throw; ReadOnlyCluster for a recording; ClusterChanged; RefusedDelete `too-many`; the cause if the session cannot be opened
 */
export async function runDeletes<Seen>(
  parts: DeletePipelineParts,
  cluster: ClusterNode,
  steps: DeleteSteps<Seen>,
): Promise<ActReport[]> {
  if (cluster.profile.isRecording === true) throw new ReadOnlyCluster(cluster.profile, 'delete');
  const requireSame = sameClusterCheck(parts.registry, cluster);
  const acts = await steps.confirm(await steps.look());
  const tooMany = acts[maxActs];
  if (tooMany !== undefined) throw new RefusedDelete('too-many', tooMany.target.path);
  if (acts.length === 0) return [];
  requireSame();
  const client = await openSession(parts, cluster, acts);
  const work = async (signal?: AbortSignal, onEach?: (done: number) => void): Promise<ActReport[]> => {
    const reports: ActReport[] = [];
    for (const act of acts) {
      reports.push(await carryOut(parts, cluster, client, act, signal));
      onEach?.(reports.length);
    }
    return reports;
  };
  return steps.withProgress === undefined ? work() : steps.withProgress(acts.length, work);
}

/**
 * The guards of a cluster as its profile is now: it may become read-only at any time.
 *
 * @throws ReadOnlyCluster for a recording
 */
export function guardsOf(profile: ClusterProfile): { chroot: string; readOnly: boolean } {
  if (profile.isRecording === true) throw new ReadOnlyCluster(profile, 'delete');
  return { chroot: chrootOf(profile), readOnly: profile.readOnly === true };
}

async function openSession(
  parts: DeletePipelineParts,
  cluster: ClusterNode,
  acts: readonly PlannedAct[],
): Promise<ZooKeeperClient> {
  try {
    return await parts.sessions.clientOf(cluster);
  } catch (error) {
    for (const act of acts) {
      await parts.audit.record({ ...act, profile: cluster.profile, outcome: failureOf(error) });
    }
    throw error;
  }
}

async function carryOut(
  { audit }: DeletePipelineParts,
  cluster: ClusterNode,
  client: ZooKeeperClient,
  act: PlannedAct,
  signal: AbortSignal | undefined,
): Promise<ActReport> {
  if (signal?.aborted === true) return { act, outcome: 'cancelled', error: new CancelledError(act.action) };
  const { profile } = cluster;
  try {
    const report = { act, ...(await perform(client, act, guardsOf(profile))) };
    await audit.record({ ...act, profile, outcome: report.outcome });
    return report;
  } catch (error) {
    await audit.record({ ...act, profile, outcome: failureOf(error) });
    return { act, outcome: error instanceof RefusedDelete ? 'refused' : 'failed', error };
  }
}

async function perform(
  client: ZooKeeperClient,
  act: PlannedAct,
  guards: ReturnType<typeof guardsOf>,
): Promise<Omit<FinishedAct, 'act'>> {
  switch (act.action) {
    case 'request revoke':
      return { outcome: await requestRevoke(client, act.target, act.listening, guards) };
    case 'remove empty lock':
      return removeEmptyLock(client, act.target, guards);
    case 'force delete':
    case 'delete stale':
      return deleteRecognised(client, act.target, act.recognised, guards);
  }
}

function failureOf(error: unknown): string {
  if (error instanceof RefusedDelete) return `refused: ${error.reason}`;
  return `failed: ${error instanceof Error ? error.message : String(error)}`;
}
