import { createLock } from '../../recipes/createLock.ts';
import { LockCancelled } from '../../recipes/errors.ts';
import type { Lease, Lock } from '../../recipes/lock.ts';
import { createMultiLock } from '../../recipes/multiLock.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import { pause, workAgainAndAgain, type ExampleRun } from './exampleService.ts';

/** One of two programs that take both of two locks. */
interface Transfer {
  client: ZooKeeperClient;
  name: string;
  first: string;
  second: string;
}

/** How long the one that was let through works with both accounts, ms. */
const workMs = [2_000, 3_000] as const;

function accountLock({ client, name }: Transfer, path: string): Lock {
  return createLock(client, path, { recipe: 'mutex', dialect: 'curator', identifier: name });
}

/**
 * The classic deadlock: two transfers lock the same two accounts, each in its own order. It lasts until one of their nodes is
 * deleted; the transfer that lost it gives up what it holds, which lets the other one through. From then on both lock the accounts
 * in the same order, which is the remedy for programs, too.
 *
 * @returns as soon as each holds one account and waits for the other's
 */
export async function crossTransfers(
  [one, other]: readonly [ZooKeeperClient, ZooKeeperClient],
  [left, right]: readonly [string, string],
  run: ExampleRun,
): Promise<void> {
  const transfers: Transfer[] = [
    { client: one, name: 'transfer-1', first: left, second: right },
    { client: other, name: 'transfer-2', first: right, second: left },
  ];
  const holding = await Promise.all(
    transfers.map(async transfer => {
      const lease = await accountLock(transfer, transfer.first).acquire({ signal: run.signal });
      return { transfer, lease };
    }),
  );
  const ends: Promise<void>[] = [];
  const queued = holding.map(({ transfer, lease }) => {
    const waiting = Promise.withResolvers<undefined>();
    ends.push(finishCrossed(transfer, lease, run, () => waiting.resolve(undefined)));
    return waiting.promise;
  });
  const crossed = Promise.all(ends);
  void crossed.then(() => {
    for (const transfer of transfers) transferInOrder(transfer, [left, right], run);
  });
  await Promise.race([Promise.all(queued), crossed]);
}

/** Waits for the second account while it holds the first. Gives up when one of its two nodes is deleted. */
async function finishCrossed(transfer: Transfer, first: Lease, run: ExampleRun, onWaiting: () => void): Promise<void> {
  const { client, name, second } = transfer;
  const deleted = new AbortController();
  const signal = AbortSignal.any([run.signal, first.signal, deleted.signal]);
  const giveUp = (): void => deleted.abort();
  // A waiter of the recipe looks at its own node when the one before it goes, which never happens here.
  const followOwnNode = async (path: string): Promise<void> => {
    if ((await client.exists(path, { watch: giveUp })) === undefined) giveUp();
  };
  const fail = (error: unknown): void => {
    if (!(error instanceof LockCancelled) && !run.signal.aborted) run.report(`Example ${name}: ${String(error)}`);
  };
  try {
    const lease = await accountLock(transfer, second).acquire({
      signal,
      onWaiting: ({ path }) => {
        if (path !== undefined) followOwnNode(path).catch(giveUp);
        onWaiting();
      },
    });
    await pause(workMs, signal);
    await lease.release();
  } catch (error) {
    fail(error);
  }
  await first.release().catch(fail);
}

function transferInOrder(transfer: Transfer, accounts: readonly string[], run: ExampleRun): void {
  const both = createMultiLock(accounts.map(path => accountLock(transfer, path)));
  void workAgainAndAgain(transfer.client, both, run);
}
