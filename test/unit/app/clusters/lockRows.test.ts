import { describe, expect, it } from 'vitest';
import { nodeId, type LockNode, type TreeNode } from '../../../../src/app/clusters/clusterModel.ts';
import { LockRows } from '../../../../src/app/clusters/lockRows.ts';
import type { LockQueue } from '../../../../src/locks/lockQueue.ts';
import { contender, lockNode, queueOf } from '../../extension/fixtures.ts';

const holder = contender('a', { role: 'holder', czxid: 1n });
const waiter = contender('b', { waitsFor: 'a', czxid: 2n });

function given(queue: LockQueue): { lock: LockNode; rows: LockRows; before: readonly TreeNode[] } {
  const lock = lockNode(queue);
  const rows = new LockRows(row => JSON.stringify(row.type === 'contender' ? row.contender.identifier : nodeId(row)));
  return { lock, rows, before: rows.give(lock) };
}

describe('the rows below a lock', () => {
  it('stay the same objects, with what is new of their contenders, while none comes, goes or moves', () => {
    const { lock, rows, before } = given(queueOf([holder, waiter]));
    lock.queue = queueOf([{ ...holder, identifier: 'renamed' }, waiter]);
    const after = rows.update(lock);
    expect(after?.map((row, at) => row === before[at])).toEqual([true, true]);
    expect(after?.[0]).toMatchObject({ contender: { identifier: 'renamed' } });
    expect(after?.[1]).toMatchObject({ ahead: { contender: { identifier: 'renamed' } } });
    expect(rows.give(lock)[0]).toBe(before[0]);
  });

  it.each([
    ['goes', queueOf([waiter])],
    ['comes', queueOf([holder, waiter, contender('c', { czxid: 3n })])],
    ['moves', queueOf([waiter, holder])],
    ['is replaced by a node of the same name', queueOf([{ ...holder, czxid: 9n }, waiter])],
    ['has a warning', queueOf([holder, waiter], { hazards: [{ kind: 'mixed-dialects', names: ['a'] }] })],
  ])('have to be drawn with their lock when one %s', (_what, queue) => {
    const { lock, rows, before } = given(queueOf([holder, waiter]));
    const [first] = before;
    lock.queue = queue;
    expect(rows.update(lock)).toBeUndefined();
    expect(first).toMatchObject({ contender: holder });
    expect(rows.give(lock)).toHaveLength(queue.contenders.length + queue.hazards.length);
  });

  it('never make the row of one node that of another with the same name', () => {
    const { lock, rows, before } = given(queueOf([holder]));
    lock.queue = queueOf([{ ...holder, czxid: 9n }]);
    expect(rows.give(lock)[0]).not.toBe(before[0]);
    expect(before[0]).toMatchObject({ contender: { czxid: 1n } });
  });

  it('have to be drawn again when another failure is shown', () => {
    const { lock, rows } = given(queueOf([holder]));
    lock.readError = new Error('one');
    expect(rows.update(lock)).toBeUndefined();
    rows.give(lock);
    expect(rows.update(lock)).toHaveLength(2);
    lock.readError = new Error('other');
    expect(rows.update(lock)).toBeUndefined();
  });

  it('are not known before they were asked for', () => {
    expect(new LockRows(nodeId).update(lockNode(queueOf([holder])))).toEqual([]);
  });

  it('are drawn alone, and only those whose texts differ', () => {
    const { lock, rows, before } = given(queueOf([holder, waiter]));
    for (const row of [lock, ...before]) rows.noteDrawn(row);
    expect(rows.changed(lock, [])).toEqual([]);
    lock.queue = queueOf([holder, { ...waiter, identifier: 'renamed' }]);
    expect(rows.changed(lock, [])).toEqual([before[1]]);
    lock.queue = queueOf([waiter]);
    expect(rows.changed(lock, [])).toEqual([lock]);
  });
});
