import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fourLetterWord } from '../../../scripts/zookeeper/fourLetterWord.ts';
import { onSandbox } from '../../../src/scenario/scenarioCluster.ts';
import type { Contenders } from '../../support/contenders.ts';
import { startCuratorContenders, type CuratorContenders } from '../../support/curatorContenders.ts';
import { eventually } from '../../support/eventually.ts';
import { useTestRealm } from '../../support/freshChroot.ts';
import { startKazooContenders, type KazooContenders } from '../../support/kazooContenders.ts';
import { failureLine, playText, watchedCluster } from '../../support/scenarioPlays.ts';

describe('live services', () => {
  const realm = useTestRealm();
  let curator: CuratorContenders;
  let kazoo: KazooContenders;
  beforeAll(() => {
    curator = startCuratorContenders(realm.serverConnectString);
    kazoo = startKazooContenders(realm.serverConnectString);
  });
  afterAll(async () => {
    await curator.stop();
    await kazoo.stop();
  });

  const play = async (text: string, onLine?: (line: number) => Promise<void>): Promise<string> => {
    const pending: Promise<void>[] = [];
    const result = await playText(text, watchedCluster(realm.connectString).cluster, {
      onStep: ({ step }) => {
        if (onLine !== undefined) pending.push(onLine(step.span.line + 1));
      },
    });
    await Promise.all(pending);
    expect(result.left.map(({ why }) => why)).toEqual(result.left.map(() => 'in use'));
    return failureLine(result.failure);
  };

  /** `ip:port` of a session, as its server sees it. */
  async function addressOf(session: bigint): Promise<string> {
    const [host = '', port] = realm.serverConnectString.split(':');
    const lines = (await fourLetterWord(host, Number(port), 'cons')).split('\n');
    const line = lines.find(each => each.includes(`sid=0x${BigInt.asUintN(64, session).toString(16)},`));
    return /\/([^[]+)\[/u.exec(line ?? '')?.[1] ?? '';
  }

  async function holder<Recipe extends string>(all: Contenders<Recipe>, recipe: Recipe, path: string): Promise<bigint> {
    const id = await all.start({ contender: path, recipe, path: realm.chroot + path, identifier: 'service-1' });
    await all.acquire(path);
    return id;
  }

  it.each(['identifier', 'address', 'dialect'] as const)(
    'of Curator are part of an expectation, by %s, and a test session gets its turn',
    async by => {
      const path = `/curator-${by}/orders`;
      const id = await holder(curator, 'mutex', path);
      const text = { identifier: '', address: await addressOf(id), dialect: 'curator' }[by];
      // What a mutex of Curator writes is the address of its machine.
      const [node] = await realm.observer.ls(path);
      const name = by === 'identifier' ? String(node?.data) : text;
      const scenario = [
        `path: ${path}`,
        `attach S to ${by} ${name}`,
        'expect: S holds, holders S, no waiters',
        'A: acquire mutex',
        'B: acquire mutex',
        'expect: S holds, A waits for S, waiters A then B',
        'expect: A holds, waiters B within 10s',
        'A: release',
        'expect: B holds',
      ].join('\n');
      expect(await play(scenario, async line => (line === 6 ? curator.release(path) : undefined))).toBe('passed');
      await curator.end(path);
    },
  );

  it.each(['identifier', 'address', 'dialect'] as const)(
    'of kazoo are part of an expectation, by %s, and a test session gets its turn',
    async by => {
      const path = `/kazoo-${by}/orders`;
      const id = await holder(kazoo, 'lock', path);
      const name = { identifier: 'service-1', address: await addressOf(id), dialect: 'kazoo' }[by];
      const scenario = [
        `path: ${path}`,
        `attach S to ${by} ${name}`,
        'A: acquire mutex',
        'expect: S holds, A waits for S, waiters A',
        'expect: A holds, no waiters within 10s',
      ].join('\n');
      expect(await play(scenario, async line => (line === 4 ? kazoo.release(path) : undefined))).toBe('passed');
      await kazoo.end(path);
    },
  );

  it('of Curator wait for test sessions, and get the lock from them', async () => {
    const path = '/waiting/orders';
    await curator.start({ contender: path, recipe: 'mutex', path: realm.chroot + path });
    const scenario = [
      `path: ${path}`,
      'attach S to dialect curator',
      'A: acquire mutex as curator',
      'expect: A holds, S waits for A within 10s',
      'A: release',
      'expect: holders S within 10s',
    ].join('\n');
    expect(await play(scenario, async line => (line === 3 ? curator.begin(path) : undefined))).toBe('passed');
    await curator.holds(path);
    expect(await curator.holders()).toEqual([path]);
    await curator.end(path);
  });

  it('that are not what was meant fail the expectation, with who is there', async () => {
    const path = '/other/orders';
    await holder(kazoo, 'lock', path);
    const scenario = `path: ${path}\nattach S to identifier service-2\nA: acquire mutex\nexpect: S holds, A waits for S within 100ms`;
    expect(await play(scenario)).toMatch(
      /^not so: holds at 4:9, waits at 4:18\n\/other\/orders\n {2}"service-1" \(0x[\da-f]+\) holds\n {2}A waits for "service-1"/u,
    );
    await kazoo.end(path);
  });

  it('cannot be found by address where no server is asked', async () => {
    const result = await onSandbox(cluster => playText('attach S to address 10.0.0.1 /a/b', cluster));
    expect(result.failure).toMatchObject({ kind: 'failed', error: { fault: { kind: 'no-addresses', session: 'S' } } });
  });
});

describe('a queue of others', () => {
  const realm = useTestRealm();

  it('may have hostile names: what is seen of them is harmless and short', async () => {
    const hostile = `\u001b[31m\u202e<script>\r\n${'x'.repeat(5_000)}`;
    await realm.observer.create('/hostile/orders/_c_00000000-0000-0000-0000-000000000000-lock-', {
      data: hostile,
      ephemeral: true,
      sequence: true,
    });
    const many = Array.from({ length: 200 }, (_, at) => ({
      path: `/hostile/orders/_c_00000000-0000-0000-0000-0000000000${String(at).padStart(3, '0').slice(0, 2)}-lock-`,
      data: '[x](command:y)',
      ephemeral: true,
      sequence: true,
    }));
    await realm.observer.createMany(many);
    const { cluster } = watchedCluster(realm.connectString);
    const result = await playText('path: /hostile/orders\nA: acquire mutex\nexpect: A holds within 50ms', cluster);
    const seen = result.failure?.kind === 'not so' ? result.failure.seen : '';
    expect(seen.split('\n').length).toBeLessThan(60);
    expect(Math.max(...seen.split('\n').map(({ length }) => length))).toBeLessThan(300);

    expect(seen).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/u);
    expect(result.left).toEqual([]);
    expect(await realm.observer.ls('/hostile/orders')).toHaveLength(201);
  });

  it('keeps everything that was there before', async () => {
    await realm.observer.ensure('/kept/orders');
    await realm.observer.ensure('/kept/empty');
    await realm.observer.create('/kept/orders/config', { data: 'mine' });
    const { cluster } = watchedCluster(realm.connectString);
    const text =
      'path: /kept/orders\nA: acquire mutex\nA: leave\nB: acquire semaphore 2 /kept/empty\nC: acquire read /kept/made/here\nexpect: C holds';
    const result = await playText(text, cluster);
    expect(failureLine(result.failure)).toBe('passed');
    expect(result.left).toEqual([]);
    const names = (await realm.observer.ls('/kept')).map(({ name }) => name).sort();
    expect(names).toEqual(['empty', 'orders']);
    expect((await realm.observer.ls('/kept/orders')).map(({ name }) => name)).toEqual(['config']);
    expect(await realm.observer.ls('/kept/empty')).toEqual([]);
  });

  it('is in the way of a herd, which leaves it alone', async () => {
    await realm.observer.create('/busy/orders/lock-', { ephemeral: true, sequence: true });
    const { cluster } = watchedCluster(realm.connectString);
    const { failure } = await playText('herd 3 /busy/orders', cluster);
    expect(failure).toMatchObject({
      kind: 'failed',
      error: { fault: { kind: 'in-use', path: '/busy/orders/lock-0000000000' } },
    });
    expect((await realm.observer.ls('/busy/orders')).map(({ name }) => name)).toEqual(['lock-0000000000']);
  });

  it('is named where it keeps a directory', async () => {
    const { cluster } = watchedCluster(realm.connectString);
    const text = 'A: acquire mutex /shared/orders\nexpect: A holds /shared/orders\nexpect: A lost within 400ms';
    const playing = playText(text, cluster);
    await eventually(async () => expect(await realm.observer.ls('/shared/orders')).toHaveLength(1));
    await realm.observer.create('/shared/orders/other', { data: 'of another program' });
    const result = await playing;
    expect(result.left).toEqual([
      { path: '/shared/orders', why: 'in use' },
      { path: '/shared', why: 'in use' },
    ]);
  });

  it('may be of the same file, played twice at the same time: neither takes the nodes of the other', async () => {
    const { cluster } = watchedCluster(realm.connectString);
    const text =
      'path: /twice/orders\nA: acquire mutex\nB: leave\nA: release\nC: acquire mutex within 100ms\nwait 100ms';
    const results = await Promise.all([text, text, text].map(each => playText(each, cluster)));
    expect(results.map(({ failure }) => failureLine(failure))).toEqual(['passed', 'passed', 'passed']);
    // The directories are of the run that was there first, and it may end before the others do.
    const left = await realm.observer.ls('/twice/orders').catch((error: unknown) => {
      expect(String(error)).toContain('NoNodeError');
      return [];
    });
    expect(left).toEqual([]);
  });
});
