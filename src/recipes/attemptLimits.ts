import { Deadline } from '../base/deadline.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { LockCancelled, LockTimeout, SessionLost } from './errors.ts';
import type { AcquireOptions } from './lock.ts';

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
    const cancel = (): void => woken.reject(new LockCancelled(this.path));
    // setTimeout cannot wait longer than 2^31 - 1 ms; a limit of 24 days or more is none.
    const limited = this.deadline.remainingMs < 2 ** 31;
    const timer = limited ? setTimeout(() => woken.reject(this.timedOut()), this.deadline.remainingMs) : undefined;
    this.signal?.addEventListener('abort', cancel);
    const stop = start(() => woken.resolve(undefined));
    try {
      await woken.promise;
    } finally {
      stop();
      clearTimeout(timer);
      this.signal?.removeEventListener('abort', cancel);
    }
  }

  /**
   * Waits until the session is confirmed.
   *
   * @throws SessionLost, LockTimeout, LockCancelled
   */
  async untilConnected(client: ZooKeeperClient): Promise<void> {
    while (client.state !== 'connected') {
      this.throwIfLost(client);
      await this.wait(wake => {
        const subscription = client.onState(wake);
        return () => subscription.dispose();
      });
    }
  }

  /** @throws SessionLost */
  throwIfLost(client: ZooKeeperClient): void {
    if (client.state === 'lost') throw new SessionLost(this.path, 'the session is lost');
    if (client.state === 'closed') throw new SessionLost(this.path, 'the session was closed');
  }
}
