import { expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { useEnsemble } from '../../support/useEnsemble.ts';
import { granted, hold, members, overlapOf, queueKazoo } from './twoHolders.ts';

// The tickTime and the syncLimit of ZooKeeper's own configuration: a follower needs 10 s to notice that its leader is gone.
const ensemble = useEnsemble({
  breakableLinks: true,
  tickTime: 2_000,
  // A first election that comes to nothing ends with the initLimit, 4 s, and is repeated.
  config: { syncLimit: 5, initLimit: 2 },
});

it("L34 a lease at a follower that is cut off is not held when kazoo gets the lock, with ZooKeeper's defaults", async () => {
  const { leader, followers } = await members(ensemble());
  const ours = await hold([ensemble().ports[followers[0]]!], 6_000, '/cut-off');
  const kazoo = await queueKazoo([ensemble().ports[leader]!, ensemble().ports[followers[1]]!], '/cut-off');
  try {
    await eventually(() => expect(ours.state).toBe('held'));
    await ensemble().links.cutBetween(followers[0], leader);
    const grantedAt = await granted(kazoo, 30_000);
    // It has not noticed.
    expect(await ensemble().mode(followers[0])).toBe('follower');
    expect(overlapOf(ours.looks, grantedAt)).toBeLessThan(0);
  } finally {
    await kazoo.stop();
    await ours.end();
  }
});
