import { beforeEach, describe, expect, it } from 'vitest';
import { asBlockerRow, type BlockerRow } from '../../../../src/app/blockers/blockerRows.ts';
import type { ClusterNode } from '../../../../src/app/clusters/clusterModel.ts';
import { ensureLock } from '../../../../src/app/clusters/lockCatalogue.ts';
import { clusterNode, queueOf } from '../../extension/fixtures.ts';
import { putLock, sessionNamed, Unfolded, type Place } from './blockedLocks.ts';

let cluster: ClusterNode;
let rows: Unfolded;

beforeEach(() => {
  cluster = clusterNode();
  rows = new Unfolded(cluster);
});

function waiters(count: number): Place[] {
  return Array.from({ length: count }, (_, at) => [(0x100 + at).toString(16), 100 + at]);
}

describe('the rows of blockers', () => {
  it('begin with the root that costs most, and unfold from session to locks to waiters', async () => {
    putLock(cluster, '/a', [
      ['A', 1],
      ['B', 10],
      ['C', 11],
    ]);
    putLock(cluster, '/b', [
      ['A', 2],
      ['D', 12],
    ]);
    putLock(cluster, '/c', [
      ['E', 3],
      ['F', 13],
    ]);
    expect(await rows.outline()).toEqual([
      'A keeps /a,/b 3 wait',
      '  /a 2',
      '    B in /a',
      '    C in /a',
      '  /b 1',
      '    D in /b',
      'E keeps /c 1 wait',
      '  F in /c',
    ]);
  });

  it('are a list where a chain is one line, each row one session with the lock that it keeps', async () => {
    putLock(cluster, '/a', [
      ['A', 1],
      ['B', 10],
    ]);
    putLock(cluster, '/b', [
      ['B', 2],
      ['C', 11],
    ]);
    putLock(cluster, '/c', [
      ['C', 3],
      ['D', 12],
    ]);
    expect(await rows.outline()).toEqual([
      'A keeps /a 3 wait',
      '  B in /a keeps /b',
      '  C in /b keeps /c after B',
      '  D in /c after C',
    ]);
    const [root] = await rows.top();
    const line = await rows.below(root!);
    expect(line.map(row => ('session' in row ? row.session : 0n))).toEqual(['B', 'C', 'D'].map(sessionNamed));
    expect(line.map(row => ('lock' in row ? row.lock?.path : ''))).toEqual(['/a', '/b', '/c']);
  });

  it('branch where several wait', async () => {
    putLock(cluster, '/a', [
      ['A', 1],
      ['B', 10],
    ]);
    putLock(cluster, '/b', [
      ['B', 2],
      ['C', 11],
      ['D', 12],
    ]);
    putLock(cluster, '/c', [
      ['C', 3],
      ['E', 13],
    ]);
    expect(await rows.outline()).toEqual([
      'A keeps /a 4 wait',
      '  B in /a keeps /b',
      '    C in /b keeps /c',
      '      E in /c',
      '    D in /b',
    ]);
  });

  it('show a circle with its members, and a member again does not unfold', async () => {
    putLock(cluster, '/a', [
      ['A', 1],
      ['B', 11],
    ]);
    putLock(cluster, '/b', [
      ['B', 2],
      ['A', 10],
      ['C', 12],
    ]);
    expect(await rows.outline()).toEqual([
      'cycle of 2',
      '  A keeps /a',
      '    B in /a keeps /b',
      '      A in /b keeps /a again',
      '      C in /b',
      '  B keeps /b',
      '    A in /b keeps /a',
      '      B in /a keeps /b again',
      '    C in /b',
    ]);
    const [cycle] = await rows.top();
    // It names several sessions and locks, so it stands for none.
    expect(cycle).toMatchObject({ session: undefined, lock: undefined });
    const [member] = await rows.below(cycle!);
    expect(member).toMatchObject({ session: 0xan, waitsIn: { lock: { path: '/b' } }, lock: { path: '/a' } });
  });

  it('come in pages', async () => {
    putLock(cluster, '/a', [['A', 1], ...waiters(150)]);
    const [root] = await rows.top();
    const first = await rows.below(root!);
    const more = first.at(-1)!;
    expect(more).toMatchObject({ type: 'blockerMore', next: 50, remaining: 50 });
    if (more.type !== 'blockerMore') return;
    rows.shown.showMore(more);
    expect(await rows.update()).toEqual([root]);
    expect(rows.shown.known(root!)).toHaveLength(150);
    for (let at = 0; at < 60; at++)
      putLock(cluster, `/l${String(at)}`, [
        [(0x500 + at).toString(16), 1],
        ['B', 2],
      ]);
    await rows.update();
    expect((await rows.top()).at(-1)).toMatchObject({ type: 'blockerMore', next: 11, remaining: 11 });
  });

  it('have no session where a node has none', async () => {
    const lock = putLock(cluster, '/a', [
      ['A', 1],
      ['B', 2],
    ]);
    lock.queue = queueOf(
      lock.queue!.contenders.map(each => ({ ...each, ownerSession: 0n })),
      { path: '/a' },
    );
    const [root] = await rows.top();
    expect(root).toMatchObject({ session: undefined, lock: { path: '/a' } });
  });

  it.each([undefined, null, 'blocker', {}, { type: 'contender' }])('are not taken for %o', value => {
    expect(asBlockerRow(value)).toBeUndefined();
  });
});

describe('what is not known', () => {
  it('is said of locks that are not read, not watched, or not found yet', async () => {
    ensureLock(cluster, '/x', undefined, 'curator');
    expect(await rows.outline()).toEqual(['(nothing-read)', '(unread 1)']);
    putLock(cluster, '/a', [['A', 1]]).live = false;
    cluster.search = { kind: 'done', visited: 3, truncated: true, denied: ['/y'] };
    const before = ['(nothing-waits)', '(not-live 1)', '(unread 1)'];
    expect(await rows.outline()).toEqual([...before, '(search-cut)', '(search-denied 1)']);
    cluster.search = { kind: 'none' };
    expect(await rows.outline()).toEqual([...before, '(search-none)']);
  });

  it('is said of locks with nodes that may not be read', async () => {
    const lock = putLock(cluster, '/a', [['A', 1]]);
    lock.queue = { ...lock.queue!, hazards: [{ kind: 'unreadable', names: ['n-1'] }] };
    expect(await rows.outline()).toEqual(['(nothing-waits)', '(unreadable 1)']);
    lock.isBehind = true;
    expect(await rows.outline()).toEqual(['(nothing-read)', '(unread 1)']);
  });

  it.each(['uncertain', 'lost'] as const)('is said of a connection that is %s', async kind => {
    putLock(cluster, '/a', [
      ['A', 1],
      ['B', 2],
    ]).live = false;
    cluster.connection = { kind, cause: undefined, lastContactAt: 5 };
    expect(await rows.outline()).toEqual(['A keeps /a 1 wait', '  B in /a', `(${kind})`]);
  });
});

describe('rows that are shown', () => {
  /** What is unfolded, by key. */
  async function unfold(): Promise<Map<string, BlockerRow>> {
    await rows.outline();
    return new Map([...rows.shown.rowsOf(cluster)].map(row => [row.key, row]));
  }

  it('stay the same objects, with what is new of them, while none comes, goes or moves', async () => {
    putLock(cluster, '/a', [
      ['A', 1],
      ['B', 10],
    ]);
    putLock(cluster, '/b', [
      ['B', 2],
      ['C', 11],
    ]);
    const before = await unfold();
    putLock(cluster, '/a', [
      ['A', 1],
      ['B', 10],
    ]);
    putLock(cluster, '/b', [
      ['B', 2],
      ['C', 11],
    ]);
    expect(await rows.update()).toEqual([]);
    for (const row of rows.shown.rowsOf(cluster)) {
      expect(row).toBe(before.get(row.key));
      if (row.type === 'blockerWait') expect(row.waitsIn.queue?.contenders).toContain(row.contender);
    }
  });

  it('are other rows when they come to stand for another lock, so that an open menu is about none', async () => {
    putLock(cluster, '/a', [
      ['A', 1],
      ['B', 10],
    ]);
    const b = putLock(cluster, '/b', [['A', 2]]);
    const [before] = await rows.top();
    putLock(cluster, '/a', [['A', 1]]);
    putLock(cluster, '/b', [
      ['A', 2],
      ['C', 11],
    ]);
    expect(await rows.update()).toEqual([rows.shown.rowOf(cluster)]);
    const [after] = rows.shown.known(rows.shown.rowOf(cluster))!;
    expect(before).toMatchObject({ type: 'blocker', lock: { path: '/a' } });
    expect(after).toMatchObject({ type: 'blocker', session: 0xan, lock: { path: '/b' } });
    expect(after!.key).not.toBe(before!.key);
    expect(b.queue?.contenders).toHaveLength(2);
  });

  it('move with the ranking, and are forgotten when the root lets go', async () => {
    putLock(cluster, '/a', [
      ['A', 1],
      ['B', 10],
      ['C', 11],
    ]);
    putLock(cluster, '/b', [
      ['D', 2],
      ['E', 12],
    ]);
    await unfold();
    putLock(cluster, '/b', [
      ['D', 2],
      ['E', 12],
      ['F', 13],
      ['1', 14],
    ]);
    const top = rows.shown.rowOf(cluster);
    expect(await rows.update()).toEqual([top]);
    expect(await rows.outline(rows.shown.known(top))).toMatchObject({ 0: 'D keeps /b 3 wait' });
    putLock(cluster, '/b', [['E', 12]]);
    await rows.update();
    expect(await rows.outline(rows.shown.known(top))).toEqual(['A keeps /a 2 wait', '  B in /a', '  C in /a']);
    expect([...rows.shown.rowsOf(cluster)]).toHaveLength(3);
    rows.shown.keep([]);
    expect([...rows.shown.rowsOf(cluster)]).toEqual([]);
  });

  it('of sessions that ended meanwhile unfold to nothing', async () => {
    putLock(cluster, '/a', [
      ['A', 1],
      ['B', 10],
      ['C', 11],
    ]);
    const [root] = await rows.top();
    cluster.locks.clear();
    expect(await rows.below(root!)).toEqual([]);
  });
});
