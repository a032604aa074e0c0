import { expect, it } from 'vitest';
import { ClusterBrowser, type Inspector } from '../../../../src/app/clusters/clusterBrowser.ts';
import type { ClusterNode, LockNode } from '../../../../src/app/clusters/clusterModel.ts';
import { LockWatches } from '../../../../src/app/clusters/lockWatches.ts';
import { toDisposable } from '../../../../src/base/disposable.ts';
import { FakeClient } from '../../../support/fakeClient.ts';
import { eventually } from '../../../support/eventually.ts';
import { browserParts, idleInspector, profileNamed, queueOf } from '../../extension/fixtures.ts';

const count = 2_000;
const paths = Array.from({ length: count }, (_, index) => `/locks/${String(index)}`);

/** A browser with all these locks in rows; `gaps` end that they are live. */
async function openMany() {
  const gaps: (() => void)[] = [];
  const rows: (ClusterNode | LockNode)[] = [];
  const inspector: Inspector = {
    ...idleInspector,
    findLocks: () => {
      const locks = paths.map(path => ({ path, dialect: 'curator' as const, contenders: 0 }));
      return Promise.resolve({ locks, visited: count, truncated: false, denied: [] });
    },
    watchQueues: (_client, path, listener, options) => {
      listener([queueOf([], { path })]);
      gaps.push(() => options?.onGap?.());
      return Promise.resolve(toDisposable(() => undefined));
    },
  };
  const parts = browserParts({
    loadInspector: () => Promise.resolve(inspector),
    budget: { used: 0, limit: () => count },
    onChange: row => rows.push(row),
  });
  const browser = new ClusterBrowser(profileNamed('orders', { lockRoots: ['/locks'] }), parts);
  browser.node.lockLimit = count;
  // How many locks were looked at, by a walk over all or by their path.
  let looks = 0;
  const { locks } = browser.node;
  const values = locks.values.bind(locks);
  locks.values = function* () {
    for (const lock of values()) {
      looks++;
      yield lock;
    }
  } as typeof locks.values;
  const at = locks.at.bind(locks);
  locks.at = path => {
    const found = at(path);
    looks += found.length;
    return found;
  };
  browser.setAttention({ expanded: true, visible: true, paused: false });
  await browser.connect();
  await eventually(() => expect([...values()].filter(({ live }) => live)).toHaveLength(count));
  await eventually(() => expect(gaps).toHaveLength(count));
  return { browser, gaps, rows, looks: () => looks };
}

it('looks at each of many locks a few times until all are live, and draws each of them twice', async () => {
  const { browser, rows, looks } = await openMany();
  const drawn = Map.groupBy(rows, row => row);
  // Found, and read.
  for (const lock of browser.node.locks.values()) expect(drawn.get(lock)).toHaveLength(2);
  expect(drawn.get(browser.node)?.length).toBeLessThan(10);
  expect(browser.node.watched).toBe(count);
  expect(looks()).toBeLessThan(20 * count);
  await browser.disconnect();
});

it('looks at each of many locks a few times when changes of all may have been missed', async () => {
  const { browser, gaps, rows, looks } = await openMany();
  const before = looks();
  rows.length = 0;
  for (const gap of gaps) gap();
  expect(new Set(rows).size).toBe(count);
  expect(rows).toHaveLength(count);
  expect(looks() - before).toBeLessThan(3 * count);
  await browser.disconnect();
});

it('says of each path that its watch came, became live and went', async () => {
  const changes: string[] = [];
  const watches = new LockWatches({
    watch: (_client, _path, listener) => {
      listener([]);
      return Promise.resolve(toDisposable(() => undefined));
    },
    onQueues: () => undefined,
    onFailure: () => undefined,
    lengthOf: () => 0,
    onChange: path => changes.push(`${path} ${watches.isLive(path) ? 'live' : watches.has(path) ? 'watched' : 'gone'}`),
    budget: { used: 0, limit: () => count },
  });
  const client = new FakeClient();
  watches.setTarget(client, ['/a', '/b']);
  await eventually(() => expect(changes).toEqual(['/a live', '/b live', '/a live', '/b live']));
  changes.length = 0;
  watches.forget(['/b']);
  watches.setTarget(client, ['/b']);
  expect(changes).toEqual(['/b live', '/a gone']);
  watches.dispose();
});

it.each([
  { length: 0, atOnce: 100 },
  { length: 10, atOnce: 100 },
  { length: 1_000, atOnce: 8 },
  { length: 10_000, atOnce: 1 },
])('reads $atOnce paths with $length contenders at once, in their order', async ({ length, atOnce }) => {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const watches = new LockWatches({
    watch: (_client, path) => {
      begun.push(path);
      return new Promise(resolve => ends.push(() => resolve(toDisposable(() => undefined))));
    },
    onQueues: () => undefined,
    onFailure: () => undefined,
    lengthOf: () => length,
    onChange: () => undefined,
    budget: { used: 0, limit: () => count },
  });
  const client = new FakeClient();
  watches.setTarget(client, paths.slice(0, 120));
  expect(begun).toEqual(paths.slice(0, atOnce));
  // What waits and is not wanted any more is not read; what is new comes last.
  const wanted = [...paths.slice(0, 110), '/new'];
  watches.setTarget(client, wanted);
  for (let at = 0; at < wanted.length; at++) {
    await eventually(() => expect(ends[at]).toBeDefined());
    expect(begun.length - at).toBeLessThanOrEqual(atOnce);
    ends[at]?.();
  }
  expect(begun).toEqual(wanted);
  watches.dispose();
});
