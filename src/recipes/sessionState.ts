import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { NotConnectedError, OutcomeUnknownError, ReplyLostError } from '../zookeeper/errors.ts';

/** Whether `error` says only that the connection failed, so that the same question may be asked again. */
export function isConnectionTrouble(error: unknown): boolean {
  return error instanceof NotConnectedError || error instanceof ReplyLostError || error instanceof OutcomeUnknownError;
}

/** Whether the session has ended, and its nodes with it. */
export function isOver(client: ZooKeeperClient): boolean {
  return client.state === 'lost' || client.state === 'closed';
}

/** Resolves at the next change of an uncertain session; at once for any other. */
export function untilSettled(client: ZooKeeperClient): Promise<void> {
  if (client.state !== 'uncertain') return Promise.resolve();
  return new Promise(resolve => {
    const subscription = client.onState(() => {
      subscription.dispose();
      resolve();
    });
  });
}

/**
 * Asks until there is an answer, or the session is over.
 *
 * @throws what `ask` throws, except connection trouble
 */
export async function askUntilAnswered<T>(client: ZooKeeperClient, ask: () => Promise<T>): Promise<T | undefined> {
  while (!isOver(client)) {
    try {
      return await ask();
    } catch (error) {
      if (isOver(client)) return undefined;
      if (!isConnectionTrouble(error)) throw error;
    }
    await untilSettled(client);
  }
  return undefined;
}
