import { lastSegment } from '../base/paths.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError, unlessAnswered } from '../zookeeper/errors.ts';
import type { AttemptLimits } from './attemptLimits.ts';
import { RemovedFromQueue, withNodesLeft, WrongDialect } from './errors.ts';
import type { Place } from './lock.ts';
import {
  cleanUpOwnNode,
  deleteOwnNode,
  ensureDirectory,
  OwnNodeCreator,
  type OwnNode,
  type OwnNodePlan,
} from './ownNode.ts';
import { acquireInQueue, type QueuePlan } from './queueAttempt.ts';
import { untilChildren } from './watches.ts';

/** A semaphore whose leases are the children of one directory, and whose queue is a lock beside it. */
export interface LeasePlan {
  /** The lock that one contender holds while it takes its lease. */
  queue: QueuePlan;
  /** How the lease nodes are created. */
  lease: OwnNodePlan;
  maxLeases: number;
  /**
   * `first`: the lease is created, and counts once there are no more than the limit. `when-free`: it is created when there are
   * fewer than the limit, which is stored in the data of the leases' directory.
   */
  made: 'first' | 'when-free';
}

type Report = (place: Place) => void;

/**
 * One attempt to get a lease of a semaphore.
 *
 * Layout: the head of the queue takes its lease, and leaves the queue after that; own nodes are one contender while waiting, and
 * one lease. Fairness: by the queue. On disconnect: as `acquireInQueue`; a lease whose create got no reply is searched by its id.
 * Sources: Curator's InterProcessSemaphoreV2 (`first`) and kazoo's Semaphore (`when-free`; kazoo/recipe/lock.py).
 *
 * @returns the lease node; no other own node is left
 * @throws what acquireInQueue throws; no own node is left then. WrongDialect for another stored limit
 */
export async function acquireLease(plan: LeasePlan, limits: AttemptLimits, report: Report): Promise<OwnNode> {
  const { queue, made } = plan;
  const { client } = queue;
  if (made === 'when-free') await limits.untilAnswered(client, () => checkStoredLimit(plan));
  const contender = await acquireInQueue(queue, limits, report);
  const leases: OwnNode[] = [];
  try {
    const creator = new OwnNodeCreator(plan.lease, limits);
    const lease =
      made === 'first' ? (await creator.create()).node : await createWhenFree(creator, plan, limits, report);
    leases.push(lease);
    if (made === 'first') await untilWithinLimit(lease, plan, limits, report);
    limits.throwIfCancelled();
    await deleteOwnNode(client, contender, true);
    return lease;
  } catch (error) {
    const [lease] = leases;
    const leaseLeft = lease && (await cleanUpOwnNode(client, lease, true, limits));
    throw withNodesLeft(error, [leaseLeft, await cleanUpOwnNode(client, contender, true, limits)]);
  }
}

/** Waits until a lease that was created counts. */
async function untilWithinLimit(
  { path }: OwnNode,
  { lease, maxLeases }: LeasePlan,
  limits: AttemptLimits,
  report: Report,
): Promise<void> {
  const isWithinLimit = (names: readonly string[]): boolean => {
    if (!names.includes(lastSegment(path))) throw new RemovedFromQueue(path);
    return names.length <= maxLeases;
  };
  await untilChildren(lease, limits, isWithinLimit, names =>
    report({ path, ahead: names.length - maxLeases, waitsFor: undefined }),
  );
}

async function createWhenFree(
  creator: OwnNodeCreator,
  { lease: { client, directory }, maxLeases }: LeasePlan,
  limits: AttemptLimits,
  report: Report,
): Promise<OwnNode> {
  let lease: OwnNode | undefined;
  const isTaken = async (listed: readonly string[]): Promise<boolean> => {
    for (let names = listed; names.length < maxLeases; names = (await client.getChildren(directory)).children) {
      lease = (await creator.tryCreate())?.node;
      if (lease !== undefined) return true;
    }
    return false;
  };
  await untilChildren({ client, directory }, limits, isTaken, names =>
    report({ path: undefined, ahead: names.length - maxLeases + 1, waitsFor: undefined }),
  );
  if (lease === undefined) throw new Error('The wait ended without a lease.');
  return lease;
}

/**
 * All contenders must agree on the limit. kazoo creates the directory before it writes the limit, and ignores what is no
 * number: so do we.
 */
async function checkStoredLimit({ lease: { client, directory, making }, maxLeases }: LeasePlan): Promise<void> {
  await ensureDirectory(client, directory, making);
  const { data } = await client.getData(directory);
  const stored = Buffer.from(data).toString().trim();
  if (/^[+-]?\d+$/.test(stored) && Number(stored) !== maxLeases) {
    throw new WrongDialect(directory, { kind: 'limit', found: stored.slice(0, 20), wanted: maxLeases });
  }
}

/** Data of a node whose lease is held (DistributedLock.NET's semaphore). */
export const holderMark: Uint8Array = Buffer.from('ACQUIRED');

/**
 * Marks the node of a lease as held: DistributedLock.NET recognises the holders of a semaphore by their data, and the next one
 * in the queue waits for that mark alone.
 *
 * @throws what the attempt throws, RemovedFromQueue, LockTimeout, LockCancelled, SessionLost; no node is left then.
 *   NodeLeftBehind if one is
 */
export async function markHolder(
  client: ZooKeeperClient,
  attempt: Promise<OwnNode>,
  limits: AttemptLimits,
): Promise<OwnNode> {
  const node = await attempt;
  try {
    return await limits.untilAnswered(client, () => writeMark(client, node));
  } catch (error) {
    throw withNodesLeft(error, [await cleanUpOwnNode(client, node, true, limits)]);
  }
}

async function writeMark(client: ZooKeeperClient, node: OwnNode): Promise<OwnNode> {
  for (let known = 0; ;) {
    try {
      const { version } = await client.setData(node.path, holderMark, known);
      return { ...node, version };
    } catch (error) {
      if (isZooKeeperError(error, 'NO_NODE')) throw new RemovedFromQueue(node.path);
      if (!isZooKeeperError(error, 'BAD_VERSION')) throw error;
    }
    // Written already: by us, with a reply that was lost, or by another client.
    const read = await unlessAnswered(client.getData(node.path), 'NO_NODE');
    if (read?.stat.czxid !== node.czxid) throw new RemovedFromQueue(node.path);
    const { version } = read.stat;
    if (Buffer.compare(read.data, holderMark) === 0) return { ...node, version };
    known = version;
  }
}
