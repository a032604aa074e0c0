import type { Disposable } from '../../../src/base/disposable.ts';
import { watchQueues } from '../../../src/inspector/watchQueues.ts';
import type { LockQueue } from '../../../src/locks/lockQueue.ts';
import type { ReadRequest, ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import type { Commands } from './answerLines.ts';
import type { Sessions } from './sessions.ts';

interface Counts {
  listings: number;
  calls: number;
}

/** The same client, with every listing counted. */
function counting(client: ZooKeeperClient, counts: Counts): ZooKeeperClient {
  const readMany: ZooKeeperClient['readMany'] = (reads: readonly ReadRequest[], options) => {
    for (const { op } of reads) if (op === 'getChildren') counts.listings += 1;
    return client.readMany(reads, options);
  };
  const getChildren: ZooKeeperClient['getChildren'] = (path, options) => {
    counts.listings += 1;
    return client.getChildren(path, options);
  };
  const replaced = new Map<string | symbol, unknown>([
    ['readMany', readMany],
    ['getChildren', getChildren],
  ]);
  return new Proxy(client, {
    get(target, key) {
      const value: unknown = replaced.get(key) ?? Reflect.get(target, key);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** Bytes that are in use after a collection. */
function usedBytes(): { heap: number; external: number; rss: number } {
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed, external, rss };
}

interface Arrival {
  czxid: string;
  /** Nanoseconds of the system's monotonic clock, which all programs of a machine share. */
  at: string;
}

/** Reports when a contender was first seen. */
function noteArrivals(arrivals: Arrival[]): (queues: LockQueue[]) => void {
  let newest = 0n;
  return queues => {
    const at = process.hrtime.bigint().toString();
    let latest = newest;
    for (const { czxid } of queues.flatMap(queue => queue.contenders)) {
      if (czxid <= newest) continue;
      arrivals.push({ czxid: czxid.toString(), at });
      if (czxid > latest) latest = czxid;
    }
    newest = latest;
  };
}

/** Locks watched by `watchQueues`. */
export function watchingCommands(sessions: Sessions): Commands {
  const counts: Counts = { listings: 0, calls: 0 };
  const arrivals: Arrival[] = [];
  let watches: Disposable[] = [];
  return {
    /** Watches the locks `l0`, `l1`, ... below a root. */
    async watch({ root, count, notes }) {
      const client = counting(await sessions.one(), counts);
      const before = usedBytes();
      for (let at = 0; at < Number(count); at += 100) {
        const some = Array.from({ length: Math.min(100, Number(count) - at) }, (_, index) => {
          const path = `${String(root)}/l${at + index}`;
          return watchQueues(client, path, notes === true ? noteArrivals(arrivals) : () => void (counts.calls += 1));
        });
        watches.push(...(await Promise.all(some)));
      }
      arrivals.length = 0;
      return { before, after: usedBytes() };
    },
    unwatch() {
      for (const watch of watches) watch.dispose();
      watches = [];
      return Promise.resolve({});
    },
    arrivals() {
      return Promise.resolve(arrivals.splice(0));
    },
    /** Collects garbage: not to be asked while processor time is measured. */
    memory() {
      return Promise.resolve(usedBytes());
    },
    /** Counted since the start of the program. */
    usage() {
      const { user, system } = process.cpuUsage();
      return Promise.resolve({ ...counts, cpuMs: (user + system) / 1000, nowMs: performance.now() });
    },
    /** Keeps one lock on display, as the tree does. */
    async hold({ path }) {
      const before = usedBytes();
      let contenders = 0;
      watches.push(
        await watchQueues(await sessions.one(), String(path), queues => {
          contenders = queues[0]?.contenders.length ?? 0;
        }),
      );
      return { before, after: usedBytes(), contenders };
    },
  };
}
