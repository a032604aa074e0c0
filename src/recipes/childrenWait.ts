import type { ZooKeeperClient } from '../zookeeper/client.ts';
import type { AttemptLimits } from './attemptLimits.ts';
import { WakeUp } from './wakeUp.ts';

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
   * @throws LockTimeout, LockCancelled, SessionLost, ZooKeeperError
   */
  async until(isEnough: (names: string[]) => boolean | Promise<boolean>): Promise<void> {
    while (!(await this.limits.untilAnswered(this.client, () => this.look(isEnough))));
  }

  private async look(isEnough: (names: string[]) => boolean | Promise<boolean>): Promise<boolean> {
    const wakeUp = new WakeUp();
    // Whoever may not wait needs not be told.
    const options = this.limits.triesOnce ? {} : { watch: wakeUp.ring };
    const { children } = await this.client.getChildren(this.directory, options);
    if (await isEnough(children)) return true;
    if (this.limits.triesOnce) throw this.limits.timedOut();
    await wakeUp.wait(this.limits, this.client);
    return false;
  }
}
