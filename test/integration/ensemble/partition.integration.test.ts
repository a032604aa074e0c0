import { expect, it } from 'vitest';
import { useEnsemble } from '../../support/useEnsemble.ts';
import { granted, hold, lastHeldAt, members, overlapOf, queueBehind, startKazoo, WatchedMode } from './twoHolders.ts';

// The tickTime and the syncLimit of ZooKeeper's own configuration: a follower needs 10 s to notice that its leader is gone.
const ensemble = useEnsemble({
  breakableLinks: true,
  tickTime: 2_000,
  // A first election that comes to nothing ends with the initLimit, 4 s, and is repeated.
  config: { syncLimit: 5, initLimit: 2 },
});

it(
  "L34 a lease at a follower that is cut off is not held when kazoo gets the lock, with ZooKeeper's defaults",
  { timeout: 120_000 },
  async () => {
    const { leader, followers } = await members(ensemble());
    const kazoo = await startKazoo([ensemble().ports[leader]!, ensemble().ports[followers[1]]!], '/cut-off');
    const ours = await hold([ensemble().ports[followers[0]]!], 6_000, '/cut-off');
    const mode = new WatchedMode(ensemble(), followers[0]);
    try {
      await queueBehind(ours, kazoo, '/cut-off');
      await ensemble().links.cutBetween(followers[0], leader);
      expect(overlapOf(ours.looks, await granted(kazoo, 30_000))).toBeLessThan(0);
      // It had not noticed when ours ended: nothing but our own doubt ended it.
      expect(mode.since(lastHeldAt(ours.looks))).toContain('follower');
    } finally {
      await mode.end();
      await kazoo.stop();
      await ours.end();
    }
  },
);
