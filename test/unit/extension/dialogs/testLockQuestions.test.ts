import { beforeEach, describe, expect, it } from 'vitest';
import type { ClusterBrowser } from '../../../../src/app/clusters/clusterBrowser.ts';
import { type AcquireDraft, lookAtPath, requestOf } from '../../../../src/app/testLocks/acquireDraft.ts';
import { lockPathFault } from '../../../../src/extension/dialogs/pathQuestion.ts';
import { runSeries, type SeriesStep } from '../../../../src/extension/dialogs/questionSeries.ts';
import { freeSingleNodes } from '../../../../src/app/testLocks/dialectChoice.ts';
import { dialectsInUse } from '../../../../src/locks/recognition/recognise.ts';
import { lookAt } from '../../../../src/recipes/pathInUse.ts';
import type { TestRecipe } from '../../../../src/app/testLocks/testLock.ts';
import type { LockNode } from '../../../../src/app/clusters/clusterModel.ts';
import type { DialectId } from '../../../../src/locks/lockQueue.ts';
import { FakeClient } from '../../../support/fakeClient.ts';
import { clusterNode, lockNode, queueWith } from '../fixtures.ts';
import { draftFor } from '../../app/testLocks/testLockFixtures.ts';

async function dialectsAt(client: FakeClient, path: string): Promise<DialectId[]> {
  return dialectsInUse(path, await lookAt(client, path));
}

describe('a series of questions', () => {
  /** Steps that note when they are asked and go back when the script says so. */
  function steps(names: string[], goesBack: boolean[], asked: string[]): SeriesStep<{ short: boolean }>[] {
    return names.map(name => ({
      applies: draft => !(draft.short && name === 'b'),
      ask: (_draft, { number, total }) => {
        asked.push(`${name} ${String(number)}/${String(total)}`);
        return Promise.resolve(goesBack.shift() ?? false);
      },
    }));
  }

  it('goes on, and back to the former one', async () => {
    const asked: string[] = [];
    await runSeries(steps(['a', 'b', 'c'], [false, false, true, true], asked), { short: false });
    expect(asked).toEqual(['a 1/3', 'b 2/3', 'c 3/3', 'b 2/3', 'a 1/3', 'b 2/3', 'c 3/3']);
  });

  it('leaves out what does not apply, in both directions', async () => {
    const asked: string[] = [];
    await runSeries(steps(['a', 'b', 'c'], [false, true], asked), { short: true });
    expect(asked).toEqual(['a 1/2', 'c 2/2', 'a 1/2', 'c 2/2']);
  });
});

describe('the path of a lock', () => {
  it.each(['/a', '/team/locks/x y', '/zookeeperish'])('may be %s', path => {
    expect(lockPathFault(path)).toBeUndefined();
  });

  it.each(['', 'a', '/', '/a/', '//a', '/a/../b', '/zookeeper', '/zookeeper/quota/x'])('may not be "%s"', path => {
    expect(lockPathFault(path)).toMatch(/\.$/);
  });
});

describe('the dialect in use', () => {
  it('is told by the names at the path', async () => {
    const client = new FakeClient();
    client.put('/locks/a/_c_3c8a2f5e-0b1d-4c7e-9f60-1a2b3c4d5e6f-lock-0000000001', { owner: 1n });
    client.put('/locks/empty');
    expect(await dialectsAt(client, '/locks/a')).toEqual(['curator']);
    expect(await dialectsAt(client, '/locks/empty')).toEqual([]);
    expect(await dialectsAt(client, '/locks/none')).toEqual([]);
  });

  it('of a lock that is one node is told by its owner, and by its row while it is free', async () => {
    const client = new FakeClient();
    client.put('/kafka/controller', { owner: 1n });
    client.put('/jobs/nightly', { owner: 1n });
    expect(await dialectsAt(client, '/kafka/controller')).toEqual(['kafka-controller']);
    expect(await dialectsAt(client, '/jobs/nightly')).toEqual(['exclusive-node']);
    const row = (path: string, dialect: DialectId): LockNode => ({ ...lockNode(queueWith(0)), path, dialect });
    const rows = [row('/kafka/controller', 'kafka-controller'), row('/jobs/nightly', 'exclusive-node')];
    expect(freeSingleNodes(rows, '/kafka/controller')).toEqual(['kafka-controller']);
    expect(freeSingleNodes(rows, '/jobs/nightly')).toEqual(['exclusive-node']);
    expect(freeSingleNodes([row('/app/lock', 'curator')], '/app/lock')).toEqual([]);
  });

  it('of a kazoo semaphore is told by the queue beside its path', async () => {
    const client = new FakeClient();
    client.put('/locks/a');
    client.put('/locks/a-__lock__');
    client.put('/locks/b/0123456789abcdef0123456789abcdef__lock__0000000001', { owner: 1n });
    expect(await dialectsAt(client, '/locks/a')).toEqual(['kazoo-semaphore']);
    expect(await dialectsAt(client, '/locks/b')).toEqual(['kazoo']);
    await expect(dialectsAt(client, '/locks/a-__lock__')).rejects.toMatchObject({
      fault: { semaphore: '/locks/a' },
    });
  });

  it('of a Curator semaphore is told by its directories, which are no locks of their own', async () => {
    const client = new FakeClient();
    client.put('/locks/a/locks');
    client.put('/locks/a/leases/_c_3c8a2f5e-0b1d-4c7e-9f60-1a2b3c4d5e6f-lease-0000000001', { owner: 1n });
    client.put('/hr/leases/of-cars');
    expect(await dialectsAt(client, '/locks/a')).toEqual(['curator-semaphore']);
    await expect(dialectsAt(client, '/locks/a/leases')).rejects.toMatchObject({ fault: { semaphore: '/locks/a' } });
    expect(await dialectsAt(client, '/hr/leases')).toEqual([]);
  });
});

describe('the look at the paths of a request', () => {
  let client: FakeClient;
  beforeEach(() => {
    client = new FakeClient();
    client.put('/locks/a/leases/_c_3c8a2f5e-0b1d-4c7e-9f60-1a2b3c4d5e6f-lease-0000000001', { owner: 1n });
    client.put('/locks/b/_c_3c8a2f5e-0b1d-4c7e-9f60-1a2b3c4d5e6f-lock-0000000001', { owner: 1n });
    client.put('/locks/c/x-7-0000000001', { owner: 1n });
  });

  async function look(recipe: TestRecipe, ...paths: string[]): Promise<AcquireDraft> {
    const draft = draftFor({ recipe, paths });
    draft.browser = { node: clusterNode(), connection: { client } } as unknown as ClusterBrowser;
    await lookAtPath(draft);
    return draft;
  }

  it('proposes the dialect in use', async () => {
    expect((await look('semaphore', '/locks/a')).dialect).toMatchObject({ dialect: 'curator', inUse: true });
    expect((await look('mutex', '/locks/c')).dialect).toMatchObject({ dialect: 'zookeeper-writelock', inUse: true });
    expect((await look('mutex', '/locks/none')).dialect).toMatchObject({ dialect: 'curator', inUse: false });
  });

  it('refuses what would not exclude those who are there, at each of several paths', async () => {
    await expect(look('mutex', '/locks/a')).rejects.toMatchObject({ path: '/locks/a', fault: { kind: 'semaphore' } });
    await expect(look('semaphore', '/locks/b')).rejects.toMatchObject({ fault: { kind: 'in-use' } });
    await expect(look('read', '/locks/c')).rejects.toMatchObject({ fault: { kind: 'in-use' } });
    await expect(look('several', '/locks/b', '/locks/a')).rejects.toMatchObject({ path: '/locks/a' });
  });

  it('leaves each of several paths its own dialect', async () => {
    expect(await look('several', '/locks/b', '/locks/c')).toMatchObject({ inUse: [], dialect: undefined });
  });
});

describe('the request', () => {
  const draft = draftFor({ maxLeases: 3, lockName: 'left over from another dialect', timeoutMs: 0, autoReleaseMs: 1 });
  const browser = { node: clusterNode() };

  it('holds only what its recipe and dialect have a place for', () => {
    expect(requestOf(draft, browser, 'host')).toEqual({
      cluster: browser.node,
      recipe: 'mutex',
      paths: ['/locks/a'],
      dialect: 'curator',
      identifier: 'me',
      timeoutMs: 0,
      autoReleaseMs: 1,
    });
    expect(requestOf({ ...draft, recipe: 'semaphore' }, browser, 'host')).toMatchObject({ maxLeases: 3 });
    const letters = { dialect: 'rw-letters', withHostName: true, inUse: false } as const;
    expect(requestOf({ ...draft, dialect: letters }, browser, 'host')).toMatchObject({ hostName: 'host' });
    const named = { dialect: 'named-lock', withHostName: false, inUse: true } as const;
    expect(requestOf({ ...draft, dialect: named }, browser, 'host')).toMatchObject({ lockName: draft.lockName });
  });
});
