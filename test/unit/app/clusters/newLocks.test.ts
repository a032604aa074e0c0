import { beforeEach, describe, expect, it } from 'vitest';
import type { ClusterBrowser } from '../../../../src/app/clusters/clusterBrowser.ts';
import { NewLocks } from '../../../../src/app/clusters/newLocks.ts';
import type { ClusterNode, SearchState } from '../../../../src/app/clusters/clusterModel.ts';
import { clusterNode, lockNode, profileNamed } from '../../extension/fixtures.ts';

const done: SearchState = { kind: 'done', visited: 10, truncated: false, denied: [] };

let pzxids: Map<string, bigint | Error>;
let asked: string[];
let found: string[];
let cluster: ClusterNode;
let browser: Pick<ClusterBrowser, 'node' | 'connection' | 'find'>;
let newLocks: NewLocks;

beforeEach(() => {
  pzxids = new Map([
    ['/locks', 1n],
    ['/locks/pay', 1n],
  ]);
  asked = [];
  found = [];
  cluster = clusterNode({ profile: profileNamed('orders', { lockRoots: ['/locks'] }), search: done });
  const lock = lockNode(undefined, cluster, '/locks/pay/invoice');
  cluster.locks.set(lock.key, lock);
  const exists = (path: string): Promise<unknown> => {
    asked.push(path);
    const pzxid = pzxids.get(path);
    return pzxid instanceof Error
      ? Promise.reject(pzxid)
      : Promise.resolve(pzxid === undefined ? undefined : { pzxid });
  };
  const connection = { state: { kind: 'connected' }, client: { exists } };
  const find = (root: string): Promise<never> => Promise.resolve(void found.push(root)) as Promise<never>;
  browser = { node: cluster, connection, find } as unknown as typeof browser;
  newLocks = new NewLocks();
});

describe('looking for new locks', () => {
  it('asks the roots and the directories of known locks, and searches the roots once while nothing changes', async () => {
    for (let look = 0; look < 3; look++) await newLocks.look(browser);
    expect(new Set(asked)).toEqual(new Set(['/locks', '/locks/pay']));
    expect(found).toEqual(['/locks']);
  });

  it('searches where children came or went, three times, since the lock may come after its directory', async () => {
    await newLocks.look(browser);
    found = [];
    pzxids.set('/locks/pay', 2n);
    for (let look = 0; look < 5; look++) await newLocks.look(browser);
    expect(found).toEqual(['/locks/pay', '/locks/pay', '/locks/pay']);
  });

  it('goes on after a directory that may not be read, and after a search that fails', async () => {
    pzxids.set('/locks/pay', new Error('NO_AUTH'));
    await newLocks.look(browser);
    pzxids.set('/locks', 2n);
    const { find } = browser;
    browser.find = () => Promise.reject(new Error('no connection'));
    await newLocks.look(browser);
    browser.find = find;
    found = [];
    await newLocks.look(browser);
    expect(found).toEqual(['/locks']);
  });

  it.each<[string, () => void]>([
    ['the search is not over', () => (cluster.search = { kind: 'running', visited: 1, locks: 0 })],
    ['the tree is large', () => (cluster.search = { ...done, visited: 20_001 })],
    ['the search was cut', () => (cluster.search = { ...done, truncated: true })],
    ['there is no contact', () => ((browser.connection.state as unknown as { kind: string }).kind = 'uncertain')],
    [
      'there are many locks',
      () => {
        for (let at = 0; at < 1_001; at++) {
          const lock = lockNode(undefined, cluster, `/locks/n${at}`);
          cluster.locks.set(lock.key, lock);
        }
      },
    ],
  ])('leaves it to Refresh while %s', async (_, change) => {
    change();
    await newLocks.look(browser);
    expect(asked).toEqual([]);
  });

  it('does not look twice at the same time', async () => {
    await Promise.all([newLocks.look(browser), newLocks.look(browser)]);
    expect(asked).toHaveLength(2);
  });
});
