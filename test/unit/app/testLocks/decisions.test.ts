import { describe, expect, it } from 'vitest';
import { offeredDialects } from '../../../../src/app/testLocks/dialectChoice.ts';
import {
  findSelfBlock,
  summaryOf,
  type TestLock,
  type TestLockRequest,
} from '../../../../src/app/testLocks/testLock.ts';
import { pathOfPlace, standingInQueues, standingOfPlace } from '../../../../src/app/testLocks/standing.ts';
import { clusterNode, contender, profileNamed, queueOf } from '../../extension/fixtures.ts';
import { hold, requestFor, testLock } from './testLockFixtures.ts';

const held = (fields: Partial<TestLockRequest>): TestLock => testLock({ kind: 'held', hold }, fields);

describe('waiting for ourselves', () => {
  it.each<[string, Partial<TestLockRequest>, TestLock[], boolean]>([
    ['a mutex that we hold', {}, [held({})], true],
    ['a mutex that we hold in another dialect', {}, [held({ dialect: 'kazoo' })], true],
    ['a mutex elsewhere', {}, [held({ paths: ['/locks/b'] })], false],
    ['a mutex of another cluster', {}, [held({ cluster: clusterNode({ id: 'other' }) })], false],
    [
      'a mutex that we only wait for',
      {},
      [testLock({ kind: 'waiting', standing: undefined, uncertain: false })],
      false,
    ],
    ['a mutex that we lost', {}, [testLock({ kind: 'lost', hold, cause: undefined, at: 0 })], false],
    ['a mutex that is uncertain', {}, [testLock({ kind: 'uncertain', hold, cause: undefined })], true],
    ['reading what we read', { recipe: 'read' }, [held({ recipe: 'read' })], false],
    ['writing what we read', { recipe: 'write' }, [held({ recipe: 'read' })], true],
    ['reading what we write', { recipe: 'read' }, [held({ recipe: 'write' })], true],
    ['another name in one directory', { lockName: 'b' }, [held({ lockName: 'a' })], false],
    ['the same name in one directory', { lockName: 'a' }, [held({ lockName: 'a' })], true],
    ['one more lease of two', { recipe: 'semaphore', maxLeases: 2 }, [held({ recipe: 'semaphore' })], false],
    [
      'a third lease of two',
      { recipe: 'semaphore', maxLeases: 2 },
      [held({ recipe: 'semaphore' }), held({ recipe: 'semaphore' })],
      true,
    ],
    ['one of several', { recipe: 'several', paths: ['/locks/x', '/locks/a'] }, [held({})], true],
    [
      'what several hold',
      { paths: ['/locks/b'] },
      [held({ recipe: 'several', paths: ['/locks/a', '/locks/b'] })],
      true,
    ],
  ])('%s', (_title, wanted, locks, isBlocked) => {
    const block = findSelfBlock(requestFor(wanted), locks);
    expect(block?.lock).toBe(isBlocked ? locks[0] : undefined);
  });

  it('names the path where the two meet', () => {
    const wanted = requestFor({ recipe: 'several', paths: ['/locks/x', '/locks/a'] });
    expect(findSelfBlock(wanted, [held({})])?.path).toBe('/locks/a');
  });
});

describe('the offered dialects', () => {
  it('are those that can write the recipe, the one in use first', () => {
    expect(offeredDialects('mutex', [])[0]?.dialect).toBe('curator');
    const [first, ...others] = offeredDialects('semaphore', ['kazoo-semaphore']);
    expect(first).toEqual({ dialect: 'kazoo', withHostName: false, inUse: true });
    expect(others.map(({ dialect }) => dialect)).toEqual(['curator', 'distributedlock-net', 'zk-ruby']);
    expect(offeredDialects('read', []).map(({ dialect }) => dialect)).not.toContain('go-zookeeper');
  });

  it('have the letters with and without the name of the host', () => {
    const letters = offeredDialects('write', []).filter(({ dialect }) => dialect === 'rw-letters');
    expect(letters.map(({ withHostName }) => withHostName)).toEqual([false, true]);
  });

  it('are not in use where the same library has another kind of lock', () => {
    expect(offeredDialects('mutex', ['curator-semaphore']).filter(({ inUse }) => inUse)).toEqual([]);
    expect(offeredDialects('semaphore', ['curator']).filter(({ inUse }) => inUse)).toEqual([]);
  });
});

describe('where a waiter stands', () => {
  const queue = queueOf([
    contender('a', { role: 'holder', identifier: 'worker-a' }),
    contender('b', { identifier: '', waitsFor: 'a' }),
    contender('me', { waitsFor: 'b' }),
  ]);
  const place = { path: '/locks/a/me', ahead: 5, waitsFor: '/locks/a/b' };

  it('comes from the recipe first, and from the queue as soon as that is known', () => {
    expect(standingOfPlace('/locks/a', place)).toEqual({ position: 6, waitsFor: 'b', holder: '', path: '/locks/a' });
    expect(standingInQueues('/locks/a', place, [queue])).toEqual({
      position: 3,
      waitsFor: 'b',
      holder: 'worker-a',
      path: '/locks/a',
    });
  });

  it('is unknown while the queue does not show the own node yet', () => {
    expect(standingInQueues('/locks/a', { ...place, path: '/locks/a/later' }, [queue])).toBeUndefined();
    expect(standingInQueues('/locks/a', place, [])).toBeUndefined();
  });

  it('has no position before an exclusive node', () => {
    const single = queueOf([contender('a', { path: '/locks/a', role: 'holder', identifier: 'worker-a' })]);
    const waiting = { path: undefined, ahead: 1, waitsFor: '/locks/a' };
    expect(standingInQueues('/locks/a', waiting, [single])).toMatchObject({ position: undefined, holder: 'worker-a' });
    expect(standingOfPlace('/locks/a', waiting).position).toBeUndefined();
  });

  it.each([
    ['/locks/b/n-1', '/locks/b'],
    ['/locks/bb/n-1', '/locks/bb'],
    ['/locks/b/sub/n-1', '/locks/b/sub'],
    ['/locks/s-__lock__/n-1', '/locks/s'],
  ])('belongs, of several locks, to that of its node %s', (path, expected) => {
    const paths = ['/locks/b', '/locks/bb', '/locks/b/sub', '/locks/s'];
    expect(pathOfPlace(paths, { path, ahead: 1, waitsFor: undefined })).toBe(expected);
  });
});

describe('the summary', () => {
  const waiting = testLock({ kind: 'waiting', standing: undefined, uncertain: false });
  const production = clusterNode({ profile: profileNamed('live', { environment: 'production' }) });

  it.each<[TestLock[], ReturnType<typeof summaryOf>['worst']]>([
    [[], undefined],
    [[testLock({ kind: 'auto-released', at: 0, cause: 'time' })], undefined],
    [[waiting], 'waiting'],
    [[waiting, held({})], 'held'],
    [[held({}), testLock({ kind: 'waiting', standing: undefined, uncertain: true })], 'uncertain'],
    [[testLock({ kind: 'lost', hold, cause: undefined, at: 0 }), held({})], 'lost'],
  ])('names the worst state (%#)', (locks, worst) => {
    expect(summaryOf(locks).worst).toBe(worst);
  });

  it('never counts an uncertain lock as held', () => {
    const locks = [held({}), testLock({ kind: 'uncertain', hold, cause: undefined }), waiting];
    expect(summaryOf(locks)).toMatchObject({ held: 1, uncertain: 1, waiting: 1, lost: 0 });
  });

  it('knows when production is concerned', () => {
    expect(summaryOf([held({ cluster: production })]).holdsOnProduction).toBe(true);
    expect(summaryOf([held({}), testLock(waiting.state, { cluster: production })]).holdsOnProduction).toBe(false);
  });
});
