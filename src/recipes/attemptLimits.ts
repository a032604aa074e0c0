import { Deadline } from '../base/deadline.ts';
import { LateSignal } from '../base/lateSignal.ts';
import { unlessAborted } from '../base/unlessAborted.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import {
  NotConnectedError,
  OutcomeUnknownError,
  ReplyLostError,
  SessionLostError,
  ZooKeeperError,
} from '../zookeeper/errors.ts';
import { LockCancelled, LockTimeout, nodesLeftBy, SessionLost, withNodesLeft, type NodeLeft } from './errors.ts';
import type { AcquireOptions } from './lock.ts';

/** An attempt that may not wait still needs its round trips, ms; what takes longer is a dead connection. */
const tryOnceMs = 4_000;
/** setTimeout cannot wait this long, ms: a limit of 24 days or more counts as none. */
const longestTimerMs = 2 ** 31 - 1;

/** One deadline and one cancellation for a whole attempt, whatever it waits for. */
export class AttemptLimits {
  readonly path: string;
  /** Takes a node that the server refuses to delete when the attempt is over for its caller. */
  readonly onNodeLeft: (left: NodeLeft) => void;
  private readonly timeoutMs: number;
  private readonly deadline: Deadline;
  private readonly signal: AbortSignal | undefined;
  private readonly end = new LateSignal();

  constructor(path: string, options: AcquireOptions) {
    this.path = path;
    this.onNodeLeft = options.onNodeLeft ?? (() => undefined);
    this.timeoutMs = options.timeoutMs ?? Infinity;
    this.deadline = new Deadline(this.timeoutMs);
    this.signal = options.signal;
  }

  /** Whether the attempt may not wait: it reads the queue once. */
  get triesOnce(): boolean {
    return this.timeoutMs === 0;
  }

  /** Aborts at the end of the attempt, whatever its outcome: for watches, which would outlive it. */
  get ended(): AbortSignal {
    return this.end.signal;
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
   * @param start subscribes; the function that it returns is called at the end of the wait, whatever ends it
   * @throws LockTimeout, LockCancelled
   */
  async wait(start: (wake: () => void) => () => void): Promise<void> {
    this.throwIfCancelled();
    if (this.deadline.isOver) throw this.timedOut();
    const woken = Promise.withResolvers<undefined>();
    const timer = callWithin(this.deadline.remainingMs, () => woken.reject(this.timedOut()));
    const stop = start(() => woken.resolve(undefined));
    try {
      await unlessAborted(woken.promise, this.signal, () => new LockCancelled(this.path));
    } finally {
      stop();
      clearTimeout(timer);
    }
  }

  /**
   * Waits for an attempt, but not for its clean-up on a dead connection.
   *
   * @param graceMs how long the attempt may take to end by itself once its limits are over
   * @param discard receives what the attempt yields too late; returns what of it cannot be deleted
   * @throws LockTimeout, LockCancelled, NodeLeftBehind, and what the attempt throws
   */
  async inTime<T>(
    attempt: Promise<T>,
    graceMs: number,
    discard: (late: T) => Promise<NodeLeft | undefined>,
  ): Promise<T> {
    const overdue = Promise.withResolvers<never>();
    const limitMs = (this.triesOnce ? tryOnceMs : this.deadline.remainingMs) + graceMs;
    const timers = [callWithin(limitMs, () => overdue.reject(new LockTimeout(this.path, this.timeoutMs, false)))];
    const cancel = (): void => {
      timers.push(callWithin(graceMs, () => overdue.reject(new LockCancelled(this.path))));
    };
    this.signal?.addEventListener('abort', cancel);
    if (this.signal?.aborted === true) cancel();
    try {
      const yielded = await Promise.race([attempt, overdue.promise]);
      this.throwIfCancelled();
      return yielded;
    } catch (error) {
      const late = attempt.then(
        async yielded => [await discard(yielded)],
        (why: unknown) => (why === error ? [] : nodesLeftBy(why)),
      );
      throw withNodesLeft(error, await this.untilOverdue(late, overdue.promise));
    } finally {
      // Without a reason it would make an error with a stack trace, which is read by no listener.
      this.end.abort('over');
      for (const timer of timers) clearTimeout(timer);
      this.signal?.removeEventListener('abort', cancel);
    }
  }

  /**
   * What an attempt leaves whose limits are over. After a cancel it may have succeeded, so its clean-up is waited for until
   * `overdue`; what comes later goes to `onNodeLeft`.
   */
  private async untilOverdue(
    late: Promise<readonly (NodeLeft | undefined)[]>,
    overdue: Promise<never>,
  ): Promise<readonly (NodeLeft | undefined)[]> {
    const isCancelled = this.signal?.aborted === true;
    const left = isCancelled ? await Promise.race([late, overdue.catch(() => undefined)]) : undefined;
    if (left !== undefined) return left;
    void late.then(nodes => nodes.forEach(node => node && this.onNodeLeft(node)));
    return [];
  }

  /**
   * Repeats a request until the server answers it.
   *
   * @throws LockTimeout, LockCancelled, SessionLost, and what `request` throws except connection trouble
   */
  async untilAnswered<T>(client: ZooKeeperClient, request: () => Promise<T>): Promise<T> {
    for (;;) {
      await this.untilConnected(client);
      try {
        return await request();
      } catch (error) {
        if (!isConnectionTrouble(error)) throw error;
        await this.afterTrouble(client, error);
      }
    }
  }

  /**
   * Waits until it makes sense to repeat a request that failed with connection trouble.
   *
   * @throws SessionLost, LockTimeout, LockCancelled
   */
  async afterTrouble(client: ZooKeeperClient, error: unknown): Promise<void> {
    this.throwIfLost(client);
    if (!canRepeatAtOnce(client, error)) await this.wait(wake => wakeOnState(client, wake));
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
}

/** As setTimeout, which calls back at once for a time that is too long for it. */
function callWithin(ms: number, callback: () => void): NodeJS.Timeout | undefined {
  return ms > longestTimerMs ? undefined : setTimeout(callback, ms);
}

/**
 * Whether `error` says only that the connection or the session failed, or that the server can do nothing now: the session's state
 * decides what happens next.
 */
export function isConnectionTrouble(error: unknown): boolean {
  return (
    error instanceof NotConnectedError ||
    error instanceof ReplyLostError ||
    error instanceof OutcomeUnknownError ||
    error instanceof SessionLostError ||
    (error instanceof ZooKeeperError && nothingDone.has(error.codeName))
  );
}

/**
 * With these a server has done nothing. The first ones come before it closes the connection, since it does not serve this session
 * (any more); then it is overloaded, or without a quorum.
 */
const nothingDone: ReadonlySet<string> = new Set([
  'SESSION_EXPIRED',
  'SESSION_MOVED',
  'SESSION_CLOSED_REQUIRE_SASL_AUTH',
  'CONNECTION_LOSS',
  'THROTTLED_OP',
  'NOT_READONLY',
]);

/** The server is slow (as ClickHouse Keeper may report): what was asked for may be done or not. */
const answersInDoubt: ReadonlySet<string> = new Set(['REQUEST_TIMEOUT', 'OPERATION_TIMEOUT']);

/** Whether the server's answer leaves open if the request was carried out. */
export function isAnswerInDoubt(error: unknown): boolean {
  return error instanceof ZooKeeperError && answersInDoubt.has(error.codeName);
}

/** Whether the session has ended, and its nodes with it. */
export function isOver(client: ZooKeeperClient): boolean {
  return client.state === 'lost' || client.state === 'closed';
}

/** The session's state follows the clock too, and may improve without an event after a pause of this process, ms. */
const checkStateEveryMs = 200;

/**
 * Calls `wake` at the next change of the session's state, or after a while.
 *
 * @returns ends the subscription
 */
function wakeOnState(client: ZooKeeperClient, wake: () => void): () => void {
  const subscription = client.onState(wake);
  const timer = setTimeout(wake, checkStateEveryMs);
  return () => {
    subscription.dispose();
    clearTimeout(timer);
  };
}

/**
 * Repeats a request until the server answers it, or the session is over. For what must be done in the end, such as a delete:
 * answers in doubt are repeated too, and there is no deadline.
 *
 * @returns `undefined` if the session is over
 * @throws what `request` throws, except connection trouble and answers in doubt
 */
export async function retryUntilOver<T>(client: ZooKeeperClient, request: () => Promise<T>): Promise<T | undefined> {
  while (!isOver(client)) {
    try {
      return await request();
    } catch (error) {
      if (isOver(client)) return undefined;
      if (!isConnectionTrouble(error) && !isAnswerInDoubt(error)) throw error;
      if (canRepeatAtOnce(client, error)) continue;
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
 * Whether the connection is back after a lost reply. A session that is being closed, or was refused, still has the state
 * `connected`: repeating a request there at once would never end.
 */
function canRepeatAtOnce(client: ZooKeeperClient, error: unknown): boolean {
  return client.state === 'connected' && (error instanceof ReplyLostError || error instanceof OutcomeUnknownError);
}
