import type { LockQueue } from '../../locks/lockQueue.ts';
import { LockCancelled } from '../../recipes/errors.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import type { ClusterBrowser } from '../clusters/clusterBrowser.ts';
import { type ClusterRegistry, sameClusterCheck } from '../clusters/clusterRegistry.ts';
import { isWaiting, mayHold, type TestLock, type TestLockRequest } from '../testLocks/testLock.ts';
import { ReadOnlyCluster } from '../clusters/clusterErrors.ts';
import type { TestLockRegistry } from '../testLocks/testLockRegistry.ts';
import type { ApiCluster, ApiTestLock, ZooKeeperLocksApi } from './api.ts';
import { apiFailure, type ErrorWords } from './apiFailure.ts';
import { apiQueue, apiTestLock } from './apiObjects.ts';
import { ApiRefusal } from './apiRefusal.ts';
import { checkedPath, checkedRequest, checkedSignal, type CheckedRequest } from './lockRequest.ts';

/** Held or waited for at the same time, of one extension. */
const mostLocks = 20;

export interface ApiParts {
  registry: Pick<ClusterRegistry, 'all' | 'get'>;
  testLocks: Pick<TestLockRegistry, 'has' | 'sync' | 'acquire' | 'cancel' | 'release' | 'onChange'>;
  access: { require(extensionId: string): Promise<string> };
  /** Asks the person before a test lock on a production cluster. @throws CancelledError */
  confirm(request: TestLockRequest, extensionId: string): Promise<void>;
  words: ErrorWords;
  isTrusted(): boolean;
  readQueues(client: ZooKeeperClient, path: string, options: { signal?: AbortSignal }): Promise<LockQueue[]>;
  /** From the settings. */
  autoReleaseMs(): number;
}

function apiCluster({ node, connection }: ClusterBrowser): ApiCluster {
  const { id, name, environment, readOnly = false, isSandbox = false } = node.profile;
  return Object.freeze({
    id,
    name,
    environment,
    isSandbox,
    readOnly,
    connected: connection.state.kind === 'connected',
  });
}

function connected(parts: ApiParts, clusterId: string): [ClusterBrowser, ZooKeeperClient] {
  if (!parts.isTrusted()) throw new ApiRefusal('untrusted');
  const browser = parts.registry.get(clusterId);
  // What is read is taken for what is there now, so the past is not offered.
  if (browser === undefined || browser.node.profile.isRecording === true) throw new ApiRefusal('unknown-cluster');
  const { client } = browser.connection;
  if (client === undefined) throw new ApiRefusal('not-connected');
  return [browser, client];
}

function requestFor(browser: ClusterBrowser, checked: CheckedRequest, extensionId: string): TestLockRequest {
  const { recipe, path, maxLeases, identifier, timeoutMs, autoReleaseMs } = checked;
  return {
    cluster: browser.node,
    recipe,
    paths: [path],
    dialect: undefined,
    ...(recipe === 'semaphore' ? { maxLeases } : {}),
    identifier: identifier === '' ? `${extensionId} (VS Code)` : `${identifier} (${extensionId})`,
    timeoutMs,
    autoReleaseMs,
  };
}

function stopIfAborted({ signal, path }: CheckedRequest): void {
  if (signal?.aborted === true) throw new LockCancelled(path);
}

function room(own: Set<TestLock>, { testLocks }: ApiParts): void {
  for (const lock of own) {
    if (!testLocks.has(lock) || !(isWaiting(lock) || mayHold(lock))) own.delete(lock);
  }
  if (own.size >= mostLocks) throw new ApiRefusal('too-many', String(mostLocks));
}

/** Runs a call. @throws ApiError and nothing else */
async function guarded<T>({ words }: ApiParts, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw apiFailure(error, words);
  }
}

/** Begins the attempt and ends it when the caller wants. */
async function hold(
  parts: ApiParts,
  request: TestLockRequest,
  checked: CheckedRequest,
  own: Set<TestLock>,
): Promise<ApiTestLock> {
  const { testLocks } = parts;
  const { signal, path, autoReleaseMs } = checked;
  stopIfAborted(checked);
  // Once more: others may have come while questions were open.
  room(own, parts);
  const { lock, outcome } = testLocks.acquire(request);
  own.add(lock);
  const cancel = (): void => testLocks.cancel(lock);
  signal?.addEventListener('abort', cancel);
  try {
    await outcome;
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
  // The person may have released it already.
  if (!('hold' in lock.state)) throw new ApiRefusal('released-at-once', path);
  return apiTestLock(lock, lock.state.hold, autoReleaseMs, testLocks, call => guarded(parts, call));
}

/** Makes the API: frozen, and guarded as the commands are. Whatever it throws is an `ApiError`. */
export function createApi(parts: ApiParts): ZooKeeperLocksApi {
  const locksOf = new Map<string, Set<TestLock>>();
  const acquire = async (given: unknown): Promise<ApiTestLock> => {
    const checked = checkedRequest(given, parts.autoReleaseMs());
    stopIfAborted(checked);
    const [{ node }] = connected(parts, checked.clusterId);
    if (node.profile.readOnly === true) throw new ReadOnlyCluster(node.profile);
    const extensionId = await parts.access.require(checked.extensionId);
    const own = locksOf.get(extensionId) ?? new Set();
    locksOf.set(extensionId, own);
    room(own, parts);
    // The question may have been open for long.
    const [browser] = connected(parts, checked.clusterId);
    const request = requestFor(browser, checked, extensionId);
    const requireSame = sameClusterCheck(parts.registry, browser.node);
    await parts.confirm(request, extensionId);
    requireSame();
    return hold(parts, request, checked, own);
  };
  const read = async (clusterId: string, path: string, signal: unknown): Promise<LockQueue[]> => {
    const checked = checkedSignal(signal);
    const [browser, client] = connected(parts, clusterId);
    const options = checked === undefined ? {} : { signal: checked };
    return browser.node.sightings.narrow(await parts.readQueues(client, checkedPath(path), options));
  };
  return Object.freeze<ZooKeeperLocksApi>({
    version: 1,
    clusters: () => {
      const live = parts.registry.all.filter(({ node }) => node.profile.isRecording !== true);
      return Object.freeze(live.map(browser => apiCluster(browser)));
    },
    readQueues: (clusterId, path, options) =>
      guarded(parts, async () =>
        Object.freeze((await read(clusterId, path, options?.signal)).map(queue => apiQueue(queue))),
      ),
    acquireTestLock: request => guarded(parts, () => acquire(request)),
  });
}
