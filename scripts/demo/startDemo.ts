import { connect } from '../../src/zookeeper/connect.ts';
import { pause, type DemoQueue, type Member } from './demoQueue.ts';
import { KazooSemaphore } from './kazooSemaphore.ts';
import { removeTree } from './nodes.ts';
import * as layouts from './sequentialQueue.ts';
import { SingleNodeLock } from './singleNodeLock.ts';
import { StaleLock } from './staleLock.ts';

export interface Demo {
  /** Lock paths, in the order in which they were made. */
  paths: string[];
  /** Ends all sessions and removes what the demo created. */
  stop(): Promise<void>;
}

/** What the demo shows: service, sessions, and how its lock is made. */
const cast: { service: string; members: number; queue: (root: string, members: Member[]) => DemoQueue }[] = [
  { service: 'checkout', members: 4, queue: (root, m) => sequential(`${root}/shop/checkout`, layouts.curatorMutex, m) },
  { service: 'prices', members: 5, queue: (root, m) => sequential(`${root}/shop/prices`, layouts.curatorReadWrite, m) },
  { service: 'report', members: 3, queue: (root, m) => sequential(`${root}/reports/nightly`, layouts.kazooLock, m) },
  { service: 'mail', members: 5, queue: (root, m) => new KazooSemaphore(`${root}/mail/senders`, m, 2) },
  {
    service: 'billing',
    members: 3,
    queue: (root, m) => sequential(`${root}/billing/invoices`, layouts.goZookeeper, m),
  },
  {
    service: 'index',
    members: 3,
    queue: (root, m) => sequential(`${root}/search/index`, layouts.zooKeeperWriteLock, m),
  },
  { service: 'ledger', members: 4, queue: (root, m) => sequential(`${root}/billing/ledger`, layouts.hostReadWrite, m) },
  {
    service: 'namenode',
    members: 2,
    queue: (root, m) => new SingleNodeLock(`${root}/hadoop-ha/main`, 'ActiveStandbyElectorLock', m),
  },
  {
    service: 'scheduler',
    members: 2,
    queue: (root, m) => new SingleNodeLock(`${root}/scheduler/exclusive_lock`, 'lock', m),
  },
  { service: 'importer', members: 3, queue: (root, m) => new StaleLock(`${root}/imports/daily`, m) },
  {
    service: 'crowd',
    members: 5,
    queue: (root, m) => new KazooSemaphore(`${root}/tickets/on-sale`, inTurns(m, 500), 10),
  },
];

function sequential(path: string, layout: layouts.SequentialLayout, members: Member[]): DemoQueue {
  return new layouts.SequentialQueue(path, layout, members);
}

/** The members one after the other, again and again: a session may hold several leases, so each may want a hundred. */
function inTurns(members: readonly Member[], length: number): Member[] {
  return Array.from({ length }, (_, index) => members[index % members.length]!);
}

async function openMembers(connectString: string, service: string, count: number): Promise<Member[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => ({
      client: await connect(connectString),
      host: `${service}-${index + 1}`,
    })),
  );
}

async function keepMoving(queue: DemoQueue, signal: AbortSignal, report: (text: string) => void): Promise<void> {
  while (!signal.aborted) {
    await pause(2_000, 5_000);
    if (isOver(signal)) return;
    try {
      await queue.handOver();
    } catch (error) {
      if (isOver(signal)) return;
      report(`Demo lock ${queue.path}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

/** The compiler takes `aborted` for constant inside a loop that has tested it. */
function isOver(signal: AbortSignal): boolean {
  return signal.aborted;
}

/**
 * Fills a cluster with living lock queues in several dialects, below `root`. Every contender has its own session; holders
 * hand over every two to five seconds.
 *
 * @param report gets what went wrong while it runs; a demo that stumbles goes on
 */
export async function startDemo(connectString: string, root: string, report: (text: string) => void): Promise<Demo> {
  const members: Member[] = [];
  const ended = new AbortController();
  const queues: DemoQueue[] = [];
  for (const { service, members: count, queue } of cast) {
    const cluster = await openMembers(connectString, service, count);
    members.push(...cluster);
    queues.push(queue(root, cluster));
  }
  for (const queue of queues) await queue.fill();
  for (const queue of queues) void keepMoving(queue, ended.signal, report);
  return {
    paths: queues.map(queue => queue.path),
    async stop() {
      ended.abort();
      await Promise.all(members.slice(1).map(({ client }) => client.close()));
      const last = members[0]!.client;
      // A cluster that is stopped with us takes its nodes along; one that is not must be left clean.
      if (last.state === 'connected') await removeTree(last, root).catch((error: unknown) => report(String(error)));
      await last.close();
    },
  };
}
