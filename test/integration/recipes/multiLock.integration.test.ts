import { describe, expect, it } from 'vitest';
import { createLock } from '../../../src/recipes/createLock.ts';
import { LockCancelled, LockTimeout, MultiReleaseError, WrongDialect } from '../../../src/recipes/errors.ts';
import type { LeaseState, Lock } from '../../../src/recipes/lock.ts';
import { createMultiLock } from '../../../src/recipes/multiLock.ts';
import { eventually } from '../../support/eventually.ts';
import type { SpiedClient } from '../../support/spiedClient.ts';
import { loseReply, opcode } from './faults.ts';
import { ephemerals, expectLeft, useLockRealm } from './lockRealm.ts';

const realm = useLockRealm();
const paths = ['/a', '/b', '/c'] as const;

function mutexes(client: SpiedClient): Lock[] {
  return paths.map(path => createLock(client, path, { recipe: 'mutex' }));
}

async function ownNodes(client: SpiedClient): Promise<string[]> {
  const nodes = await ephemerals(realm.observer);
  return nodes.filter(({ ephemeralOwner }) => ephemeralOwner === client.sessionId).map(({ path }) => path);
}

describe('several locks as one', () => {
  it('are taken in order and given back in reverse', async () => {
    const client = await realm.open();
    const lease = await createMultiLock(mutexes(client)).acquire();
    expect(lease.paths.map(path => path.slice(0, 2))).toEqual([...paths]);
    expect([lease.state, lease.path, lease.signal.aborted]).toEqual(['held', lease.paths[0], false]);
    const states: LeaseState[] = [];
    lease.onState(state => states.push(state));
    await lease.release();
    await lease.release();
    const removed = client.calls.filter(({ operation }) => operation === 'remove').map(({ path }) => path);
    expect(removed).toEqual(lease.paths.toReversed());
    expect([lease.state, states]).toEqual(['released', ['released']]);
  });

  it('are refused when two of them are the same one, or none is given', async () => {
    const client = await realm.open();
    const twice = ['/a', '/a'].map(path => createLock(client, path, { recipe: 'mutex' }));
    expect(() => createMultiLock(twice)).toThrow(WrongDialect);
    expect(() => createMultiLock([])).toThrow(RangeError);
  });

  it.each([
    ['time limit', () => ({ timeoutMs: 150 }), LockTimeout],
    ['cancel', () => ({ signal: AbortSignal.timeout(150) }), LockCancelled],
    ['single try', () => ({ timeoutMs: 0 }), LockTimeout],
  ] as const)('L28 give all back when one is not free: %s', async (_, options, failure) => {
    const holder = await createLock(await realm.open(), '/c', { recipe: 'mutex' }).acquire();
    const client = await realm.open();
    const start = performance.now();
    await expect(createMultiLock(mutexes(client)).acquire(options())).rejects.toThrow(failure);
    await expectLeft(realm.observer, client, performance.now() - start);
    await holder.release();
  });

  it('L28 give all back when the connection breaks meanwhile', async () => {
    const holder = await createLock(await realm.open(), '/c', { recipe: 'mutex' }).acquire();
    const { client, proxy } = await realm.openBehindProxy();
    const fault = loseReply(proxy, opcode.delete);
    await expect(createMultiLock(mutexes(client)).acquire({ timeoutMs: 0 })).rejects.toThrow('/c');
    expect(fault.happened).toBe(true);
    await eventually(async () => expect(await ownNodes(client)).toEqual([]));
    await holder.release();
  });

  it('L28 release every lock even if some fail, and report all failures', async () => {
    const client = await realm.open();
    const lease = await createMultiLock(mutexes(client)).acquire();
    const readOnly = [{ scheme: 'world', id: 'anyone', permissions: 'ra' }];
    // A client that may not delete below a node cannot release.
    for (const path of ['/a', '/c']) await realm.observer.setAcl(path, readOnly);
    const failure = await lease.release().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(MultiReleaseError);
    expect((failure as MultiReleaseError).errors.map(error => (error as Error).message.slice(0, 9))).toEqual([
      'remove /c',
      'remove /a',
    ]);
    expect((await ownNodes(client)).map(path => path.slice(0, 2)).toSorted()).toEqual(['/a', '/c']);
    const open = [{ scheme: 'world', id: 'anyone', permissions: 'cdrwa' }];
    for (const path of ['/a', '/c']) await realm.observer.setAcl(path, open);
    for (const path of await ownNodes(client)) await realm.observer.delete(path);
  });

  it('are lost when one of them is lost', async () => {
    const client = await realm.open();
    const lease = await createMultiLock(mutexes(client)).acquire();
    const states: LeaseState[] = [];
    lease.onState(state => states.push(state));
    await eventually(async () => {
      await realm.observer.delete(lease.paths[1]!);
      expect(lease.state).toBe('lost');
    });
    expect(lease.signal.aborted).toBe(true);
    expect(lease.stateCause?.kind).toBe('node-deleted');
    expect(states).toEqual(['lost']);
    await lease.release();
    expect(await ownNodes(client)).toEqual([]);
  });
});
