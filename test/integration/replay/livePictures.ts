import { readQueues } from '../../../src/inspector/readQueues.ts';
import type { LockQueue } from '../../../src/locks/lockQueue.ts';
import type { ReadResult, ZooKeeperClient } from '../../../src/zookeeper/client.ts';

/** The queues of a lock as the live inspector showed them, by the newest transaction that was read with them. */
export type Pictures = Map<bigint, LockQueue[]>;

/** Reads a lock again and again, so that hardly a transaction goes by between two pictures. @returns ends it */
export function takePictures(client: ZooKeeperClient, path: string): () => Promise<Pictures> {
  const pictures: Pictures = new Map();
  const end = new AbortController();
  const reading = (async () => {
    while (!end.signal.aborted) {
      const { queues, zxid } = await readNoting(client, path);
      if (queues.length > 0) pictures.set(zxid, queues);
    }
  })();
  // It is awaited at the end: a failure must not be taken for one of no one's.
  reading.catch(() => undefined);
  return async () => {
    end.abort();
    await reading;
    return pictures;
  };
}

/** Reads a lock. @returns its queues, and the newest transaction that was read with them */
export async function readNoting(
  client: ZooKeeperClient,
  path: string,
): Promise<{ queues: LockQueue[]; zxid: bigint }> {
  let zxid = 0n;
  const note = (result: ReadResult, isListing: boolean): void => {
    if (result.op !== 'getData') return;
    const { czxid, mzxid, pzxid } = result.stat;
    // Of a node that is not listed in the same request its children count for nothing.
    for (const each of isListing ? [mzxid, pzxid] : [czxid, mzxid]) if (each > zxid) zxid = each;
  };
  const noting = Object.create(client) as ZooKeeperClient;
  noting.readMany = async (reads, options = {}) => {
    const { onResult } = options;
    const isListing = reads.some(({ op }) => op === 'getChildren');
    const noted = (result: ReadResult, at: number): void => {
      note(result, isListing);
      onResult?.(result, at);
    };
    // Results that are given one by one are not given at the end.
    const results = await client.readMany(reads, onResult === undefined ? options : { ...options, onResult: noted });
    for (const result of results) note(result, isListing);
    return results;
  };
  return { queues: await readQueues(noting, path), zxid };
}

/** Without the orders in which a server lists children, which mean nothing. */
export function plainQueues(queues: readonly LockQueue[]): LockQueue[] {
  const keyOf = ({ path, dialect, lockName = '' }: LockQueue) => `${path} ${dialect} ${lockName}`;
  return queues
    .map(queue => ({
      ...queue,
      strangers: queue.strangers.toSorted(),
      hazards: queue.hazards.map(({ kind, names }) => ({ kind, names: names.toSorted() })),
    }))
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}
