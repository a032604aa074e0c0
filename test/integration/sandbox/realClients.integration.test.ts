import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCuratorContenders, type CuratorContenders } from '../../support/curatorContenders.ts';
import { eventually } from '../../support/eventually.ts';
import { startKazooContenders, type KazooContenders } from '../../support/kazooContenders.ts';
import { ZkCli } from '../../support/zkCli.ts';
import { cutOff, engines, shortTimeoutMs, useEngine } from './engines.ts';

/** Several waits, one after the other. */
const patient = { timeout: 180_000 };

/** What zkCli printed, by server and command: it must be the same. */
const printed = new Map<string, string[][]>();

describe.each(engines)('on %s', (name, start) => {
  const used = useEngine(start);

  describe('kazoo', () => {
    let all: KazooContenders;
    beforeAll(() => {
      all = startKazooContenders(used.engine.connectString);
    });
    afterAll(() => all.stop());

    it(
      'Counter: two sessions lose no addition, and count on after a lost connection and the end of a session',
      patient,
      async () => {
        // One program does one thing after another: only two of them meet.
        const others = startKazooContenders(used.engine.connectString);
        try {
          const both = [all, others];
          const plan = { contender: 'a', recipe: 'lock', path: '/unused', sessionTimeoutMs: shortTimeoutMs } as const;
          const sessions = await Promise.all(both.map(one => one.start(plan)));
          const count = (times: number) => Promise.all(both.map(one => one.count('a', '/counter', times)));
          await count(1);
          await count(60);
          expect(await count(0)).toEqual([122, 122]);
          const connected = await cutOff(used.engine, ...sessions);
          await connected();
          await count(10);
          expect(await count(0)).toEqual([142, 142]);
          await used.engine.expire(sessions[0]!);
          await eventually(async () => expect(await count(0)).toEqual([142, 142]), 20_000);
          await count(10);
          expect(await count(0)).toEqual([162, 162]);
        } finally {
          await others.stop();
        }
        expect((await used.observer.get('/counter'))!.data.toString()).toBe('162');
      },
    );

    it(
      'ChildrenWatch and DataWatch see every state, over a lost connection and the end of a session',
      patient,
      async () => {
        await used.observer.create('/watched', { data: 'one' });
        const plan = { contender: 'w', recipe: 'lock', path: '/unused', sessionTimeoutMs: shortTimeoutMs } as const;
        const session = await all.start(plan);
        await all.watch('w', '/watched', 'data');
        await all.watch('w', '/watched', 'children');
        // One path, one list: the watchers of a node's data and children are called one after the other.
        const last = (values: (string | string[] | null)[], isData: boolean): unknown =>
          values.filter(value => (typeof value === 'string' || value === null) === isData).at(-1);
        const expectState = (data: string | null, children: string[]): Promise<void> =>
          eventually(async () => {
            const seen = await all.seen('w', '/watched');
            expect([last(seen, true), last(seen, false)]).toEqual([data, children]);
          }, 20_000);
        await expectState('one', []);
        await used.observer.set('/watched', 'two');
        await used.observer.create('/watched/x');
        await expectState('two', ['x']);
        const connected = await cutOff(used.engine, session);
        await used.observer.set('/watched', 'three');
        await used.observer.create('/watched/y');
        await expectState('three', ['x', 'y']);
        await connected();
        await used.engine.expire(session);
        await used.observer.set('/watched', 'four');
        await used.observer.create('/watched/z');
        await expectState('four', ['x', 'y', 'z']);
        await used.observer.delete('/watched', { recursive: true });
        await eventually(async () => expect(last(await all.seen('w', '/watched'), true)).toBeNull());
      },
    );
  });

  it('Curator: TreeCache mirrors a tree, over a lost connection and the end of a session', patient, async () => {
    const all: CuratorContenders = startCuratorContenders(used.engine.connectString);
    try {
      await used.observer.create('/tree', { data: 'root' });
      await used.observer.create('/tree/a', { data: '1' });
      await used.observer.create('/tree/a/b', { data: '2' });
      const session = await all.start({
        contender: 'c',
        recipe: 'mutex',
        path: '/unused',
        sessionTimeoutMs: shortTimeoutMs,
      });
      await all.watchTree('c', '/tree');
      const expectTree = (tree: Record<string, string>): Promise<void> =>
        eventually(async () => expect(await all.tree('c', '/tree')).toEqual(tree), 20_000);
      await expectTree({ '/tree': 'root', '/tree/a': '1', '/tree/a/b': '2' });
      await used.observer.set('/tree/a/b', 'changed');
      await used.observer.create('/tree/c', { data: '3' });
      await expectTree({ '/tree': 'root', '/tree/a': '1', '/tree/a/b': 'changed', '/tree/c': '3' });
      const connected = await cutOff(used.engine, session);
      await used.observer.delete('/tree/a', { recursive: true });
      await used.observer.create('/tree/c/d', { data: '4' });
      await expectTree({ '/tree': 'root', '/tree/c': '3', '/tree/c/d': '4' });
      await connected();
      await used.engine.expire(session);
      await used.observer.set('/tree/c', 'after');
      await used.observer.create('/tree/e', { data: '5' });
      await expectTree({ '/tree': 'root', '/tree/c': 'after', '/tree/c/d': '4', '/tree/e': '5' });
    } finally {
      await all.stop();
    }
  });

  it('zkCli: create, get -w, set, ls -R, stat and more', async () => {
    const cli = new ZkCli(used.engine.connectString);
    const outputs: string[][] = [];
    const events: string[] = [];
    // Events come from another thread of zkCli, before what a command prints or behind it.
    const run = async (command: string): Promise<string[]> => {
      const lines = [...cli.unasked.splice(0), ...(await cli.run(command))];
      events.push(...lines.filter(line => line.startsWith('WatchedEvent') && !line.includes('type:None')));
      const own = lines.filter(line => !/^(Connecting to .*|WATCHER::|WatchedEvent.*|)$/.test(line));
      outputs.push([command, ...own.map(line => line.replace(/0x[0-9a-f]+/, '0x').replace(/(time = ).*/, '$1'))]);
      return own;
    };
    try {
      expect(await run('create /shell hello')).toContain('Created /shell');
      expect(await run('create -s -e /shell/n- x')).toContain('Created /shell/n-0000000000');
      expect(await run('get -w /shell')).toEqual(['hello']);
      await used.observer.set('/shell', 'changed');
      await eventually(async () => {
        await run('version');
        expect(events.join()).toContain('type:NodeDataChanged path:/shell');
      });
      outputs.length = 0;
      expect(await run('ls -R /shell')).toEqual(['/shell', '/shell/n-0000000000']);
      expect(await run('stat /shell')).toEqual(
        expect.arrayContaining(['dataVersion = 1', 'numChildren = 1', 'cversion = 1']),
      );
      const session = (await used.observer.get('/shell/n-0000000000'))!.ephemeralOwner;
      const connected = await cutOff(used.engine, session);
      await connected();
      for (const command of [
        'get -s /shell/n-0000000000',
        'create -c /shell/container',
        'create /shell/none/x',
        'create /shell again',
        'create -e /shell/e',
        'create /shell/e/child',
        'ls -s -w /shell/e',
        'stat -w /shell/e',
        'delete /shell/e',
        'set -s /shell three',
        'set -v 7 /shell four',
        'getAcl /shell',
        'addauth digest user:secret',
        'setAcl /shell auth:user:crwda',
        'getAcl /shell',
        'setAcl /shell nonsense:x:r',
        'getEphemerals /shell',
        'getAllChildrenNumber /shell',
        'addWatch -m PERSISTENT_RECURSIVE /shell',
        'create /shell/seen',
        'removewatches /shell',
        'removewatches /none',
        'ls /shell',
        'sync /shell',
        'delete /shell',
        'deleteall /shell',
        'get /shell',
      ]) {
        await run(command);
      }
    } finally {
      await cli.stop();
    }
    printed.set(name, [...outputs, events]);
  });

  it('zkCli: after the end of its session every command fails, until it connects once more', patient, async () => {
    const cli = new ZkCli(used.engine.connectString, { sessionTimeoutMs: shortTimeoutMs });
    const heard: string[] = [];
    const run = async (command: string): Promise<string[]> => {
      const lines = [...cli.unasked.splice(0), ...(await cli.run(command))];
      heard.push(...lines.filter(line => line.startsWith('WatchedEvent')));
      return lines.filter(line => !/^(Connecting to .*|WATCHER::|WatchedEvent.*|)$/.test(line));
    };
    try {
      await eventually(async () => expect(await run('create -e /mine')).toContain('Created /mine'));
      await used.engine.expire((await used.observer.get('/mine'))!.ephemeralOwner);
      await eventually(async () => {
        await run('version');
        expect(heard.join()).toContain('state:Expired');
      }, 20_000);
      expect(await run('ls /')).toContain('Not connected');
      await run(`connect ${used.engine.connectString}`);
      await eventually(async () => expect(await run('create -e /mine again')).toContain('Created /mine'));
      expect(await run('get /mine')).toEqual(['again']);
    } finally {
      await cli.stop();
    }
  });
});

it('zkCli prints the same on both', () => {
  const [real, ours] = engines.map(([name]) => printed.get(name));
  expect(real).toBeDefined();
  expect(ours).toEqual(real);
});
