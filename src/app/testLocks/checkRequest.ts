import { findSelfBlock } from './selfBlock.ts';
import type { TestLock, TestLockRequest } from './testLock.ts';
import { ReadOnlyCluster } from '../clusters/clusterErrors.ts';
import { SelfBlocked } from './testLockErrors.ts';

/** Refuses what must not be sent. @throws ReadOnlyCluster, SelfBlocked */
export function checkRequest(request: TestLockRequest, locks: readonly TestLock[]): void {
  const { profile } = request.cluster;
  if (profile.readOnly === true) throw new ReadOnlyCluster(profile.name);
  const block = findSelfBlock(request, locks);
  if (block !== undefined) throw new SelfBlocked(block.path, block.lock);
}
