import * as vscode from 'vscode';
import type { ApiError, ZooKeeperLocksApi } from '../../../../src/app/api/api.ts';

const inspectorId = 'zookeeper-lock-inspector.zookeeper-lock-inspector';

/** The id of your own extension. */
const extensionId = 'example.deployer';

async function findApi(): Promise<ZooKeeperLocksApi | undefined> {
  const extension = vscode.extensions.getExtension<ZooKeeperLocksApi>(inspectorId);
  const api = await extension?.activate();
  return api?.version === 1 ? api : undefined;
}

/** Runs `task` while this window holds the lock at `path`. @returns what happened, for a log */
export async function withLock(path: string, task: (signal: AbortSignal) => Promise<void>): Promise<string> {
  const api = await findApi();
  if (api === undefined) return 'ZooKeeper Lock Inspector is not installed.';
  const cluster = api.clusters().find(({ connected, isSandbox, readOnly }) => connected && !isSandbox && !readOnly);
  if (cluster === undefined) return 'Connect a cluster first.';
  try {
    const lock = await api.acquireTestLock({
      extensionId,
      clusterId: cluster.id,
      path,
      recipe: 'mutex',
      timeoutMs: 5_000,
      autoReleaseMs: 60_000,
    });
    try {
      // The signal aborts when the lock is lost, or released by the person or by time: stop then.
      await task(lock.signal);
      return `done under fencing token ${lock.fencingToken}, the lock is still ${lock.state}`;
    } finally {
      await lock.release();
    }
  } catch (error) {
    if ((error as ApiError).code !== 'TIMEOUT') throw error;
    const queues = await api.readQueues(cluster.id, path);
    const holder = queues.flatMap(({ contenders }) => contenders).find(({ role }) => role === 'holder');
    return `held by ${holder === undefined ? 'no holder any more' : holder.identifier || holder.name}`;
  }
}
