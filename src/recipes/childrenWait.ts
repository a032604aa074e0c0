import type { ZooKeeperClient } from '../zookeeper/client.ts';
import type { AttemptLimits } from './attemptLimits.ts';
import { WakeUp } from './wakeUp.ts';

type Judge = (names: string[]) => boolean | Promise<boolean>;

/** Waits until a directory's children satisfy a condition: the one case in which a recipe must watch a whole directory. */
export class ChildrenWait {
  private readonly client: ZooKeeperClient;
  private readonly directory: string;
  private readonly limits: AttemptLimits;

  constructor(client: ZooKeeperClient, directory: string, limits: AttemptLimits) {
    this.client = client;
    this.directory = directory;
    this.limits = limits;
  }

  /**
   * @param isEnough judges a listing; may throw to end the wait, or connection trouble to be asked again
   * @param tell gets the listing that is waited with
   * @throws LockTimeout, LockCancelled, SessionLost, ZooKeeperError
   */
  async until(isEnough: Judge, tell: (names: string[]) => void): Promise<void> {
    while (!(await this.limits.untilAnswered(this.client, () => this.look(isEnough, tell))));
  }

  /**
   * Looks without a watch first: one that is set by the very look that ends the wait stays behind, and tells of somebody
   * else's release one who holds by then.
   */
  private async look(isEnough: Judge, tell: (names: string[]) => void): Promise<boolean> {
    const first = await this.client.getChildren(this.directory);
    if (await isEnough(first.children)) return true;
    if (this.limits.triesOnce) throw this.limits.timedOut();
    const wakeUp = new WakeUp();
    const { children } = await this.client.getChildren(this.directory, { watch: wakeUp.ring });
    if (await isEnough(children)) return true;
    tell(children);
    await wakeUp.wait(this.limits, this.client);
    return false;
  }
}
