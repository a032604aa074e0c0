import { describe, expect, it } from 'vitest';
import { ClusterBrowser } from '../../../../src/app/clusters/clusterBrowser.ts';
import { ensureLock } from '../../../../src/app/clusters/lockCatalogue.ts';
import { lockOf, readSavedLock, type SavedLock } from '../../../../src/app/panel/savedLock.ts';
import { browserParts, profileNamed } from '../../extension/fixtures.ts';

const saved: SavedLock = { cluster: 'orders', clusterName: 'Orders', path: '/locks/a', dialect: 'kazoo' };

describe('a lock that was kept', () => {
  it.each([saved, { ...saved, lockName: 'invoice' }])('is read as it was written: %j', value => {
    expect(readSavedLock(JSON.parse(JSON.stringify({ ...value, more: 1 })))).toEqual(value);
  });

  it.each([
    undefined,
    null,
    'orders',
    [],
    {},
    { ...saved, cluster: 7 },
    { ...saved, path: 'locks/a' },
    { ...saved, path: '/locks/../a' },
    { ...saved, lockName: {} },
  ])('is none when the page kept %j', value => {
    expect(readSavedLock(value)).toBeUndefined();
  });

  it('has no dialect and no name of its cluster where those are unknown here', () => {
    expect(readSavedLock({ ...saved, clusterName: 1, dialect: '__proto__' })).toEqual({
      ...saved,
      clusterName: '',
      dialect: 'generic',
    });
  });

  it('has the row of the tree if there is one, else one of its own', () => {
    const browser = new ClusterBrowser(profileNamed('orders'), browserParts());
    const registry = { get: (id: string) => (id === 'orders' ? browser : undefined) };
    const alone = lockOf(registry, saved);
    expect(alone).toMatchObject({ cluster: browser.node, path: '/locks/a', dialect: 'kazoo', queue: undefined });
    expect(browser.node.locks.size).toBe(0);
    const { lock } = ensureLock(browser.node, '/locks/a', undefined, 'curator');
    expect(lockOf(registry, saved)).toBe(lock);
    expect(lockOf(registry, { ...saved, lockName: 'x' })).not.toBe(lock);
  });
});
