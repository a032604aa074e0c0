import { lastSegment, parentPath } from '../base/paths.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError } from '../zookeeper/errors.ts';
import { isConnectionTrouble, type AttemptLimits } from './attemptLimits.ts';
import { WrongDialect } from './errors.ts';
import type { Place } from './lock.ts';
import { OwnNodeCreator, shortId, type OwnNode } from './ownNode.ts';
import { WakeUp } from './watches.ts';

/** An exclusive lock: its node, and who we are, for the node's data. */
export interface ExclusivePlan {
  client: ZooKeeperClient;
  path: string;
  identifier: string;
}

/**
 * Creates the single node of an exclusive lock (docs/recipes.md, R1).
 *
 * Layout: one ephemeral node, whose data says who holds it, with an id that distinguishes it from another of the same name.
 * Fairness: none; each release wakes every waiter, and the fastest wins. On disconnect after a create the node is read: it is ours
 * if it has our session and our id. Source: the simple lock that many services write by hand.
 *
 * @throws LockTimeout, LockCancelled, SessionLost, WrongDialect, ZooKeeperError; no own node is left behind then
 */
export async function acquireExclusive(
  plan: ExclusivePlan,
  limits: AttemptLimits,
  report: (place: Place) => void,
): Promise<OwnNode> {
  const { client, path, identifier } = plan;
  const creator = new OwnNodeCreator(
    {
      client,
      directory: parentPath(path),
      mode: 'ephemeral',
      name: () => lastSegment(path),
      data: attemptId => Buffer.from(`${identifier} #${shortId(attemptId)}`),
      hasIdInName: false,
    },
    limits,
  );
  const wakeUp = new WakeUp(limits);
  for (;;) {
    try {
      return (await creator.create()).node;
    } catch (error) {
      if (!isZooKeeperError(error, 'NODE_EXISTS')) throw error;
    }
    await waitWhileTaken(plan, limits, wakeUp, report);
  }
}

/** Waits for a change of the node that is in the way. */
async function waitWhileTaken(
  { client, path }: ExclusivePlan,
  limits: AttemptLimits,
  wakeUp: WakeUp,
  report: (place: Place) => void,
): Promise<void> {
  wakeUp.reset();
  try {
    // An attempt that may not wait needs no watch.
    const { stat } = await client.getData(path, limits.triesOnce ? {} : wakeUp.watching);
    if (stat.ephemeralOwner === 0n && stat.numChildren > 0) throw new WrongDialect(path, { kind: 'directory' });
  } catch (error) {
    if (isZooKeeperError(error, 'NO_NODE') || isConnectionTrouble(error)) return;
    throw error;
  }
  if (limits.triesOnce) throw limits.timedOut();
  report({ path: undefined, ahead: 1, waitsFor: path });
  await wakeUp.wait(client);
}
