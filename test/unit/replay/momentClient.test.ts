import { expect, it } from 'vitest';
import { SharedTurns } from '../../../src/base/interruptible.ts';
import { openAcl } from '../../../src/dataTree/acl.ts';
import { Znode } from '../../../src/dataTree/znode.ts';
import { MomentClient, type MomentTree } from '../../../src/replay/momentClient.ts';
import { TurnClock } from '../../support/turnClock.ts';

it('gives others their turn while many locks are read at once', async () => {
  const clock = new TurnClock();
  const slowTree: MomentTree = {
    get: () => {
      clock.work(1);
      return new Znode(new Uint8Array(0), openAcl, 0n, 1n, 0);
    },
    childrenOf: () => [],
  };
  const source = {
    isClosed: false,
    turns: new SharedTurns(),
    treeAt: () => Promise.resolve(slowTree),
    isCurrent: () => true,
  };
  const client = new MomentClient(source, { zxid: 1n, time: 0 });
  await Promise.all(Array.from({ length: 100 }, () => client.exists('/locks/a')));
  clock.stop();
  expect(clock.longestTurnMs).toBeLessThanOrEqual(10);
});
