import type { ZooKeeperClient } from '../zookeeper/client.ts';
import {
  NotConnectedError,
  OutcomeUnknownError,
  ReplyLostError,
  SessionLostError,
  ZooKeeperError,
} from '../zookeeper/errors.ts';

/** Whether `error` says only that connection or session failed: what is asked next is the state of the session. */
export function isConnectionTrouble(error: unknown): boolean {
  return (
    error instanceof NotConnectedError ||
    error instanceof ReplyLostError ||
    error instanceof OutcomeUnknownError ||
    error instanceof SessionLostError ||
    (error instanceof ZooKeeperError && sessionRefusals.has(error.codeName))
  );
}

/** A server answers so before it hangs up: it no longer serves this session, and nothing was done. */
const sessionRefusals: ReadonlySet<string> = new Set(['SESSION_EXPIRED', 'SESSION_MOVED', 'CONNECTION_LOSS']);

/** The server refuses for the moment: it is overloaded, slow (ClickHouse Keeper says so, too), or without a quorum. */
function mayPass(error: unknown): boolean {
  return error instanceof ZooKeeperError && passingRefusals.has(error.codeName);
}

const passingRefusals: ReadonlySet<string> = new Set([
  'THROTTLED_OP',
  'REQUEST_TIMEOUT',
  'OPERATION_TIMEOUT',
  'NOT_READONLY',
]);

/** Whether the session has ended, and its nodes with it. */
export function isOver(client: ZooKeeperClient): boolean {
  return client.state === 'lost' || client.state === 'closed';
}

/** A state that is judged by the clock may get better without an event (after a pause of this process), ms. */
const lookAgainAfterMs = 200;

/**
 * Calls `wake` at the next change of the session's state, or after a while.
 *
 * @returns ends it
 */
export function wakeOnState(client: ZooKeeperClient, wake: () => void): () => void {
  const subscription = client.onState(wake);
  const timer = setTimeout(wake, lookAgainAfterMs);
  return () => {
    subscription.dispose();
    clearTimeout(timer);
  };
}

/**
 * Asks until there is an answer, or the session is over. For what must be done in the end, such as a delete: a server that
 * refuses for the moment is asked again, too.
 *
 * @throws what `ask` throws, except connection trouble and what passes
 */
export async function askUntilAnswered<T>(client: ZooKeeperClient, ask: () => Promise<T>): Promise<T | undefined> {
  while (!isOver(client)) {
    try {
      return await ask();
    } catch (error) {
      if (isOver(client)) return undefined;
      if (!isConnectionTrouble(error) && !mayPass(error)) throw error;
      if (mayAskAtOnce(client, error)) continue;
    }
    await new Promise<void>(resolve => {
      const stop = wakeOnState(client, () => {
        stop();
        resolve();
      });
    });
  }
  return undefined;
}

/**
 * Whether the connection is back after a lost reply. A session that is being closed, or was refused, still says `connected`:
 * asking it at once would ask for ever.
 */
export function mayAskAtOnce(client: ZooKeeperClient, error: unknown): boolean {
  return client.state === 'connected' && (error instanceof ReplyLostError || error instanceof OutcomeUnknownError);
}
