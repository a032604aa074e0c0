import { createLock, type LockSpec } from '../../recipes/createLock.ts';
import { ensureDirectory } from '../../recipes/ownNode.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import { isZooKeeperError } from '../../zookeeper/errors.ts';
import { crossTransfers } from './crossedTransfers.ts';
import { workAgainAndAgain, type ExampleRun } from './exampleService.ts';

/** Locks that live: contenders with sessions of their own take them, hold them for some seconds, and hand them over. */
export interface ExampleLocks {
  /** Lock paths. */
  readonly paths: readonly string[];
  /** Ends all sessions. Nodes that no session owns stay: they go with a server that is ours. */
  stop(): Promise<void>;
  /** Ends all sessions and removes what they have created, from a cluster that goes on. */
  stopAndRemove(): Promise<void>;
}

interface Service {
  name: string;
  /** Below the root. */
  path: string;
  sessions: number;
  /** Contenders of each session, if not one. */
  threads?: number;
  spec: (index: number, name: string) => LockSpec;
}

const services: readonly Service[] = [
  { name: 'checkout', path: '/shop/checkout', sessions: 4, spec: () => ({ recipe: 'mutex', dialect: 'curator' }) },
  {
    name: 'prices',
    path: '/shop/prices',
    sessions: 5,
    spec: index => ({ recipe: index % 3 === 2 ? 'write' : 'read', dialect: 'curator' }),
  },
  { name: 'report', path: '/reports/nightly', sessions: 3, spec: () => ({ recipe: 'mutex', dialect: 'kazoo' }) },
  {
    name: 'mail',
    path: '/mail/senders',
    sessions: 5,
    spec: () => ({ recipe: 'semaphore', dialect: 'kazoo-semaphore', maxLeases: 2 }),
  },
  {
    name: 'billing',
    path: '/billing/invoices',
    sessions: 3,
    spec: () => ({ recipe: 'mutex', dialect: 'go-zookeeper' }),
  },
  {
    name: 'index',
    path: '/search/index',
    sessions: 3,
    spec: () => ({ recipe: 'mutex', dialect: 'zookeeper-writelock' }),
  },
  {
    name: 'ledger',
    path: '/billing/ledger',
    sessions: 4,
    spec: (index, hostName) => ({ recipe: index % 2 === 0 ? 'read' : 'write', dialect: 'rw-letters', hostName }),
  },
  {
    name: 'namenode',
    path: '/hadoop-ha/main/ActiveStandbyElectorLock',
    sessions: 2,
    spec: () => ({ recipe: 'exclusive' }),
  },
  { name: 'scheduler', path: '/scheduler/exclusive_lock/lock', sessions: 2, spec: () => ({ recipe: 'exclusive' }) },
  {
    // More contenders than a page of the tree shows. A session has several: they are the threads of a program. No semaphore: where
    // all that hold leases wait for another one, as these threads would, it may be a deadlock.
    name: 'crowd',
    path: '/tickets/on-sale',
    sessions: 5,
    threads: 50,
    spec: () => ({ recipe: 'mutex', dialect: 'curator' }),
  },
];

const importPath = '/imports/daily';

/** Removes a part of the tree, children first. */
async function removeTree(client: ZooKeeperClient, path: string): Promise<void> {
  try {
    const { children } = await client.getChildren(path);
    for (const child of children) await removeTree(client, `${path}/${child}`);
    const stat = await client.exists(path);
    if (stat !== undefined) await client.remove(path, stat.version);
  } catch (error) {
    if (!isZooKeeperError(error, 'NO_NODE')) throw error;
  }
}

/** One by one, so that the queue begins in this order. */
async function queueUp(
  { name, path, threads = 1, spec }: Service,
  root: string,
  clients: readonly ZooKeeperClient[],
  run: ExampleRun,
): Promise<void> {
  const contenders = Array.from({ length: threads }, () => clients).flat();
  for (const [index, client] of contenders.entries()) {
    const identifier = `${name}-${index + 1}`;
    const lock = createLock(client, `${root}${path}`, { identifier, ...spec(index, identifier) });
    await workAgainAndAgain(client, lock, run);
  }
}

/** A crashed program has left a persistent node, which Curator never makes: nothing moves until that is deleted. */
async function queueUpBehindStaleNode(
  path: string,
  clients: readonly [ZooKeeperClient, ZooKeeperClient],
  run: ExampleRun,
): Promise<void> {
  const [first] = clients;
  await ensureDirectory(first, path, { mode: 'persistent' });
  await first.create(`${path}/_c_${crypto.randomUUID()}-lock-`, {
    data: new TextEncoder().encode('importer-1 (crashed)'),
    mode: 'persistent_sequential',
  });
  for (const [index, client] of clients.entries()) {
    const identifier = `importer-${index + 2}`;
    const lock = createLock(client, path, { recipe: 'mutex', dialect: 'curator', identifier });
    await workAgainAndAgain(client, lock, run);
  }
}

/**
 * Fills a cluster with living lock queues in several dialects, below `root`: mutexes, readers and writers, semaphores, locks of
 * one node, a queue behind a stale node, and a deadlock.
 *
 * @param connectTo opens a session
 * @param report gets what went wrong while they run; the others go on
 * @param signal ends the start, and the examples
 * @returns as soon as all are there
 * @throws what went wrong before. No session stays then, and no node unless the signal has aborted
 */
export async function startExampleLocks(
  connectTo: () => Promise<ZooKeeperClient>,
  root: string,
  report: (text: string) => void,
  signal?: AbortSignal,
): Promise<ExampleLocks> {
  const ended = new AbortController();
  const run: ExampleRun = {
    signal: signal === undefined ? ended.signal : AbortSignal.any([ended.signal, signal]),
    report,
  };
  const accounts = [`${root}/bank/alice`, `${root}/bank/bob`] as const;
  const all: ZooKeeperClient[] = [];
  const open = async (): Promise<ZooKeeperClient> => {
    const client = await connectTo();
    all.push(client);
    // The others may have failed meanwhile.
    if (run.signal.aborted) await client.close();
    return client;
  };
  const openTwo = (): Promise<[ZooKeeperClient, ZooKeeperClient]> => Promise.all([open(), open()]);
  const start = async (service: Service): Promise<void> => {
    const clients = await Promise.all(Array.from({ length: service.sessions }, () => open()));
    await queueUp(service, root, clients, run);
  };
  const stop = async (): Promise<void> => {
    ended.abort();
    await Promise.all(all.map(client => client.close()));
  };
  const stopAndRemove = async (): Promise<void> => {
    ended.abort();
    const last = all.find(({ state }) => state === 'connected');
    await Promise.all(all.filter(client => client !== last).map(client => client.close()));
    if (last === undefined) report(`Examples below ${root} were not removed: no session is connected.`);
    else await removeTree(last, root).catch((error: unknown) => report(String(error)));
    await last?.close();
  };
  try {
    await Promise.all([
      ...services.map(service => start(service)),
      openTwo().then(clients => queueUpBehindStaleNode(`${root}${importPath}`, clients, run)),
      openTwo().then(clients => crossTransfers(clients, accounts, run)),
    ]);
  } catch (error) {
    await (signal?.aborted === true ? stop() : stopAndRemove());
    throw error;
  }
  const paths = [...[...services.map(({ path }) => path), importPath].map(path => `${root}${path}`), ...accounts];
  return { paths, stop, stopAndRemove };
}
