import { describe, expect, it } from 'vitest';
import type { Step } from '../../../../src/app/clusters/recordedTime.ts';
import { nearest, RecordedSteps } from '../../../../src/app/recordings/steps.ts';
import { at, FakeRecording, holdOf, waitOf } from './fakeRecording.ts';

/** Holds begin at 10, 20 and, of another lock, at 30; the first one was there before. Two sessions end, and one that did nothing. */
function steps(): RecordedSteps {
  const recording = new FakeRecording();
  recording.allHolds = [
    holdOf('old', at(5n, 5), at(10n, 10), { isFromBefore: true, ownerSession: 0x1n }),
    holdOf('a', at(10n, 10), at(20n, 20), { ownerSession: 0x2n }),
    holdOf('twin', at(20n, 20), undefined, { ownerSession: 0x2n }),
    holdOf('b', at(20n, 20), undefined, { ownerSession: 0x2n }),
    holdOf('c', at(30n, 30), undefined, { path: '/locks/other', ownerSession: 0x3n }),
  ];
  recording.allWaits = [waitOf('w', at(12n, 12), at(15n, 15), { ownerSession: 0x4n })];
  recording.allSessions.set(0x1n, { ended: at(11n, 11), how: 'expired' });
  recording.allSessions.set(0x3n, { opened: at(1n, 1) });
  recording.allSessions.set(0x4n, { ended: at(15n, 15), how: 'closed' });
  recording.allSessions.set(0x5n, { ended: at(17n, 17), how: 'expired' });
  return new RecordedSteps(recording);
}

describe('steps through a recording', () => {
  it.each<[Step, 1 | -1, bigint, string | undefined, bigint | undefined]>([
    ['hand-over', 1, 0n, undefined, 10n],
    ['hand-over', 1, 10n, undefined, 20n],
    ['hand-over', 1, 19n, undefined, 20n],
    ['hand-over', 1, 20n, undefined, 30n],
    ['hand-over', 1, 20n, '/locks/a', undefined],
    ['hand-over', 1, 0n, '/locks/other', 30n],
    ['hand-over', 1, 0n, '/nothing', undefined],
    ['hand-over', 1, 30n, undefined, undefined],
    ['hand-over', -1, 99n, undefined, 30n],
    ['hand-over', -1, 30n, undefined, 20n],
    ['hand-over', -1, 20n, undefined, 10n],
    ['hand-over', -1, 10n, undefined, undefined],
    ['session end', 1, 0n, undefined, 11n],
    ['session end', 1, 11n, undefined, 15n],
    ['session end', 1, 15n, undefined, undefined],
    ['session end', 1, 0n, '/locks/other', undefined],
    ['session end', -1, 99n, '/locks/a', 15n],
  ])('%s, %i from %i, of %s: %i', async (what, direction, zxid, path, found) => {
    const lock = path === undefined ? undefined : { path };
    const moment = nearest(await steps().momentsOf(what, lock), direction, at(zxid, Number(zxid)));
    expect(moment?.zxid).toBe(found);
  });

  it.each([
    ['blue', 40n],
    ['red', 50n],
    [undefined, undefined],
  ])('of locks that share a directory only the one called %s counts', async (lockName, found) => {
    const recording = new FakeRecording();
    recording.allHolds = [
      holdOf('x', at(40n, 40), undefined, { path: '/shared', lockName: 'blue' }),
      holdOf('y', at(50n, 50), undefined, { path: '/shared', lockName: 'red' }),
    ];
    const lock = lockName === undefined ? { path: '/shared' } : { path: '/shared', lockName };
    const [moment] = await new RecordedSteps(recording).momentsOf('hand-over', lock);
    expect(moment?.zxid).toBe(found);
  });

  it('behind a transaction the previous moment is that transaction', async () => {
    const moment = nearest(await steps().momentsOf('hand-over'), -1, at(20n, 25));
    expect(moment?.zxid).toBe(20n);
  });
});
