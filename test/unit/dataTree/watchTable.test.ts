import { describe, expect, it } from 'vitest';
import { WatchTable, type WatchType } from '../../../src/dataTree/watchTable.ts';
import type { ServerEvent } from '../../../src/zookeeper/wire/records.ts';

type Kind = 'data' | 'children' | 'persistent' | 'recursive';

function tableWith(...watches: [watcher: string, kind: Kind, path: string][]): WatchTable<string> {
  const table = new WatchTable<string>();
  for (const [watcher, kind, path] of watches) {
    if (kind === 'data') table.watchData(path, watcher);
    else if (kind === 'children') table.watchChildren(path, watcher);
    else table.watchPersistently(path, watcher, kind === 'recursive');
  }
  return table;
}

const events: readonly ServerEvent['type'][] = ['created', 'deleted', 'dataChanged', 'childrenChanged'];

/** Which events of `path` the one watcher hears, each asked of a table of its own. */
function heard(kind: Kind, path: string): string[] {
  return events.filter(type => tableWith(['w', kind, '/a']).triggered({ type, path }).size > 0);
}

it.each<[Kind, own: string[], below: string[]]>([
  ['data', ['created', 'deleted', 'dataChanged'], []],
  ['children', ['deleted', 'childrenChanged'], []],
  ['persistent', ['created', 'deleted', 'dataChanged', 'childrenChanged'], []],
  // No news of children: those come as what they are.
  ['recursive', ['created', 'deleted', 'dataChanged'], ['created', 'deleted', 'dataChanged']],
])('%s: hears %j of its node, and %j below', (kind, own, below) => {
  expect(heard(kind, '/a')).toEqual(own);
  expect(heard(kind, '/a/b/c')).toEqual(below);
  for (const path of ['/', '/ab', '/b']) expect(heard(kind, path)).toEqual([]);
});

it('a one-shot watch is used up, the others stay', () => {
  const table = tableWith(['once', 'data', '/a'], ['stays', 'persistent', '/a'], ['all', 'recursive', '/']);
  const change: ServerEvent = { type: 'dataChanged', path: '/a' };
  expect([...table.triggered(change)]).toEqual(['once', 'stays', 'all']);
  expect([...table.triggered(change)]).toEqual(['stays', 'all']);
});

it('who has several watches on a node hears each event once', () => {
  const table = tableWith(
    ['w', 'data', '/a'],
    ['w', 'children', '/a'],
    ['w', 'persistent', '/a'],
    ['w', 'recursive', '/'],
  );
  expect([...table.triggered({ type: 'deleted', path: '/a' })]).toEqual(['w']);
  // What is left: the two that stay.
  expect([...table.triggered({ type: 'childrenChanged', path: '/a' })]).toEqual(['w']);
  expect(table.remove('/a', 'w', 'persistent')).toBe(true);
  expect([...table.triggered({ type: 'childrenChanged', path: '/a' })]).toEqual([]);
  expect([...table.triggered({ type: 'dataChanged', path: '/a' })]).toEqual(['w']);
});

describe('kinds', () => {
  const kinds: Kind[] = ['data', 'children', 'persistent', 'recursive'];
  const types: WatchType[] = ['data', 'children', 'any', 'persistent', 'recursive'];

  it.each(kinds)('a watch of the kind %s is known and removed by its own name and by any, once', kind => {
    for (const type of types) {
      const table = tableWith(['w', kind, '/a']);
      const isMeant = type === kind || type === 'any';
      expect(table.has('/a', 'w', type), type).toBe(isMeant);
      expect(table.has('/a', 'other', type)).toBe(false);
      expect(table.remove('/a', 'w', type), type).toBe(isMeant);
      expect(table.remove('/a', 'w', type), type).toBe(false);
      expect(table.has('/a', 'w', kind)).toBe(!isMeant);
    }
  });
});

it('the end of a watcher leaves nothing of it', () => {
  const table = tableWith(['w', 'data', '/a'], ['w', 'recursive', '/a'], ['w', 'children', '/b'], ['v', 'data', '/a']);
  table.removeAll('w');
  expect([...table.byPath]).toEqual([['/a', new Map([['v', 1]])]]);
  expect([...table.byWatcher.keys()]).toEqual(['v']);
  expect([...table.triggered({ type: 'dataChanged', path: '/a' })]).toEqual(['v']);
  expect(table.byPath.size).toBe(0);
});

it('counts watches by half: several kinds on one path count once', () => {
  const table = tableWith(
    ['w', 'data', '/a'],
    ['w', 'recursive', '/a'],
    ['w', 'children', '/a'],
    ['w', 'persistent', '/b'],
    ['v', 'data', '/a'],
  );
  expect(table.counts).toEqual({ data: 3, all: 5 });
  table.removeAll('w');
  expect(table.counts).toEqual({ data: 1, all: 1 });
});
