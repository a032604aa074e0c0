import { describe, expect, it } from 'vitest';
import { createLock } from '../../../src/recipes/createLock.ts';
import { MultiReleaseError } from '../../../src/recipes/errors.ts';
import type { Lease, LeaseState } from '../../../src/recipes/lock.ts';
import { createMultiLock } from '../../../src/recipes/multiLock.ts';
import type { SpiedClient } from '../../support/spiedClient.ts';
import { useLockRealm } from './lockRealm.ts';

const realm = useLockRealm();

/** A client that may create below a node but not delete there can take a lock and not give it back. */
async function allow(permissions: string, ...paths: readonly string[]): Promise<void> {
  for (const path of paths) await realm.observer.setAcl(path, [{ scheme: 'world', id: 'anyone', permissions }]);
}

function removed({ calls }: SpiedClient): string[] {
  return calls.filter(({ operation }) => operation === 'remove').map(({ path }) => path);
}

function statesOf(lease: Lease): LeaseState[] {
  const states: LeaseState[] = [];
  lease.onState(state => states.push(state));
  return states;
}

describe.each(['exclusive', 'write', 'mutex'] as const)('a release that the server refuses: %s', recipe => {
  async function acquire(): Promise<{ client: SpiedClient; lease: Lease }> {
    const client = await realm.open();
    const path = recipe === 'exclusive' ? '/dir/node' : '/dir';
    return { client, lease: await createLock(client, path, { recipe }).acquire() };
  }

  it('may be made again, and is made by one attempt for all who ask at once', async () => {
    const { client, lease } = await acquire();
    const states = statesOf(lease);
    await allow('cra', '/dir');
    const outcomes = await Promise.allSettled([lease.release(), lease.release()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(removed(client)).toEqual([lease.path]);
    expect(await realm.observer.get(lease.path)).toBeDefined();
    await expect(lease.release()).rejects.toThrow('NO_AUTH');
    await allow('cdrwa', '/dir');
    await Promise.all([lease.release(), lease.release()]);
    expect(await realm.observer.get(lease.path)).toBeUndefined();
    expect(removed(client)).toEqual([lease.path, lease.path, lease.path]);
    await lease.release();
    expect(removed(client)).toHaveLength(3);
    expect([lease.state, states]).toEqual(['released', ['released']]);
  });

  it('L30 leaves a node alone that another client has put in its place meanwhile', async () => {
    const { client, lease } = await acquire();
    await allow('cra', '/dir');
    await expect(lease.release()).rejects.toThrow('NO_AUTH');
    await allow('cdrwa', '/dir');
    await realm.observer.delete(lease.path);
    await realm.observer.create(lease.path);
    await lease.release();
    expect(await realm.observer.get(lease.path)).toBeDefined();
    expect(removed(client)).toEqual([lease.path]);
  });

  it('is over with the session, which took the node', async () => {
    const { client, lease } = await acquire();
    await allow('cra', '/dir');
    await expect(lease.release()).rejects.toThrow('NO_AUTH');
    await client.close();
    await lease.release();
    expect(await realm.observer.get(lease.path)).toBeUndefined();
    expect(removed(client)).toEqual([lease.path]);
  });
});

describe('several locks', () => {
  it('L28 those that were not released may be released again, and only those', async () => {
    const client = await realm.open();
    const locks = ['/a', '/b', '/c'].map(path => createLock(client, path, { recipe: 'mutex' }));
    const lease = await createMultiLock(locks).acquire();
    const [a, b, c] = lease.paths;
    await allow('cra', '/a', '/c');
    await expect(lease.release()).rejects.toThrow(MultiReleaseError);
    expect(removed(client)).toEqual([c, b, a]);
    await allow('cdrwa', '/a', '/c');
    await lease.release();
    expect(removed(client)).toEqual([c, b, a, c, a]);
    await lease.release();
    expect(removed(client)).toHaveLength(5);
  });
});

describe('a reentrant mutex', () => {
  it('counts a release that was refused once', async () => {
    const client = await realm.open();
    const lock = createLock(client, '/a', { recipe: 'mutex' });
    const first = await lock.acquire();
    await allow('cra', '/a');
    await expect(first.release()).rejects.toThrow('NO_AUTH');
    await allow('cdrwa', '/a');
    await first.release();
    const second = await lock.acquire({ timeoutMs: 0 });
    const third = await lock.acquire({ timeoutMs: 0 });
    await first.release();
    await second.release();
    expect(await realm.observer.get(third.path)).toBeDefined();
    await third.release();
    expect(await realm.observer.get(third.path)).toBeUndefined();
  });
});
