import { afterEach, beforeEach, expect, it } from 'vitest';
import { SandboxCluster } from '../../../../src/app/sandbox/sandboxCluster.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import type { ClusterBrowser } from '../../../../src/app/clusters/clusterBrowser.ts';
import type { ConnectionState } from '../../../../src/app/clusters/clusterConnection.ts';
import type { ClusterRegistry } from '../../../../src/app/clusters/clusterRegistry.ts';
import { acquireCommand } from '../../../../src/extension/commands/acquireCommand.ts';
import {
  registerClusterCommands,
  type ClusterCommandParts,
} from '../../../../src/extension/commands/clusterCommands.ts';
import { commandRegistrar } from '../../../../src/extension/platform/commands.ts';
import { Targets } from '../../../../src/extension/commands/targets.ts';
import { registerTestLockCommands } from '../../../../src/extension/commands/testLockCommands.ts';
import { commandIds } from '../../../../src/extension/platform/contributions.ts';
import { ErrorReporter } from '../../../../src/extension/platform/errorReporting.ts';
import type { TestLock, TestLockState } from '../../../../src/app/testLocks/testLock.ts';
import type { ClustersView } from '../../../../src/extension/views/clustersView.ts';
import { commands, shown } from '../fakeVscode.ts';
import { profileNamed } from '../fixtures.ts';
import { hold, testLock } from '../../app/testLocks/testLockFixtures.ts';

let states: (ConnectionState['kind'] | 'trying again')[];
let all: TestLock[];
let done: string[];
let registered: { dispose(): void }[];

function browsers(): ClusterBrowser[] {
  return states.map(kind => {
    const disconnect = (): Promise<void> => Promise.resolve(void done.push(`disconnect ${kind}`));
    const triesAgain = kind === 'trying again';
    const state = { kind: triesAgain ? 'failed' : kind, triesAgain };
    const node = { profile: profileNamed('archive', { readOnly: true }) };
    return { node, connection: { state }, disconnect } as unknown as ClusterBrowser;
  });
}

beforeEach(() => {
  states = [];
  all = [];
  done = [];
  shown.length = 0;
  const registry = {
    get all() {
      return browsers();
    },
  };
  const view: unknown = {};
  const reporter = new ErrorReporter(nullLogger);
  const note =
    (what: string) =>
    ({ state }: TestLock): void =>
      void done.push(`${what} ${state.kind}`);
  const parts = {
    register: commandRegistrar(reporter),
    registry,
    load: () => Promise.resolve({ acquireCommand }),
    reporter,
    targets: new Targets(registry as unknown as ClusterRegistry, view as ClustersView, reporter),
    sandbox: new SandboxCluster({
      name: 'Sandbox',
      run: () => Promise.reject(new Error('not called')),
      endLocks: () => Promise.resolve(),
      logger: nullLogger,
    }),
    testLocksView: { selected: undefined },
    testLocks: {
      get all() {
        return all;
      },
      release: note('release'),
      cancel: note('cancel'),
      keepLonger: note('keep'),
    },
  };
  registered = [
    ...registerTestLockCommands(parts as unknown as Parameters<typeof registerTestLockCommands>[0]),
    ...registerClusterCommands(parts as unknown as ClusterCommandParts),
  ];
});

afterEach(() => {
  for (const command of registered) command.dispose();
});

const timed: TestLockState = { kind: 'held', hold };
const untimed: TestLockState = { kind: 'held', hold: { ...hold, releasesAt: undefined } };
const stuck: TestLockState = { kind: 'stuck', hold, error: new Error('no') };
const waiting: TestLockState = { kind: 'connecting' };
const lost: TestLockState = { kind: 'lost', hold, cause: undefined, at: 0 };

it.each<[string, TestLockState[], string]>([
  [commandIds.stopSandbox, [], 'No sandbox is running.'],
  [commandIds.releaseTestLock, [waiting, lost], 'No test lock is held.'],
  [commandIds.releaseAllTestLocks, [lost], 'No test lock is held or waited for.'],
  [commandIds.keepLonger, [waiting, untimed, stuck, lost], 'No test lock is held for a limited time.'],
  [commandIds.cancelWait, [timed, stuck, lost], 'No test lock is waited for.'],
])('%s says so when no test lock fits', async (command, rows, text) => {
  all = rows.map(state => testLock(state));
  await commands.executeCommand(command);
  expect([shown, done]).toEqual([[text], []]);
});

it.each<[string, TestLockState[], string[]]>([
  [commandIds.releaseTestLock, [waiting, lost, stuck], ['release stuck']],
  [commandIds.releaseAllTestLocks, [lost, stuck], ['release stuck']],
  [commandIds.releaseAllTestLocks, [lost, waiting], ['release connecting']],
  [commandIds.keepLonger, [waiting, untimed, stuck, lost, timed], ['keep held']],
  [commandIds.cancelWait, [timed, stuck, lost, waiting], ['cancel connecting']],
])('%s is about the only test lock that fits', async (command, rows, expected) => {
  all = rows.map(state => testLock(state));
  await commands.executeCommand(command);
  expect([shown, done]).toEqual([[], expected]);
});

it('connecting says so when every cluster has a connection or is getting one', async () => {
  states = ['connecting', 'connected', 'uncertain', 'lost', 'trying again'];
  await commands.executeCommand(commandIds.connect);
  expect(shown).toEqual(['There is no cluster to connect: each is connected or connecting.']);
});

it('disconnecting says so when no cluster has a connection', async () => {
  states = ['disconnected', 'failed'];
  await commands.executeCommand(commandIds.disconnect);
  expect([shown, done]).toEqual([['No cluster is connected.'], []]);
});

it.each(['connecting', 'lost', 'trying again'] as const)('disconnecting stops one that is %s', async kind => {
  states = ['disconnected', kind];
  await commands.executeCommand(commandIds.disconnect);
  expect([shown, done]).toEqual([[], [`disconnect ${kind}`]]);
});

it('acquiring says so when every cluster is marked read-only', async () => {
  states = ['connected', 'disconnected'];
  await commands.executeCommand(commandIds.acquireMutex);
  expect(shown).toEqual([expect.stringContaining('marked read-only')]);
});

const needCluster = [commandIds.connect, commandIds.disconnect, commandIds.acquireMutex, commandIds.acquireSeveral];

it.each(needCluster)('%s offers to add the first cluster', async command => {
  await commands.executeCommand(command);
  expect(shown).toEqual([
    'There is no cluster yet. Add the ZooKeeper cluster that holds your locks, or try a sandbox.',
  ]);
});
