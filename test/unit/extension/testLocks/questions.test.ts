import { describe, expect, it } from 'vitest';
import { requestOf } from '../../../../src/extension/commands/acquireDraft.ts';
import { lockPathFault } from '../../../../src/extension/commands/pathQuestion.ts';
import { runSeries, type SeriesStep } from '../../../../src/extension/commands/stepSeries.ts';
import { dialectsInUse, freeSingleNodes } from '../../../../src/extension/testLocks/dialectsInUse.ts';
import type { LockNode } from '../../../../src/extension/tree/nodes.ts';
import type { DialectId } from '../../../../src/locks/lockQueue.ts';
import { FakeClient } from '../../../support/fakeClient.ts';
import { clusterNode, lockNode, queueWith } from '../fixtures.ts';
import { draftFor } from './testLockFixtures.ts';

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
    expect(await dialectsInUse(client, '/locks/a', 'mutex')).toEqual(['curator']);
    expect(await dialectsInUse(client, '/locks/empty', 'mutex')).toEqual([]);
    expect(await dialectsInUse(client, '/locks/none', 'mutex')).toEqual([]);
  });

  it('of a lock that is one node is told by its owner, and by its row while it is free', async () => {
    const client = new FakeClient();
    client.put('/kafka/controller', { owner: 1n });
    client.put('/jobs/nightly', { owner: 1n });
    expect(await dialectsInUse(client, '/kafka/controller', 'mutex')).toEqual(['kafka-controller']);
    expect(await dialectsInUse(client, '/jobs/nightly', 'mutex')).toEqual(['exclusive-node']);
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
    expect(await dialectsInUse(client, '/locks/a', 'semaphore')).toEqual(['kazoo']);
    expect(await dialectsInUse(client, '/locks/a', 'mutex')).toEqual([]);
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
