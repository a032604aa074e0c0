import { expect, it } from 'vitest';
import { severalAtOnce } from '../../../src/base/severalAtOnce.ts';
import { openAcl } from '../../../src/dataTree/acl.ts';
import { Znode } from '../../../src/dataTree/znode.ts';
import { MomentClient, type MomentTree } from '../../../src/replay/momentClient.ts';
import { TurnClock } from '../../support/turnClock.ts';

it('gives others their turn while many locks are read, some at a time', async () => {
  const clock = new TurnClock();
  const slowTree: MomentTree = {
    get: () => {
      clock.work(1);
      return new Znode(new Uint8Array(0), openAcl, 0n, 1n, 0);
    },
    childrenOf: () => [],
  };
  const source = { isClosed: false, treeAt: () => Promise.resolve(slowTree), isCurrent: () => true };
  const client = new MomentClient(source, { zxid: 1n, time: 0 });
  await severalAtOnce(new Array<number>(100).fill(0), 4, async () => {
    await client.exists('/locks/a');
  });
  clock.stop();
  expect(clock.longestTurnMs).toBeLessThanOrEqual(12);
});
