import { describe, expect, it } from 'vitest';
import type { DialectId } from '../../../src/locks/lockQueue.ts';
import { directoryOfNode } from '../../../src/locks/libraries/queueBeside.ts';
import { dialectsInUse, queuesBeside, semaphoreAround } from '../../../src/locks/recognition/recognise.ts';
import { joinFault, refusePartOfSemaphore } from '../../../src/recipes/pathInUse.ts';

const MUTEX = '_c_1a2b3c4d-0001-4000-8000-00000000000a-lock-0000000000';
const LEASE = '_c_1a2b3c4d-0001-4000-8000-00000000000a-lease-0000000000';
const QUEUED = `${'f'.repeat(32)}__lock__0000000000`;

describe('dialectsInUse', () => {
  it.each<[string, string, readonly string[], bigint | undefined, boolean, DialectId[]]>([
    ['nothing at a path that does not exist', '/a', [], undefined, false, []],
    ['nothing in an empty directory', '/a', [], 0n, false, []],
    ["the library's dialect by the names", '/a', [MUTEX], 0n, false, ['curator']],
    ['several dialects beside each other', '/a', [MUTEX, QUEUED], 0n, false, ['curator', 'kazoo']],
    ['an ephemeral node as a lock itself', '/a', [], 7n, false, ['exclusive-node']],
    ['an ephemeral node that a product is known for', '/kafka/controller', [], 7n, false, ['kafka-controller']],
    [
      "a kazoo semaphore by the queue beside it, whatever the path's own names are",
      '/a',
      [MUTEX],
      0n,
      true,
      ['kazoo-semaphore'],
    ],
    ['a kazoo semaphore whose own node is not there yet', '/a', [], undefined, true, ['kazoo-semaphore']],
  ])('finds %s', (_, path, names, ownerSession, hasQueueBeside, expected) => {
    expect(dialectsInUse(path, { names, ownerSession, hasQueueBeside })).toEqual(expected);
  });
});

describe('queuesBeside', () => {
  it('is where kazoo keeps the queue of a semaphore', () => {
    expect(queuesBeside('/a/b')).toEqual(['/a/b-__lock__']);
  });

  it('has nothing beside the root', () => {
    expect(queuesBeside('/')).toEqual([]);
  });
});

describe('semaphoreAround', () => {
  it.each<[string, string, readonly string[], { dialect: DialectId; path: string } | undefined]>([
    ["Curator's leases, known by their names", '/s/leases', [LEASE], { dialect: 'curator-semaphore', path: '/s' }],
    ['no semaphore in a directory of that name with other children', '/s/leases', ['flat-1', 'flat-2'], undefined],
    ['no semaphore in an empty directory of that name', '/s/leases', [], undefined],
    ['no semaphore where leases lie in a directory of another name', '/s/other', [LEASE], undefined],
    ["kazoo's queue, known by its path alone", '/s-__lock__', [], { dialect: 'kazoo-semaphore', path: '/s' }],
    ['no semaphore around an ordinary lock', '/s', [MUTEX], undefined],
  ])('finds %s', (_, path, names, expected) => {
    expect(semaphoreAround(path, names)).toEqual(expected);
  });
});

describe('directoryOfNode', () => {
  it.each([
    ['/s', '/s/x', '/s'],
    ['/s', '/s-__lock__/x', '/s-__lock__'],
    ['/s', '/s-other/x', undefined],
  ])('%s, %s', (lockPath, nodePath, expected) => {
    expect(directoryOfNode(lockPath, nodePath)).toBe(expected);
  });
});

describe('joinFault', () => {
  it.each<[string, DialectId[], 'mutex' | 'semaphore', string | undefined]>([
    ['lets a mutex join a free path', [], 'mutex', undefined],
    ['lets a mutex join a mutex', ['curator'], 'mutex', undefined],
    ['lets a mutex join if any of several dialects has one', ['solr', 'kazoo'], 'mutex', undefined],
    ['refuses a mutex at a semaphore', ['kazoo-semaphore'], 'mutex', 'semaphore'],
    ['refuses a semaphore at a mutex', ['curator'], 'semaphore', 'in-use'],
    ['refuses a mutex where a product elects', ['solr'], 'mutex', 'in-use'],
  ])('%s', (_, found, recipe, kind) => {
    expect(joinFault('/p', found, recipe)?.kind).toBe(kind);
  });
});

describe('refusePartOfSemaphore', () => {
  it('names the path that clients of the semaphore use', () => {
    expect(() => refusePartOfSemaphore('/s-__lock__')).toThrow(
      expect.objectContaining({ fault: { kind: 'semaphore', dialect: 'kazoo-semaphore', semaphore: '/s' } }),
    );
  });

  it('accepts any other path', () => {
    expect(() => refusePartOfSemaphore('/s', [MUTEX])).not.toThrow();
  });
});
