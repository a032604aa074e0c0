import { readQueues } from '../../inspector/readQueues.ts';
import type { Contender } from '../../locks/lockQueue.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import type { TestLockRequest } from './testLock.ts';

/** The holder that a request waited for in vain; `undefined` if it cannot be read now, or of several locks. */
export async function holderInTheWay(
  client: ZooKeeperClient | undefined,
  { paths, lockName }: Pick<TestLockRequest, 'paths' | 'lockName'>,
): Promise<Contender | undefined> {
  const [path] = paths;
  if (client === undefined || path === undefined || paths.length > 1) return undefined;
  try {
    // A directory may hold several locks, which differ in name.
    const queues = (await readQueues(client, path)).filter(
      queue => lockName === undefined || queue.lockName === lockName,
    );
    return queues.flatMap(({ contenders }) => contenders).find(({ role }) => role === 'holder');
  } catch {
    // The lock's own row in the tree shows the failure.
    return undefined;
  }
}
