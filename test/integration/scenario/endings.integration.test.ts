import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLock } from '../../../src/recipes/createLock.ts';
import { removeMade } from '../../../src/scenario/cleanUp.ts';
import { MadeDirectories } from '../../../src/scenario/madeDirectories.ts';
import { onSandbox } from '../../../src/scenario/scenarioCluster.ts';
import { startSandbox, type Sandbox } from '../../../src/sandbox/startSandbox.ts';
import { eventually } from '../../support/eventually.ts';
import { useTestRealm } from '../../support/freshChroot.ts';
import { failureLine, playText, watchedCluster } from '../../support/scenarioPlays.ts';
import { startTestServer, type TestServer } from '../../support/testServer.ts';

/** Longest clean-up, as stage.ts and cleanUp.ts have it, with what a busy machine adds, ms. */
const cleanUpLimitMs = 20_000;

/** In each of them the last step goes on for as long as it may. */
const endless: readonly (readonly [name: string, text: string])[] = [
  ['wait', 'A: acquire mutex\nB: acquire mutex\nwait 1min'],
  ['expect', 'A: acquire mutex\nB: acquire mutex\nexpect: B holds within 1min'],
  ['herd', 'A: acquire mutex /e/other\nherd 200'],
  [
    'acquire',
    'A: acquire mutex\nB: acquire mutex\nparallel {\n  disconnect B\n  B: acquire read /e/three\n  wait 1min\n}',
  ],
  [
    'parallel',
    'A: acquire multi /e/one, /e/two\nB: acquire mutex\nparallel {\n  A: leave\n  B: acquire read /e/three\n  C: acquire mutex\n  wait 1min\n}',
  ],
  ['release', 'A: acquire mutex\nB: acquire mutex\ndisconnect A\nA: release'],
  ['reconnect', 'A: acquire mutex\ndisconnect A\nexpect: A lost within 1min'],
];

const withPath = (text: string) => `path: /e/orders\n${text}`;

describe('a run that is cancelled or too long', () => {
  const realm = useTestRealm();

  it.each(endless)('ends at its limit and cleans up: %s', async (_, text) => {
    const { cluster } = watchedCluster(realm.connectString);
    const limited = `limit: 600ms\n${withPath(text)}`;
    const result = await playText(limited, cluster);
    expect(failureLine(result.failure)).toMatch(/^limit: line \d/u);
    expect(result.tookMs).toBeLessThan(3_000);
    expect(result.left).toEqual([]);
    expect(await realm.observer.ls('/')).toEqual([]);
  });

  it.each(endless)('ends when it is cancelled and cleans up: %s', async (_, text) => {
    const cancel = new AbortController();
    setTimeout(() => cancel.abort(), 200);
    const { signal } = cancel;
    const result = await onSandbox(cluster => playText(withPath(text), cluster, { signal }));
    expect(result.failure).toEqual({ kind: 'cancelled' });
    expect(result.left).toEqual([]);
  });

  it('names nodes of a session whose end the servers do not confirm in time', async () => {
    const { cluster } = watchedCluster(realm.connectString);
    const { signal } = new AbortController();
    const [reader, other] = await Promise.all([cluster.connect(undefined, signal), cluster.connect(undefined, signal)]);
    const directories = await MadeDirectories.lookAt(reader, ['/e/orders']);
    const lease = await createLock(other, '/e/orders', { recipe: 'mutex' }).acquire();
    const made = { directories, leftNodes: [], sessionIds: new Set([other.sessionId]), paths: ['/e/orders'] };
    expect(await removeMade(made, reader, cluster, AbortSignal.timeout(200))).toEqual([
      { path: lease.path, why: 'session' },
      { path: '/e/orders', why: 'in use' },
      { path: '/e', why: 'in use' },
    ]);
    await other.close();
  });

  it('plays nothing when it is cancelled before', async () => {
    const { cluster, sessionIds } = watchedCluster(realm.connectString);
    const signal = AbortSignal.abort();
    const result = await playText(withPath('A: acquire mutex'), cluster, { signal });
    expect([result.failure, result.steps, sessionIds]).toEqual([{ kind: 'cancelled' }, [], []]);
  });

  it('keeps no listener on the signal', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const counting = new Proxy(signal, {
      get: (target, key) => {
        if (key === 'addEventListener') listeners++;
        if (key === 'removeEventListener') listeners--;
        const value: unknown = Reflect.get(target, key);
        return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
      },
    });
    await onSandbox(cluster => playText(withPath('A: acquire mutex\nexpect: A holds'), cluster, { signal: counting }));
    expect(listeners).toBe(0);
  });
});

describe('a cluster that goes away', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(async () => {
    await server.stop();
  });

  it('in the middle ends the run within its limit, and says what may be left', async () => {
    const { cluster } = watchedCluster(server.connectString);
    const start = performance.now();
    const text = withPath(
      'limit: 5s\nA: acquire mutex\nB: leave\nexpect: A holds\nC: acquire mutex\nexpect: C holds within 1min',
    );
    let isStopped = false;
    const result = await playText(text, cluster, {
      onStep: ({ step }) => {
        if (step.kind !== 'expect' || isStopped) return;
        isStopped = true;
        void server.stop();
      },
    });
    expect(failureLine(result.failure)).toMatch(/^(?:failed|limit): line/u);
    expect(performance.now() - start).toBeLessThan(5_000 + cleanUpLimitMs);
    expect(result.left.map(({ path }) => path)).toEqual(expect.arrayContaining(['/e', '/e/orders']));
    for (const { why } of result.left) expect(why).toHaveProperty('error');
  }, 60_000);

  it('and comes back is cleaned up all the same', async ({ skip }) => {
    if (server.restart === undefined) return skip('its sessions and nodes do not outlive it');
    const { cluster } = watchedCluster(server.connectString);
    const text = withPath('A: acquire mutex\nB: leave\nexpect: A holds\nexpect: B holds within 300ms');
    let restarting: Promise<void> | undefined;
    const result = await playText(text, cluster, {
      onStep: ({ step }) => {
        if (step.kind === 'expect') restarting ??= server.restart?.();
      },
    });
    await restarting;
    expect(failureLine(result.failure)).not.toBe('passed');
    expect(result.left).toEqual([]);
    const client = await cluster.connect(undefined, new AbortController().signal);
    expect((await client.getChildren('/')).children).toEqual(['zookeeper']);
    await client.close();
  }, 60_000);

  it('that freezes ends the run within its limit', async () => {
    const { cluster } = watchedCluster(server.connectString);
    const start = performance.now();
    const text = `limit: 3s\n${withPath('A: acquire mutex\nexpect: A holds\nB: acquire mutex\nexpect: B waits for A')}`;
    const result = await playText(text, cluster, {
      onStep: ({ step }) => {
        if (step.kind === 'expect') server.pause();
      },
    });
    expect(failureLine(result.failure)).toMatch(/^(?:failed|limit): line/u);
    expect(performance.now() - start).toBeLessThan(3_000 + cleanUpLimitMs);
    expect(result.left.length).toBeGreaterThan(0);
    server.resume();
  }, 60_000);

  it('before the run is an error of connecting', async () => {
    const { cluster } = watchedCluster(server.connectString);
    await server.stop();
    const playing = playText(`limit: 60s\n${withPath('A: acquire mutex')}`, cluster);
    await expect(playing).rejects.toMatchObject({ name: 'ConnectError' });
  }, 60_000);
});

describe('a sandbox', () => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await startSandbox();
  });
  afterEach(async () => {
    await sandbox.close();
  });

  it('has no session of a run that was cancelled, whatever it did', async () => {
    for (let ms = 0; ms < 60; ms += 3) {
      const cancel = new AbortController();
      setTimeout(() => cancel.abort(), ms);
      const text = withPath('A: acquire mutex\nA: leave\nB: acquire multi /e/one, /e/two\nherd 8 /e/herd\nwait 1min');
      const result = await playText(text, watchedCluster(sandbox.connectString).cluster, { signal: cancel.signal });
      expect(result.failure).toEqual({ kind: 'cancelled' });
      expect(result.left).toEqual([]);
      // One that was just being opened is given up, and lives on without a connection until its time-out.
      await eventually(() => expect(sandbox.sessions().filter(({ address }) => address !== undefined)).toEqual([]));
    }
    const { cluster } = watchedCluster(sandbox.connectString);
    const client = await cluster.connect(undefined, new AbortController().signal);
    expect((await client.getChildren('/')).children).toEqual(['zookeeper']);
    await client.close();
    await eventually(() => expect(sandbox.sessions()).toEqual([]));
  });
});
