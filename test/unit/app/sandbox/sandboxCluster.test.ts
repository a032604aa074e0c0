import { connect as dial } from 'node:net';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ClusterRegistry } from '../../../../src/app/clusters/clusterRegistry.ts';
import { ClusterStore } from '../../../../src/app/clusters/clusterStore.ts';
import { FormerConnections } from '../../../../src/app/clusters/formerConnections.ts';
import { runSandbox } from '../../../../src/app/sandbox/runSandbox.ts';
import { SandboxCluster, SandboxNotStarted, type RunningSandbox } from '../../../../src/app/sandbox/sandboxCluster.ts';
import { toDisposable } from '../../../../src/base/disposable.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { findLocks } from '../../../../src/inspector/findLocks.ts';
import { readQueues } from '../../../../src/inspector/readQueues.ts';
import { watchQueues } from '../../../../src/inspector/watchQueues.ts';
import { connect } from '../../../../src/zookeeper/connect.ts';
import { eventually } from '../../../support/eventually.ts';
import { collectingLogger } from '../../../support/collectingLogger.ts';
import { browserParts } from '../../extension/fixtures.ts';

let runs: number;
let run: () => Promise<RunningSandbox>;
let sandbox: SandboxCluster;
let registry: ClusterRegistry;
let written: unknown[];

const { logger, lines } = collectingLogger();

/** Each start fills queues with some 280 contenders, and `eventually` alone waits 10 s. */
const patient = { timeout: 60_000 };

beforeEach(() => {
  runs = 0;
  run = () => runSandbox(logger);
  sandbox = new SandboxCluster(
    'Sandbox',
    () => {
      runs++;
      return run();
    },
    nullLogger,
  );
  written = [];
  const setting = {
    read: () => [{ id: 'orders', name: 'Orders', connectString: 'zk1:2181' }],
    write: (clusters: readonly unknown[]) => Promise.resolve(void written.push(clusters)),
    onChange: () => toDisposable(() => undefined),
  };
  registry = new ClusterRegistry(
    [new ClusterStore(setting, nullLogger), sandbox],
    browserParts({
      openSession: ({ connectString }, signal) => connect(connectString, { signal }),
      loadInspector: () => Promise.resolve({ findLocks, readQueues, watchQueues }),
    }),
  );
});

afterEach(async () => {
  await registry.close();
  await sandbox.stop();
  expect(written).toEqual([]);
});

function names(): string[] {
  return registry.all.map(({ node }) => node.profile.name);
}

function isListening(connectString: string): Promise<boolean> {
  const [host, port] = connectString.split(':');
  const socket = dial({ host: host ?? '', port: Number(port) });
  return once(socket, 'connect').then(
    () => {
      socket.destroy();
      return true;
    },
    () => false,
  );
}

it('is a cluster like the others while it runs, one for each window, and gone afterwards', patient, async () => {
  const [id, again] = await Promise.all([sandbox.start(), sandbox.start()]);
  expect([again, await sandbox.start(), runs]).toEqual([id, id, 1]);
  expect(names()).toEqual(['Orders', 'Sandbox']);
  const browser = registry.get(id)!;
  expect(browser.node.profile).toMatchObject({ environment: 'development', isSandbox: true });
  await browser.connect();
  await eventually(() => expect(browser.node.locks.size).toBeGreaterThan(10));
  const { connectString } = browser.node.profile;
  expect(connectString).toMatch(/^127\.0\.0\.1:\d+$/);

  await sandbox.stop();
  expect(names()).toEqual(['Orders']);
  expect(browser.connection.state.kind).toBe('disconnected');
  expect(await isListening(connectString)).toBe(false);
  expect(lines).toEqual([]);
});

it('is another cluster when it is started again', patient, async () => {
  const first = await sandbox.start();
  await sandbox.stop();
  const second = await sandbox.start();
  expect(second).not.toBe(first);
  expect(registry.get(first)).toBeUndefined();
});

it('is not among the clusters of the window before', patient, async () => {
  const kept = new Map<string, unknown>();
  const memory = {
    get: (key: string) => kept.get(key),
    update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
  };
  const former = new FormerConnections(registry, memory, () => undefined);
  await registry.get(await sandbox.start())!.connect();
  expect([...kept]).toEqual([]);
  former.dispose();
});

it('that cannot be started says why, is not listed, and may be started later', patient, async () => {
  run = () => Promise.reject(Object.assign(new Error('listen EACCES'), { code: 'EACCES' }));
  const failure: unknown = await sandbox.start().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(SandboxNotStarted);
  expect((failure as SandboxNotStarted).detail).toBe('EACCES');
  expect(names()).toEqual(['Orders']);
  run = () => runSandbox(logger);
  await sandbox.start();
  expect(names()).toEqual(['Orders', 'Sandbox']);
});

it('that is stopped while it starts does not run on', async () => {
  const started = Promise.withResolvers<RunningSandbox>();
  let isStopped = false;
  run = () => started.promise;
  const starting = sandbox.start();
  const stopping = sandbox.stop();
  started.resolve({
    connectString: '127.0.0.1:1',
    stop: () => Promise.resolve(void (isStopped = true)),
  });
  await Promise.all([starting, stopping]);
  expect([isStopped, names()]).toEqual([true, ['Orders']]);
});
