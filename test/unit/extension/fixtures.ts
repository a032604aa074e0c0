import { toDisposable } from '../../../src/base/disposable.ts';
import { nullLogger } from '../../../src/base/logger.ts';
import type { BrowserParts, Inspector } from '../../../src/app/clusters/clusterBrowser.ts';
import type { ClusterProfile } from '../../../src/app/clusters/clusterProfile.ts';
import type { ClusterNode, LockNode } from '../../../src/app/clusters/clusterModel.ts';
import { ensureLock } from '../../../src/app/clusters/lockCatalogue.ts';
import { LockTable } from '../../../src/app/clusters/lockTable.ts';
import type { Contender, LockQueue } from '../../../src/locks/lockQueue.ts';
import { FakeClient } from '../../support/fakeClient.ts';

/** Noon of an arbitrary day, local time. */
export const now = new Date(2026, 4, 6, 12, 0, 0).getTime();

export function profileNamed(name: string, fields: Partial<ClusterProfile> = {}): ClusterProfile {
  return { id: name, name, connectString: 'zk1:2181', environment: 'development', lockRoots: ['/'], ...fields };
}

export function clusterNode(fields: Partial<ClusterNode> = {}): ClusterNode {
  return {
    type: 'cluster',
    id: 'orders',
    profile: profileNamed('orders'),
    connection: { kind: 'connected' },
    search: { kind: 'done', visited: 3, truncated: false, denied: [] },
    locks: new LockTable(),
    lockLimit: 100,
    watched: 0,
    sightings: { aheadMs: 0, narrow: queues => [...queues] },
    ...fields,
  };
}

export function contender(name: string, fields: Partial<Contender> = {}): Contender {
  return {
    name,
    path: `/locks/a/${name}`,
    kind: 'exclusive',
    role: 'waiter',
    ownerSession: 0x100n,
    czxid: 7n,
    createdAt: now - 12_000,
    identifier: name,
    ...fields,
  };
}

export function queueOf(contenders: Contender[], fields: Partial<LockQueue> = {}): LockQueue {
  return { path: '/locks/a', dialect: 'curator', contenders, strangers: [], hazards: [], ...fields };
}

export function lockNode(queue: LockQueue | undefined, cluster = clusterNode(), path = '/locks/a'): LockNode {
  const { lock } = ensureLock(cluster, path, undefined, queue?.dialect ?? 'curator');
  lock.queue = queue;
  return lock;
}

/** A holder and `waiters` that wait for the one before them. */
export function queueWith(waiters: number): LockQueue {
  const holder = contender('worker-0', { role: 'holder' });
  const others = Array.from({ length: waiters }, (_, index) =>
    contender(`worker-${String(index + 1)}`, { waitsFor: `worker-${String(index)}` }),
  );
  return queueOf([holder, ...others]);
}

/** Finds no locks, and watches without a call. */
export const idleInspector: Inspector = {
  findLocks: () => Promise.resolve({ locks: [], visited: 0, truncated: false, denied: [] }),
  readQueues: () => Promise.resolve([]),
  watchQueues: () => Promise.resolve(toDisposable(() => undefined)),
};

/** The parts of a browser in front of a fake session: its clock stands still, and no timer ends. */
export function browserParts(fields: Partial<BrowserParts> = {}): BrowserParts {
  return {
    openSession: () => Promise.resolve(new FakeClient()),
    loadInspector: () => Promise.resolve(idleInspector),
    maxSearchedNodes: () => 1_000,
    budget: { used: 0, limit: () => 10 },
    filter: () => '',
    onChange: () => undefined,
    schedule: () => toDisposable(() => undefined),
    now: () => 0,
    wallNow: () => 0,
    logger: nullLogger,
    ...fields,
  };
}
