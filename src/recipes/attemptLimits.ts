import { Deadline } from '../base/deadline.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { LockCancelled, LockTimeout, type NodeLeft, SessionLost, withNodesLeft } from './errors.ts';
import type { AcquireOptions } from './lock.ts';
import {
  NotConnectedError,
  OutcomeUnknownError,
  ReplyLostError,
  SessionLostError,
  ZooKeeperError,
} from '../zookeeper/errors.ts';

/** One deadline and one cancellation for a whole attempt, whatever it waits for. */
export class AttemptLimits {
  readonly path: string;
  private readonly timeoutMs: number;
  private readonly deadline: Deadline;
  private readonly signal: AbortSignal | undefined;

  constructor(path: string, options: AcquireOptions) {
    this.path = path;
    this.timeoutMs = options.timeoutMs ?? Infinity;
    this.deadline = new Deadline(this.timeoutMs);
    this.signal = options.signal;
  }

  /** Whether one look is all that was asked for. */
  get triesOnce(): boolean {
    return this.timeoutMs === 0;
  }

  get remainingMs(): number {
    return this.deadline.remainingMs;
  }

  /** @throws LockCancelled */
  throwIfCancelled(): void {
    if (this.signal?.aborted === true) throw new LockCancelled(this.path);
  }

  timedOut(): LockTimeout {
    return new LockTimeout(this.path, this.timeoutMs);
  }

  /**
   * Waits until `start` calls `wake`, at most until the deadline.
   *
   * @param start subscribes; what it returns is called at the end, however it ends
   * @throws LockTimeout, LockCancelled
   */
  async wait(start: (wake: () => void) => () => void): Promise<void> {
    this.throwIfCancelled();
    if (this.deadline.isOver) throw this.timedOut();
    const woken = Promise.withResolvers<undefined>();
    const stopLimit = this.onLimit(0, this.deadline.remainingMs, error => woken.reject(error));
    const stop = start(() => woken.resolve(undefined));
    try {
      await woken.promise;
    } finally {
      stop();
      stopLimit();
    }
  }

  /**
   * Waits for an attempt, but not for its last words on a dead connection.
   *
   * @param graceMs how long the attempt may take to end by itself once its limits are over
   * @param discard gets what the attempt yields too late; what of it is left must be told
   * @throws LockTimeout, LockCancelled, NodeLeftBehind, and what the attempt throws
   */
  async inTime<T>(
    attempt: Promise<T>,
    graceMs: number,
    discard: (late: T) => Promise<NodeLeft | undefined>,
  ): Promise<T> {
    const overdue = Promise.withResolvers<never>();
    // One look needs its round trips; what it waits for beyond them is only a dead connection.
    const limitMs = this.triesOnce ? tryOnceMs : this.deadline.remainingMs;
    const stop = this.onLimit(graceMs, limitMs + graceMs, error =>
      overdue.reject(error instanceof LockTimeout ? new LockTimeout(this.path, this.timeoutMs, false) : error),
    );
    try {
      const yielded = await Promise.race([attempt, overdue.promise]);
      this.throwIfCancelled();
      return yielded;
    } catch (error) {
      const late = attempt.then(discard, () => undefined);
      // The attempt itself may have ended too late to be wanted; if it has not ended, it is not waited for.
      if (this.signal?.aborted !== true) throw error;
      throw withNodesLeft(error, [await Promise.race([late, overdue.promise.catch(() => undefined)])]);
    } finally {
      stop();
    }
  }

  /**
   * Asks until there is an answer.
   *
   * @throws LockTimeout, LockCancelled, SessionLost, and what `ask` throws except connection trouble
   */
  async untilAnswered<T>(client: ZooKeeperClient, ask: () => Promise<T>): Promise<T> {
    for (;;) {
      await this.untilConnected(client);
      try {
        return await ask();
      } catch (error) {
        if (!isConnectionTrouble(error)) throw error;
        await this.afterTrouble(client, error);
      }
    }
  }

  /**
   * Waits until it makes sense to ask again.
   *
   * @throws SessionLost, LockTimeout, LockCancelled
   */
  async afterTrouble(client: ZooKeeperClient, error: unknown): Promise<void> {
    this.throwIfLost(client);
    if (!mayAskAtOnce(client, error)) await this.wait(wake => wakeOnState(client, wake));
  }

  /**
   * Waits until the session is confirmed.
   *
   * @throws SessionLost, LockTimeout, LockCancelled
   */
  async untilConnected(client: ZooKeeperClient): Promise<void> {
    while (client.state !== 'connected') {
      this.throwIfLost(client);
      await this.wait(wake => wakeOnState(client, wake));
    }
  }

  /** @throws SessionLost */
  throwIfLost(client: ZooKeeperClient): void {
    if (client.state === 'lost') throw new SessionLost(this.path, 'the session is lost');
    if (client.state === 'closed') throw new SessionLost(this.path, 'the session was closed');
  }

  /** Calls `end` once: `cancelMs` after a cancel or `limitMs` from now. @returns stops it */
  private onLimit(cancelMs: number, limitMs: number, end: (error: Error) => void): () => void {
    const timers: NodeJS.Timeout[] = [];
    const cancel = (): void => {
      if (cancelMs === 0) end(new LockCancelled(this.path));
      else timers.push(setTimeout(() => end(new LockCancelled(this.path)), cancelMs));
    };
    // setTimeout cannot wait longer than 2^31 - 1 ms; a limit of 24 days or more is none.
    if (limitMs < 2 ** 31) timers.push(setTimeout(() => end(this.timedOut()), limitMs));
    if (this.signal?.aborted === true) cancel();
    else this.signal?.addEventListener('abort', cancel);
    return () => {
      for (const timer of timers) clearTimeout(timer);
      this.signal?.removeEventListener('abort', cancel);
    };
  }
}

const tryOnceMs = 4_000;

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
