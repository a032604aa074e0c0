import { beforeEach, describe, expect, it } from 'vitest';
import { LockDirectoryCache } from '../../../src/inspector/lockDirectoryCache.ts';
import type { DirectoryReading } from '../../../src/inspector/readDirectory.ts';
import type { NodeReading } from '../../../src/inspector/readNodes.ts';
import type { ChildNode } from '../../../src/locks/lockDirectory.ts';
import type { TreeEvent } from '../../../src/zookeeper/client.ts';

const lockName = (n: number): string => `_c_01234567-89ab-cdef-0123-456789abcdef-lock-${String(n).padStart(10, '0')}`;
const p = (n: number): string => `/l/${lockName(n)}`;

function node(path: string, czxid = 1n, data = ''): ChildNode {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const bytes = new TextEncoder().encode(data);
  return { name, path, data: bytes, czxid, createdAt: 0, ephemeralOwner: 7n, version: 0, numChildren: 0 };
}

function reading(
  path: string,
  children: string[],
  further: Record<string, string[]> = {},
  wantedFurther = Object.keys(further),
): DirectoryReading {
  return {
    directory: {
      path,
      self: node(path),
      children: children.map(child => node(child)),
      further: new Map(Object.entries(further).map(([dir, paths]) => [dir, paths.map(child => node(child))])),
    },
    wantedFurther,
    unreadable: [],
  };
}

const apply = (cache: LockDirectoryCache, path: string, reading: NodeReading): void =>
  cache.applyReads([path], [reading]);
const event = (type: TreeEvent['type'], path: string): TreeEvent => ({ type, path });
const childrenOf = (cache: LockDirectoryCache): string[] | undefined =>
  cache.snapshot()?.directory.children.map(child => child.path);

function loaded(from: DirectoryReading): LockDirectoryCache {
  const cache = new LockDirectoryCache(from.directory.path);
  expect(cache.takeWork()).toEqual({ need: 'reload' });
  cache.load(from);
  expect(cache.takeWork()).toEqual({ need: 'nothing' });
  return cache;
}

describe('what an event asks for', () => {
  const semaphore = () =>
    loaded(reading('/s', ['/s/locks', '/s/leases'], { '/s/locks': ['/s/locks/a'], '/s/leases': [] }));
  const cases: [string, () => LockDirectoryCache, TreeEvent, unknown][] = [
    ['new child', () => loaded(reading('/l', [])), event('created', p(1)), { need: 'read', paths: [p(1)] }],
    ['changed child', () => loaded(reading('/l', [p(1)])), event('dataChanged', p(1)), { need: 'read', paths: [p(1)] }],
    ['deleted child', () => loaded(reading('/l', [p(1)])), event('deleted', p(1)), { need: 'read', paths: [] }],
    ['grandchild', () => loaded(reading('/l', [p(1)])), event('created', `${p(1)}/x`), { need: 'nothing' }],
    ['name with a common beginning', () => loaded(reading('/l', [])), event('created', '/lx/a'), { need: 'nothing' }],
    ['own data', () => loaded(reading('/l', [])), event('dataChanged', '/l'), { need: 'read', paths: ['/l'] }],
    ['directory deleted', () => loaded(reading('/l', [])), event('deleted', '/l'), { need: 'read', paths: [] }],
    ['directory created anew', () => loaded(reading('/l', [])), event('created', '/l'), { need: 'reload' }],
    ['gap', () => loaded(reading('/l', [])), event('reread', '/l'), { need: 'reload' }],
    ['child of the root', () => loaded(reading('/', [])), event('created', '/a'), { need: 'read', paths: ['/a'] }],
    ['grandchild of the root', () => loaded(reading('/', [])), event('created', '/a/b'), { need: 'nothing' }],
    ['in a further directory', semaphore, event('created', '/s/locks/b'), { need: 'read', paths: ['/s/locks/b'] }],
    ['further directory gone', semaphore, event('deleted', '/s/leases'), { need: 'reload' }],
    ['below a further directory', semaphore, event('created', '/s/locks/a/x'), { need: 'nothing' }],
  ];

  it.each(cases)('%s', (_, make, given, expected) => {
    const cache = make();
    const matters = cache.note(given);
    expect(cache.takeWork()).toEqual(expected);
    expect(matters).toBe((expected as { need: string }).need !== 'nothing');
  });

  it('asks once for a burst about one node', () => {
    const cache = loaded(reading('/l', []));
    for (const type of ['created', 'dataChanged', 'dataChanged'] as const) cache.note(event(type, p(1)));
    expect(cache.takeWork()).toEqual({ need: 'read', paths: [p(1)] });
  });

  it('does not read what came and went', () => {
    const cache = loaded(reading('/l', []));
    cache.note(event('created', p(1)));
    cache.note(event('deleted', p(1)));
    expect(cache.takeWork()).toEqual({ need: 'read', paths: [] });
    expect(childrenOf(cache)).toEqual([]);
  });
});

describe('answers', () => {
  let cache: LockDirectoryCache;
  beforeEach(() => {
    cache = loaded(reading('/l', [p(1), p(2)]));
  });

  it('adds a new child at the end and drops a deleted one', () => {
    cache.note(event('created', p(3)));
    cache.note(event('deleted', p(1)));
    cache.takeWork();
    apply(cache, p(3), node(p(3)));
    expect(childrenOf(cache)).toEqual([p(2), p(3)]);
  });

  it('does not bring a child back that was deleted after the question', () => {
    cache.note(event('created', p(3)));
    cache.takeWork();
    cache.note(event('deleted', p(3)));
    apply(cache, p(3), node(p(3)));
    expect(childrenOf(cache)).toEqual([p(1), p(2)]);
    cache.takeWork();
    expect(childrenOf(cache)).toEqual([p(1), p(2)]);
  });

  it('shows a new child that changed after the question, and asks again', () => {
    cache.note(event('created', p(3)));
    cache.takeWork();
    cache.note(event('dataChanged', p(3)));
    apply(cache, p(3), node(p(3)));
    expect(childrenOf(cache)).toEqual([p(1), p(2), p(3)]);
    expect(cache.takeWork()).toEqual({ need: 'read', paths: [p(3)] });
  });

  it('works in what was deleted after the question together with the answer', () => {
    cache.note(event('dataChanged', p(2)));
    cache.takeWork();
    cache.note(event('deleted', p(1)));
    apply(cache, p(2), 'gone');
    expect(childrenOf(cache)).toEqual([]);
    expect(cache.hasWork).toBe(false);
  });

  it('takes the younger of two incarnations of a name', () => {
    cache.note(event('deleted', p(1)));
    cache.note(event('created', p(1)));
    cache.takeWork();
    apply(cache, p(1), node(p(1), 99n));
    expect(childrenOf(cache)).toEqual([p(2), p(1)]);
    expect(cache.snapshot()?.directory.children[1]?.czxid).toBe(99n);
  });

  it('drops a child that was gone when asked for', () => {
    cache.note(event('dataChanged', p(2)));
    cache.takeWork();
    apply(cache, p(2), 'gone');
    expect(childrenOf(cache)).toEqual([p(1)]);
  });

  it('keeps apart what may not be read, until it may', () => {
    cache.note(event('created', p(3)));
    cache.takeWork();
    apply(cache, p(3), 'unreadable');
    expect(cache.snapshot()?.unreadable).toEqual([p(3)]);
    cache.note(event('dataChanged', p(3)));
    cache.takeWork();
    apply(cache, p(3), node(p(3)));
    expect(cache.snapshot()?.unreadable).toEqual([]);
    expect(childrenOf(cache)).toEqual([p(1), p(2), p(3)]);
  });

  it('forgets everything with its directory, and loads it when it is back', () => {
    cache.note(event('deleted', '/l'));
    cache.takeWork();
    expect(cache.snapshot()).toBeUndefined();
    cache.note(event('created', '/l'));
    expect(cache.takeWork()).toEqual({ need: 'reload' });
  });

  it('asks for everything when a child brings further directories with it', () => {
    const fresh = loaded(reading('/s', []));
    for (const path of ['/s/locks', '/s/leases']) fresh.note(event('created', path));
    fresh.takeWork();
    fresh.applyReads(['/s/locks', '/s/leases'], [node('/s/locks'), node('/s/leases')]);
    expect(fresh.needsReload).toBe(true);
  });
});

describe('events during a reload', () => {
  it('are worked in after it', () => {
    const cache = new LockDirectoryCache('/l');
    cache.takeWork();
    cache.note(event('deleted', p(1)));
    cache.note(event('created', p(3)));
    cache.note(event('created', `${p(3)}/deep`));
    cache.load(reading('/l', [p(1), p(2)]));
    expect(cache.takeWork()).toEqual({ need: 'read', paths: [p(3)] });
    apply(cache, p(3), node(p(3)));
    expect(childrenOf(cache)).toEqual([p(2), p(3)]);
  });

  it('a second gap asks for a second reload', () => {
    const cache = new LockDirectoryCache('/l');
    cache.takeWork();
    cache.note(event('reread', '/l'));
    cache.load(reading('/l', []));
    expect(cache.takeWork()).toEqual({ need: 'reload' });
  });

  it('a path that did not exist is loaded once it has a first child', () => {
    const cache = new LockDirectoryCache('/l');
    cache.takeWork();
    cache.load(undefined);
    expect(cache.hasWork).toBe(false);
    cache.note(event('created', '/l'));
    cache.note(event('created', p(1)));
    expect(cache.takeWork()).toEqual({ need: 'reload' });
    expect(cache.takeWork()).toEqual({ need: 'nothing' });
  });
});
