import type { ZooKeeperClient } from '../zookeeper/client.ts';
import type { AttemptLimits } from './attemptLimits.ts';

/** A wake-up that may come before anybody waits for it: a watch can fire while the answer that set it is still read (L8). */
export class WakeUp {
  private hasRung = false;
  private wake = (): void => undefined;

  /** To be given to watches. */
  readonly ring = (): void => {
    this.hasRung = true;
    this.wake();
  };

  /** Forgets former rings; to be called before the watches are set. */
  reset(): void {
    this.hasRung = false;
    this.wake = () => undefined;
  }

  /**
   * Waits for a ring or a change of the session's state, which calls for a fresh look too (L9).
   *
   * @throws LockTimeout, LockCancelled
   */
  async wait(limits: AttemptLimits, client: ZooKeeperClient): Promise<void> {
    await limits.wait(wake => {
      this.wake = wake;
      if (this.hasRung || client.state !== 'connected') wake();
      const subscription = client.onState(wake);
      return () => subscription.dispose();
    });
  }
}
