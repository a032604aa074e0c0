import { describe, expect, it } from 'vitest';
import { toDisposable } from '../../../../src/base/disposable.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { isLockPath, readProfiles } from '../../../../src/app/clusters/clusterProfile.ts';
import { ClusterStore } from '../../../../src/app/clusters/clusterStore.ts';
import { profileNamed } from '../../extension/fixtures.ts';

const entry = { name: 'Orders', connectString: 'zk1:2181/app', environment: 'staging' };

describe('saved clusters', () => {
  it('are read as they were written, with defaults for what is left out', () => {
    expect(readProfiles([entry]).profiles).toEqual([{ ...entry, id: 'zk1:2181/app', lockRoots: ['/'] }]);
    expect(readProfiles([{ ...entry, environment: undefined }]).profiles[0]?.environment).toBe('development');
  });

  it('of an unknown environment are treated with the most care', () => {
    expect(readProfiles([{ ...entry, environment: 'prod' }]).profiles[0]?.environment).toBe('production');
  });

  it.each([
    [null, 'not-an-object'],
    ['zk1:2181', 'not-an-object'],
    [[], 'not-an-object'],
    [{ connectString: 'a:1' }, 'name'],
    [{ ...entry, name: ' ' }, 'name'],
    [{ name: 'x' }, 'connectString'],
    [{ name: 'x', connectString: 5 }, 'connectString'],
    [{ name: 'x', connectString: 'me:secret@zk1:2181' }, 'credentials'],
    [{ ...entry, lockRoots: ['locks'] }, 'lockRoots'],
    [{ ...entry, lockRoots: '/locks' }, 'lockRoots'],
  ])('are refused with the part that is wrong: %j', (wrong, fault) => {
    const saved = readProfiles([wrong, entry, entry]);
    expect(saved.profiles).toHaveLength(1);
    expect(saved.refused).toEqual([
      { index: 0, fault },
      { index: 2, fault: 'duplicate' },
    ]);
  });

  it.each([undefined, null, 5, 'x', {}])('are none when the setting is %j', setting => {
    expect(readProfiles(setting)).toEqual({ profiles: [], refused: [] });
  });

  it.each([
    ['/', true],
    ['/a/b', true],
    ['', false],
    ['a', false],
    ['/a/', false],
    ['//a', false],
    ['/a/../b', false],
  ])('may have the lock root %s: %j', (path, expected) => {
    expect(isLockPath(path)).toBe(expected);
  });
});

describe('ClusterStore', () => {
  function storeWith(raw: unknown): { store: ClusterStore; value: () => unknown; change: (next: unknown) => void } {
    let value = raw;
    let listener = (): void => undefined;
    const store = new ClusterStore(
      {
        read: () => value,
        write: clusters => {
          value = clusters;
          return Promise.resolve();
        },
        onChange: next => {
          listener = next;
          return toDisposable(() => {
            listener = () => undefined;
          });
        },
      },
      nullLogger,
    );
    return {
      store,
      value: () => value,
      change: next => {
        value = next;
        listener();
      },
    };
  }

  it('keeps unknown entries and fields when it writes', async () => {
    const { store, value } = storeWith(['oops', { ...entry, colour: 'red' }]);
    await store.replace({ ...store.profiles[0]!, name: 'Renamed' });
    await store.add(profileNamed('new', { connectString: 'b:2181' }));
    expect(value()).toEqual([
      'oops',
      expect.objectContaining({ name: 'Renamed', colour: 'red', id: 'zk1:2181/app' }),
      expect.objectContaining({ name: 'new' }),
    ]);
    await store.remove('zk1:2181/app');
    expect(value()).toEqual(['oops', expect.objectContaining({ name: 'new' })]);
  });

  it('reports a change made elsewhere once, and none after its end', () => {
    const { store, change } = storeWith([]);
    const heard: number[] = [];
    store.onChange(profiles => heard.push(profiles.length));
    change([entry]);
    change([entry]);
    store.dispose();
    change([]);
    expect(heard).toEqual([1]);
  });
});
