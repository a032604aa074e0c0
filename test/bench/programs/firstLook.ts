import { monotonicNow } from '../../../src/base/deadline.ts';
import { toDisposable } from '../../../src/base/disposable.ts';
import { nullLogger } from '../../../src/base/logger.ts';
import { callLater } from '../../../src/base/timer.ts';
import { childrenOf } from '../../../src/app/clusters/childRows.ts';
import type { ClusterBrowser } from '../../../src/app/clusters/clusterBrowser.ts';
import type { ContenderNode, LockNode, TreeNode } from '../../../src/app/clusters/clusterModel.ts';
import type { ClusterProfile } from '../../../src/app/clusters/clusterProfile.ts';
import { ClusterRegistry } from '../../../src/app/clusters/clusterRegistry.ts';
import { LockRows } from '../../../src/app/clusters/lockRows.ts';
import { openSession } from '../../../src/app/security/openSession.ts';
import { findLocks } from '../../../src/inspector/findLocks.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import { watchQueues } from '../../../src/inspector/watchQueues.ts';

// What the extension does until a person sees locks for the first time, without VS Code: the entry of a bundle, which look.ts loads.

/** What a look came to. Times are those of `performance.now()`, ms. */
interface Look {
  connectedAt: number;
  /** All rows are made. */
  rowsAt: number;
  locks: number;
  contenders: number;
  holders: number;
}

const id = 'bench';

function registryOf(hosts: string, lockRoots: readonly string[]): ClusterRegistry {
  const profile: ClusterProfile = { id, name: id, connectString: hosts, environment: 'production', lockRoots };
  return new ClusterRegistry([{ profiles: [profile], onChange: () => toDisposable(() => undefined) }], {
    openSession: ({ connectString }, signal) => openSession(connectString, { signal, logger: nullLogger }),
    loadInspector: () => Promise.resolve({ findLocks, readQueues, watchQueues }),
    maxSearchedNodes: () => 50_000,
    budget: { used: 0, limit: () => Infinity },
    filter: () => '',
    schedule: callLater,
    now: monotonicNow,
    wallNow: () => Date.now(),
    logger: nullLogger,
  });
}

/**
 * Connects to the one cluster, and ends the session.
 *
 * @param prepare gets the browser before it connects
 * @param show gets it once it is connected, and makes the rows below each lock
 */
async function look(
  registry: ClusterRegistry,
  prepare: (browser: ClusterBrowser) => void,
  show: (browser: ClusterBrowser) => Promise<TreeNode[][]>,
): Promise<Look> {
  const browser = registry.get(id);
  if (browser === undefined) throw new Error('There is no cluster.');
  try {
    prepare(browser);
    await browser.connect();
    const { state } = browser.connection;
    if (state.kind !== 'connected') throw new Error(`The session is ${state.kind}.`);
    const connectedAt = performance.now();
    const below = await show(browser);
    const rowsAt = performance.now();
    const contenders = below.flat().filter((row): row is ContenderNode => row.type === 'contender');
    const holders = contenders.filter(({ contender }) => contender.role === 'holder').length;
    return { connectedAt, rowsAt, locks: below.length, contenders: contenders.length, holders };
  } finally {
    await registry.close();
  }
}

/** The rows below a lock, as the view gives them to VS Code, but without pages. */
function rowsBelow(locks: readonly LockNode[]): TreeNode[][] {
  // The texts of rows are for comparing them with later ones.
  const rows = new LockRows(() => '');
  return locks.map(lock => {
    lock.contenderLimit = Infinity;
    return rows.give(lock);
  });
}

/** Opens one lock by its path. Nothing is searched. */
export function lookAtQueue(hosts: string, path: string): Promise<Look> {
  return look(
    registryOf(hosts, []),
    () => undefined,
    async browser => {
      const lock = await browser.open(path);
      return rowsBelow(lock === undefined ? [] : [lock]);
    },
  );
}

/** Finds all locks below a root, with the cluster's row expanded and no pages, until each is read and watched. */
export function lookAtCluster(hosts: string, root: string): Promise<Look> {
  const registry = registryOf(hosts, [root]);
  const read = new Set<LockNode>();
  const all = Promise.withResolvers<undefined>();
  registry.onNodeChange(node => {
    if (node.type === 'lock' && node.readError !== undefined) all.reject(node.readError);
    if (node.type === 'lock' && node.queue !== undefined) read.add(node);
    const { search, locks } = node.type === 'lock' ? node.cluster : node;
    if (search.kind === 'failed') all.reject(search.error);
    if (search.kind === 'done' && read.size === locks.size) all.resolve(undefined);
  });
  return look(
    registry,
    browser => {
      browser.node.lockLimit = Infinity;
      browser.setAttention({ expanded: true, visible: true, paused: false });
    },
    async browser => {
      await all.promise;
      const rows = childrenOf(browser.node, { filter: '', trusted: true });
      return rowsBelow(rows.filter(row => row.type === 'lock'));
    },
  );
}
