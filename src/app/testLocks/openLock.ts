import { createLock } from '../../recipes/createLock.ts';
import type { Lock } from '../../recipes/lock.ts';
import { createMultiLock } from '../../recipes/multiLock.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import type { TestLockRequest } from './testLock.ts';

/**
 * The lock object for a request. Nothing is sent yet.
 *
 * @throws WrongDialect, RangeError for what the recipe cannot be
 */
export function openLock(client: ZooKeeperClient, request: TestLockRequest): Lock {
  const { recipe, paths, dialect, identifier, lockName, hostName, maxLeases } = request;
  const naming = { identifier, dialect, lockName, hostName };
  if (recipe === 'several') {
    return createMultiLock(paths.map(path => createLock(client, path, { recipe: 'mutex', ...naming })));
  }
  const [path] = paths;
  if (path === undefined) throw new RangeError('A lock needs a path.');
  if (recipe === 'exclusive') return createLock(client, path, { recipe, identifier });
  return createLock(client, path, { recipe, maxLeases, ...naming });
}
