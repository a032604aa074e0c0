import { beforeEach, describe, expect, it } from 'vitest';
import { toDisposable } from '../../../../src/base/disposable.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { ClusterRegistry } from '../../../../src/app/clusters/clusterRegistry.ts';
import { ClusterStore } from '../../../../src/app/clusters/clusterStore.ts';
import { FormerConnections } from '../../../../src/app/clusters/formerConnections.ts';
import { browserParts } from '../../extension/fixtures.ts';

const saved = ['a', 'b', 'c'].map(id => ({ id, name: id, connectString: `${id}:1` }));

/** What the workspace keeps from window to window. */
let kept: Map<string, unknown>;

beforeEach(() => {
  kept = new Map();
});

/** A window of the workspace. */
function openWindow(clusters: readonly unknown[] = saved) {
  const setting = {
    read: () => clusters,
    write: () => Promise.resolve(),
    onChange: () => toDisposable(() => undefined),
  };
  const registry = new ClusterRegistry([new ClusterStore(setting, nullLogger)], browserParts());
  const memory = {
    get: (key: string) => kept.get(key),
    update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, structuredClone(value))),
  };
  const offers: string[][] = [];
  const waiting = (): string[] => former.waiting.map(({ node }) => node.id);
  const former = new FormerConnections(registry, memory, () => offers.push(waiting()));
  const use = async (id: string, what: 'connect' | 'disconnect'): Promise<void> => registry.get(id)?.[what]();
  return { registry, waiting, use, offers };
}

describe('the clusters of the window before', () => {
  it('are those that were connected when it closed', async () => {
    const before = openWindow();
    expect(before.waiting()).toEqual([]);
    await before.use('c', 'connect');
    await before.use('a', 'connect');
    await before.use('b', 'connect');
    await before.use('b', 'disconnect');
    await before.registry.close();
    expect(openWindow().waiting()).toEqual(['a', 'c']);
  });

  it('wait until they are used, and are kept until they are disconnected on purpose', async () => {
    const before = openWindow();
    await before.use('a', 'connect');
    await before.use('b', 'connect');
    await before.registry.close();
    const next = openWindow();
    await next.use('a', 'connect');
    expect(next.waiting()).toEqual(['b']);
    expect(next.offers).toContainEqual(['b']);
    await next.use('a', 'disconnect');
    await next.registry.close();
    // b was not used in this window, and is offered once more.
    expect(openWindow().waiting()).toEqual(['b']);
  });

  it('are not those that were removed meanwhile', async () => {
    const before = openWindow();
    await before.use('a', 'connect');
    await before.registry.close();
    expect(openWindow(saved.slice(1)).waiting()).toEqual([]);
  });

  it.each([undefined, 'a', { a: 1 }, [1, null]])('are none where %j was kept', value => {
    kept.set('connectedClusters', value);
    expect(openWindow().waiting()).toEqual([]);
  });
});
