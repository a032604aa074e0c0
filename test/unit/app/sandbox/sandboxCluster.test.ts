import { connect as dial } from 'node:net';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ClusterRegistry } from '../../../../src/app/clusters/clusterRegistry.ts';
import { ClusterStore } from '../../../../src/app/clusters/clusterStore.ts';
import { FormerConnections } from '../../../../src/app/clusters/formerConnections.ts';
import { runSandbox } from '../../../../src/app/sandbox/runSandbox.ts';
import { SandboxCluster, type RunningSandbox } from '../../../../src/app/sandbox/sandboxCluster.ts';
import { toDisposable } from '../../../../src/base/disposable.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { findLocks } from '../../../../src/inspector/findLocks.ts';
import { readQueues } from '../../../../src/inspector/readQueues.ts';
import { watchQueues } from '../../../../src/inspector/watchQueues.ts';
import { connect } from '../../../../src/zookeeper/connect.ts';
import { CancelledError } from '../../../../src/zookeeper/errors.ts';
import { eventually } from '../../../support/eventually.ts';
import { collectingLogger } from '../../../support/collectingLogger.ts';
import { browserParts } from '../../extension/fixtures.ts';

let runs: number;
let run: (signal: AbortSignal) => Promise<RunningSandbox>;
/** Ids of clusters whose test locks end. */
let ending: string[];
let endLocks: () => Promise<void>;
let sandbox: SandboxCluster;
let registry: ClusterRegistry;
let written: unknown[];

const { logger, lines } = collectingLogger();

/** Each start fills queues with some 280 contenders, and `eventually` alone waits 10 s. */
const patient = { timeout: 60_000 };

beforeEach(() => {
  runs = 0;
  run = signal => runSandbox(logger, signal);
  ending = [];
  endLocks = () => Promise.resolve();
  sandbox = new SandboxCluster({
    name: 'Sandbox',
    run: signal => {
      runs++;
      return run(signal);
    },
    endLocks: id => {
      ending.push(id);
      return endLocks();
    },
    logger: nullLogger,
  });
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
  await expect(sandbox.start()).rejects.toThrow('listen EACCES');
  expect([names(), sandbox.isOff]).toEqual([['Orders'], true]);
  run = signal => runSandbox(logger, signal);
  await sandbox.start();
  expect(names()).toEqual(['Orders', 'Sandbox']);
});

type Signal = PromiseWithResolvers<undefined>;

/** Servers without a socket, whose starts and ends the test decides. */
function playServers(): { starts: [Signal, Signal]; ends: [Signal, Signal]; stopped: () => number } {
  const starts: [Signal, Signal] = [Promise.withResolvers(), Promise.withResolvers()];
  const ends: [Signal, Signal] = [Promise.withResolvers(), Promise.withResolvers()];
  let stopped = 0;
  const stop = async (): Promise<void> => {
    await ends[stopped++]?.promise;
  };
  run = async () => {
    await starts[runs - 1]?.promise;
    return { connectString: '127.0.0.1:1', stop };
  };
  return { starts, ends, stopped: () => stopped };
}

/** Notes the outcome of a promise, once there is one. */
function follow(promise: Promise<unknown>): { outcome: unknown } {
  const followed: { outcome: unknown } = { outcome: 'pending' };
  promise.then(
    () => (followed.outcome = 'done'),
    (error: unknown) => (followed.outcome = error),
  );
  return followed;
}

it('that is stopped while it starts ends before it is a cluster, and its start was cancelled', async () => {
  const { starts, ends, stopped } = playServers();
  const starting = follow(sandbox.start());
  await eventually(() => expect(runs).toBe(1));
  const stopping = follow(sandbox.stop());
  starts[0].resolve(undefined);
  await eventually(() => expect(stopped()).toBe(1));
  expect([starting.outcome, stopping.outcome]).toEqual(['pending', 'pending']);
  ends[0].resolve(undefined);
  await eventually(() => expect(stopping.outcome).toBe('done'));
  expect(starting.outcome).toBeInstanceOf(CancelledError);
  expect([names(), sandbox.isOff, ending]).toEqual([['Orders'], true, []]);
});

it.each([0, 1, 5, 20])('leaves no server when it is stopped %s turns after its start', async turns => {
  const servers = (): number => process.getActiveResourcesInfo().filter(name => name === 'TCPServerWrap').length;
  const before = servers();
  const starting = follow(sandbox.start());
  for (let turn = 0; turn < turns; turn++) await setImmediate();
  await sandbox.stop();
  expect(starting.outcome).toBeInstanceOf(CancelledError);
  expect([names(), lines]).toEqual([['Orders'], []]);
  await eventually(() => expect(servers()).toBe(before));
});

it('that is started while one stops waits for its end, and is another one', async () => {
  const { starts, ends, stopped } = playServers();
  const first = sandbox.start();
  starts[0].resolve(undefined);
  const former = await first;
  const stopping = sandbox.stop();
  const second = sandbox.start();
  expect(sandbox.start()).toBe(second);
  await eventually(() => expect(stopped()).toBe(1));
  expect([runs, names()]).toEqual([1, ['Orders']]);
  ends[0].resolve(undefined);
  await stopping;
  await eventually(() => expect(runs).toBe(2));
  starts[1].resolve(undefined);
  expect(await second).not.toBe(former);
  expect(names()).toEqual(['Orders', 'Sandbox']);
  const last = sandbox.stop();
  await eventually(() => expect(stopped()).toBe(2));
  ends[1].resolve(undefined);
  await last;
});

it('that is started while one stops, and stopped again, does not start', async () => {
  const { starts, ends, stopped } = playServers();
  const first = sandbox.start();
  starts[0].resolve(undefined);
  await first;
  void sandbox.stop();
  const second = follow(sandbox.start());
  const stopping = follow(sandbox.stop());
  await eventually(() => expect(stopped()).toBe(1));
  // Whoever waits for the second end, as `deactivate` does, waits for the server of the first.
  expect([second.outcome, stopping.outcome]).toEqual(['pending', 'pending']);
  ends[0].resolve(undefined);
  await eventually(() => expect(stopping.outcome).toBe('done'));
  expect(second.outcome).toBeInstanceOf(CancelledError);
  expect([runs, sandbox.isOff]).toEqual([1, true]);
});

it('lets each who stops it wait until its test locks and its server have ended, in that order', async () => {
  const { starts, ends, stopped } = playServers();
  const released = Promise.withResolvers<undefined>();
  endLocks = () => released.promise;
  const starting = sandbox.start();
  starts[0].resolve(undefined);
  const id = await starting;
  const stops = [sandbox.stop(), sandbox.stop()].map(follow);
  // Nothing more can be taken there.
  expect([names(), ending, sandbox.isOff]).toEqual([['Orders'], [id], false]);
  expect(stopped()).toBe(0);
  released.resolve(undefined);
  await eventually(() => expect(stopped()).toBe(1));
  stops.push(follow(sandbox.stop()));
  expect(stops.map(({ outcome }) => outcome)).toEqual(['pending', 'pending', 'pending']);
  ends[0].resolve(undefined);
  await eventually(() => expect(stops.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done']));
  expect([ending, sandbox.isOff]).toEqual([[id], true]);
});
