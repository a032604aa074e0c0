import type { ClusterNode } from '../../../src/app/clusters/clusterModel.ts';
import { LockTable } from '../../../src/app/clusters/lockTable.ts';
import { collectState, type CollectedState } from '../../../src/app/incidents/collectState.ts';
import { draftIncident, type DraftRequest } from '../../../src/app/incidents/draftIncident.ts';
import type { Redaction } from '../../../src/app/incidents/redactState.ts';
import { monotonicNow } from '../../../src/base/deadline.ts';
import { foreign } from '../../../src/base/report.ts';
import { ServerClock } from '../../../src/history/clocks.ts';
import { HolderSightings } from '../../../src/history/holderSightings.ts';
import { writeIncident } from '../../../src/incident/writeIncident.ts';
import { findLocks } from '../../../src/inspector/findLocks.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import type { LockQueue } from '../../../src/locks/lockQueue.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';

/** What an incident is saved of. */
interface SavedCluster {
  client: ZooKeeperClient;
  connectString: string;
}

export interface SavedIncident {
  path: string;
  /** Of all locks, as it was read for the file. */
  state: CollectedState;
}

/** Saves all locks of a cluster as they are now. */
export async function saveIncident(
  { client, connectString }: SavedCluster,
  path: string,
  redaction: Redaction,
): Promise<SavedIncident> {
  const cluster = clusterNode(connectString);
  const state = await collected(cluster, client);
  const request: DraftRequest = {
    cluster,
    scope: { kind: 'cluster', paths: ['/'] },
    search: { truncated: false, denied: [] },
    state,
    past: undefined,
    redaction,
    savedBy: 'test',
    longHeldMs: 3_600_000,
    marks: { cycleOf: (_, edges) => ({ edges, key: '', ageMs: 0, isLasting: false }) },
    explain: ({ explanations }) =>
      explanations.map(({ queue, holders }) => ({
        path: queue.path,
        report: {
          headline: holders
            .map(({ contender, owner }) => foreign(`${contender.identifier} ${owner.connection?.address ?? ''}`))
            .join(),
          blocks: [],
        },
      })),
    signal: new AbortController().signal,
  };
  await writeIncident(path, await draftIncident(request));
  return { path, state };
}

function clusterNode(connectString: string): ClusterNode {
  const clock = new ServerClock({ now: Date.now, monotonicNow });
  const profile = { id: 'c', name: 'Orders', connectString, environment: 'staging', lockRoots: ['/'] };
  return { type: 'cluster', id: 'c', profile, locks: new LockTable(), sightings: new HolderSightings(clock) } as never;
}

async function collected(cluster: ClusterNode, client: ZooKeeperClient): Promise<CollectedState> {
  const ownerQuery = { adminServerPort: undefined, secrets: { get: () => Promise.resolve(undefined) } };
  const paths = await lockPaths(client);
  return collectState(cluster, client, paths, { ownerQuery, signal: new AbortController().signal });
}

async function lockPaths(from: ZooKeeperClient): Promise<string[]> {
  const { locks } = await findLocks(from, '/');
  return [...new Set(locks.map(({ path }) => path))].sort();
}

/** The queues of all locks, by path. */
export async function queuesOf(from: ZooKeeperClient): Promise<LockQueue[]> {
  const paths = await lockPaths(from);
  return (await Promise.all(paths.map(path => readQueues(from, path)))).flat();
}

/** Queues without what the file does not keep, and what time changes. */
export function comparable(queues: readonly LockQueue[]): object[] {
  return queues.map(queue => ({
    ...queue,
    contenders: queue.contenders.map(contender => ({ ...contender, heldSince: undefined, details: undefined })),
  }));
}
