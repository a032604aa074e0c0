import { beforeEach, describe, expect, it } from 'vitest';
import { ensureLock } from '../../../../src/app/clusters/lockCatalogue.ts';
import type { LockNode } from '../../../../src/app/clusters/clusterModel.ts';
import type { SeenCycle } from '../../../../src/app/clusters/cycleAges.ts';
import { shownCycles } from '../../../../src/extension/panel/panelCycles.ts';
import { findDeadlocks } from '../../../../src/inspector/findDeadlocks.ts';
import type { LockQueue } from '../../../../src/locks/lockQueue.ts';
import { contender, queueOf } from '../fixtures.ts';
import { lockPath, PanelUnderTest } from '../../app/panel/panelUnderTest.ts';

let test: PanelUnderTest;

beforeEach(() => {
  test = new PanelUnderTest();
});

/** Whoever holds joined before all who wait. */
function mutex(path: string, holder: bigint, waiter: bigint, who = ''): LockQueue {
  return queueOf(
    [
      contender('h', { path: `${path}/h`, role: 'holder', ownerSession: holder, czxid: holder, identifier: who }),
      contender('w', { path: `${path}/w`, ownerSession: waiter, czxid: 100n + waiter, waitsFor: 'h' }),
    ],
    { path },
  );
}

function otherLock(queue: LockQueue): LockNode {
  const { lock } = ensureLock(test.browser.node, queue.path, undefined, queue.dialect);
  return Object.assign(lock, { queue, live: true });
}

function seen(queues: readonly LockQueue[]): SeenCycle[] {
  const cycles = findDeadlocks(queues).deadlocks.flatMap(deadlock => deadlock.cycles);
  return cycles.map((edges, at) => ({ edges, key: String(at), ageMs: 0, isLasting: at === 0 }));
}

describe('the cycle of a deadlocked lock', () => {
  it('is sent from this lock on, and becomes certain without any event', async () => {
    await test.open(mutex(lockPath, 1n, 2n, 'A'));
    otherLock(mutex('/locks/b', 2n, 1n, 'B'));
    await test.pass(10_100);
    const [cycle] = test.last.cycles;
    expect(cycle).toMatchObject({ level: 'possible', folded: 0 });
    expect(cycle?.steps).toEqual([
      { name: 'h', czxid: '1', who: 'A', lock: lockPath, isHolder: true, isHere: true },
      { name: 'h', czxid: '2', who: 'B', lock: '/locks/b', isHolder: true, isHere: false },
    ]);
    expect(test.last.picture.contenders.map(({ marks }) => marks[0])).toEqual(['maybeDeadlocked', 'maybeDeadlocked']);
    expect(test.last.lock.warnings[0]?.text).toMatch(/may be a deadlock.*Threads are not visible/);
    await test.pass(40_000);
    expect(test.last.cycles).toMatchObject([{ level: 'lasting' }]);
    expect(test.last.picture.contenders.map(({ marks }) => marks[0])).toEqual(['deadlocked', 'deadlocked']);
    expect(test.last.lock.warnings[0]?.text).toMatch(/: a deadlock\..*Threads are not visible/);
  });

  it('leads to each of its locks, and to no other', async () => {
    await test.open(mutex(lockPath, 1n, 2n));
    const other = otherLock(mutex('/locks/b', 2n, 1n));
    expect(await test.ask({ kind: 'showLock', name: 'h', czxid: '2' })).toMatchObject({ outcome: 'done' });
    expect(test.asked.at(-1)).toEqual(['showQueue', other]);
    const before = test.asked.length;
    expect(await test.ask({ kind: 'showLock', name: 'h', czxid: '9' })).toMatchObject({ outcome: 'failed' });
    expect(await test.ask({ kind: 'showLock', name: 'x', czxid: '2' })).toMatchObject({ outcome: 'failed' });
    expect(test.asked).toHaveLength(before);
  });

  it('is cut where it is long, and its texts are safe for the screen', () => {
    const queues = Array.from({ length: 20 }, (_, at) =>
      mutex(
        `/locks/\u202E${'x'.repeat(at === 7 ? 5_000 : 1)}${String(at)}`,
        BigInt(1 + at),
        BigInt(1 + ((at + 1) % 20)),
      ),
    );
    const [cycle] = shownCycles(seen(queues), queues[7]!);
    expect(cycle).toMatchObject({ level: 'lasting', folded: 8 });
    expect(cycle?.steps).toHaveLength(12);
    expect(cycle?.steps[0]).toMatchObject({ isHere: true });
    expect(cycle?.steps[0]?.lock.length).toBeLessThan(250);
    expect(JSON.stringify(cycle)).not.toContain('\u202E');
  });
});
