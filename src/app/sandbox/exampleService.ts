import { setTimeout } from 'node:timers/promises';
import { RemovedFromQueue } from '../../recipes/errors.ts';
import type { Lock } from '../../recipes/lock.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';

/** What the examples of one run share. */
export interface ExampleRun {
  /** Aborts when they end. */
  signal: AbortSignal;
  /** Gets what went wrong; the others go on. */
  report(text: string): void;
}

/** Shortest and longest, ms. */
type Span = readonly [number, number];

const holdMs: Span = [2_000, 5_000];
/** Long enough to be seen out of the queue, short enough that there is one. */
const restMs: Span = [200, 1_500];

/** Ends early, and throws nothing, when the signal aborts. */
export async function pause([shortest, longest]: Span, signal: AbortSignal): Promise<void> {
  await setTimeout(shortest + Math.random() * (longest - shortest), undefined, { signal }).catch(() => undefined);
}

/** The compiler takes `aborted` for constant after it was tested once. */
function isOver({ signal }: ExampleRun, client: ZooKeeperClient): boolean {
  return signal.aborted || client.state === 'lost' || client.state === 'closed';
}

function failureText(path: string, error: unknown): string {
  return `Example lock ${path}: ${error instanceof Error ? error.message : String(error)}`;
}

/**
 * Takes a lock, holds it for some seconds, gives it back and queues up again, until the run or the session ends. A node that
 * another client deletes is noticed as a service would notice it: a holder at once, a waiter when the one before it goes.
 *
 * @returns as soon as it holds or waits for the first time
 */
export function workAgainAndAgain(client: ZooKeeperClient, lock: Lock, run: ExampleRun): Promise<void> {
  const queued = Promise.withResolvers<undefined>();
  const onWaiting = (): void => queued.resolve(undefined);
  const work = async (): Promise<void> => {
    while (!isOver(run, client)) {
      try {
        const lease = await lock.acquire({ signal: run.signal, onWaiting });
        queued.resolve(undefined);
        await pause(holdMs, AbortSignal.any([run.signal, lease.signal]));
        await lease.release();
      } catch (error) {
        if (isOver(run, client)) break;
        if (!(error instanceof RemovedFromQueue)) run.report(failureText(lock.path, error));
      }
      await pause(restMs, run.signal);
    }
    queued.resolve(undefined);
  };
  void work();
  return queued.promise;
}
