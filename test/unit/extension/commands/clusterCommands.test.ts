import { beforeEach, describe, expect, it } from 'vitest';
import { toDisposable } from '../../../../src/base/disposable.ts';
import type { ClusterBrowser } from '../../../../src/app/clusters/clusterBrowser.ts';
import type { ClusterProfile } from '../../../../src/app/clusters/clusterProfile.ts';
import { ClusterRegistry } from '../../../../src/app/clusters/clusterRegistry.ts';
import { ClusterStore } from '../../../../src/app/clusters/clusterStore.ts';
import {
  registerClusterCommands,
  type ClusterCommandParts,
} from '../../../../src/extension/commands/clusterCommands.ts';
import { commandIds, type CommandId } from '../../../../src/extension/platform/contributions.ts';
import { channelLogger, NothingToDo } from '../../../../src/extension/platform/errorReporting.ts';
import { ClusterSecrets } from '../../../../src/app/security/clusterSecrets.ts';
import { SandboxCluster, type RunningSandbox } from '../../../../src/app/sandbox/sandboxCluster.ts';
import { SessionOpener } from '../../../../src/app/security/sessionOpener.ts';
import type { TestLock, TestLockState } from '../../../../src/app/testLocks/testLock.ts';
import { clusterRow } from '../../../../src/extension/views/clusterRow.ts';
import { nodeId } from '../../../../src/app/clusters/clusterModel.ts';
import type { ConnectOptions } from '../../../../src/zookeeper/connect.ts';
import { AuthenticationFailedError, CancelledError } from '../../../../src/zookeeper/errors.ts';
import { askCluster } from '../../../../src/extension/dialogs/clusterQuestions.ts';
import { FakeClient } from '../../../support/fakeClient.ts';
import { browserParts, clusterNode } from '../fixtures.ts';
import { hold, testLock } from '../../app/testLocks/testLockFixtures.ts';
import { FakeVault } from '../../app/security/fakeVault.ts';
import { clipboard } from '../fakeVscode.ts';
import { playInputs, type Action } from '../dialogs/scriptedInput.ts';

const refusedLogin = {
  kind: 'login',
  server: 'zk1:2181',
  scheme: 'sasl',
  refusal: 'wrong-account',
  detail: 'the detail',
} as const;

const canary = 'canary-7b1e';

let setting: unknown;
let vault: FakeVault;
let log: string[];
let calls: ConnectOptions[];
let outcome: () => Promise<FakeClient>;
let registry: ClusterRegistry;
let testLocks: TestLock[];
let ended: string[];
/** Of the recordings on the disk, bytes. */
let recorded: number;
/** The details of the questions that were asked. */
let asked: string[];
let isSure: boolean;
let isTrusted: boolean;
let run: (id: CommandId, argument?: unknown) => Promise<void>;
let sandbox: SandboxCluster;
/** A start that takes its time. */
let starting: Promise<RunningSandbox> | undefined;
/** Names of clusters whose rows were shown. */
let revealed: string[];

/** The real parts from command to `connect`, with a keyring, a setting and a server that are not. */
beforeEach(() => {
  setting = [];
  vault = new FakeVault();
  log = [];
  calls = [];
  testLocks = [];
  ended = [];
  recorded = 0;
  asked = [];
  isSure = true;
  isTrusted = true;
  outcome = () => Promise.resolve(new FakeClient());
  const write = (line: string): void => void log.push(line);
  const logger = channelLogger({ debug: write, info: write, warn: write, error: write });
  const store = new ClusterStore(
    {
      read: () => setting,
      write: clusters => {
        setting = JSON.parse(JSON.stringify(clusters));
        return Promise.resolve();
      },
      onChange: () => toDisposable(() => undefined),
    },
    logger,
  );
  const secrets = new ClusterSecrets({ vault, onUnavailable: () => undefined, logger });
  const opener = new SessionOpener({
    secrets,
    ask: () => Promise.reject(new Error('nothing should be asked')),
    connect: (_, options) => {
      calls.push(options);
      return outcome();
    },
    connectTimeoutMs: () => 1_000,
    logger,
  });
  const openSession = (profile: ClusterProfile, signal: AbortSignal) => opener.open(profile, signal);
  revealed = [];
  starting = undefined;
  const running = { connectString: '127.0.0.1:4711', stop: () => Promise.resolve() };
  sandbox = new SandboxCluster({
    name: 'Sandbox',
    run: () => starting ?? Promise.resolve(running),
    endLocks: id => Promise.resolve(void ended.push(id)),
    logger,
  });
  registry = new ClusterRegistry([store, sandbox], browserParts({ openSession, logger }));
  const commands = new Map<CommandId, (argument?: unknown) => unknown>();
  const parts = {
    register: (id: CommandId, handler: (argument?: unknown) => unknown) => {
      commands.set(id, handler);
      return toDisposable(() => undefined);
    },
    registry,
    reporter: {
      confirm: (_: string, detail: string) => {
        asked.push(detail);
        return Promise.resolve(isSure);
      },
    },
    security: { secrets, opener },
    store,
    testLocks: {
      get all() {
        return testLocks;
      },
      endCluster: (id: string) =>
        Promise.resolve(void ended.push(`${id}, ${JSON.stringify(setting).length > 2 ? 'listed' : 'gone'}`)),
    },
    sandbox,
    recorders: {
      bytes: () => Promise.resolve(recorded),
      stop: (id: string) => Promise.resolve(void ended.push(`recording of ${id}`)),
      delete: () => Promise.resolve(void (recorded = 0)),
    },
    load: () => Promise.resolve({ askCluster }),
    targets: {
      browser: (row: ClusterBrowser | undefined) => Promise.resolve(row ?? registry.all[0]),
      connected: (browser: ClusterBrowser) => browser.connect(),
      requireTrust: () => {
        if (!isTrusted) throw new CancelledError('Connecting');
      },
    },
    view: { revealCluster: ({ node }: ClusterBrowser) => Promise.resolve(void revealed.push(node.profile.name)) },
  };
  registerClusterCommands(parts as unknown as ClusterCommandParts);
  run = async (id, argument) => {
    await commands.get(id)?.(argument);
  };
});

const asDigest = (password: string): Action[] => [
  { pick: 'Not encrypted' },
  { pick: 'User and password (digest)' },
  { type: 'ann' },
  { type: password },
];

async function addCluster(): Promise<void> {
  playInputs([{ type: 'Orders' }, { type: 'zk1:2181' }, { pick: 'development' }, ...asDigest(canary)]);
  await run(commandIds.addCluster);
}

async function edit(actions: readonly Action[]): Promise<void> {
  playInputs(['enter', 'enter', 'enter', ...actions]);
  await run(commandIds.editCluster);
}

async function changeEnvironment(label: string): Promise<void> {
  playInputs(['enter', 'enter', { pick: label }, ...Array<Action>(4).fill('enter')]);
  await run(commandIds.editCluster);
}

describe('the cluster commands', () => {
  it('add a cluster whose password is nowhere but in the keyring and in the log-in', async () => {
    await addCluster();
    const [browser] = registry.all;
    await browser?.connect();
    expect(calls).toMatchObject([{ auth: [{ scheme: 'digest', credential: `ann:${canary}` }] }]);
    await browser?.disconnect();
    outcome = () =>
      Promise.reject(new AuthenticationFailedError({ ...refusedLogin, detail: `ann:${canary}@zk1 was the login` }));
    await browser?.connect();
    const { node } = browser!;
    expect(node.connection.kind).toBe('failed');
    expect([...vault.secrets.values()]).toEqual([canary]);
    const seen = [JSON.stringify(setting), ...log, nodeId(node), ...vault.secrets.keys()].join('\n');
    expect(seen).toContain('ann');
    expect(seen).not.toContain(canary);
    const { tooltip } = clusterRow({ ...node, connection: { kind: 'connected' } }, 0);
    expect(tooltip).toContain('Log-in: digest ann');
    expect(tooltip).toContain('Not encrypted');
    expect([tooltip, JSON.stringify(node.profile)].join()).not.toContain(canary);
  });

  it('keep the saved password over an edit that does not touch it, and the session with it', async () => {
    await addCluster();
    await registry.all[0]?.connect();
    playInputs([{ type: 'Renamed' }, ...Array<Action>(7).fill('enter')]);
    await run(commandIds.editCluster);
    expect(setting).toMatchObject([{ name: 'Renamed', auth: [{ scheme: 'digest', user: 'ann' }] }]);
    expect([...vault.secrets.values()]).toEqual([canary]);
    expect(registry.all[0]?.connection.state.kind).toBe('connected');
  });

  it('protect a cluster when it is added, and keep it so over an edit that does not touch it', async () => {
    const questions = Array<Action>(4).fill('enter');
    playInputs([{ type: 'Orders' }, { type: 'zk1:2181' }, { pick: 'production, read-only' }, 'enter', 'enter']);
    await run(commandIds.addCluster);
    expect(setting).toMatchObject([{ environment: 'production', readOnly: true }]);
    playInputs([{ type: 'Renamed' }, ...questions]);
    await run(commandIds.editCluster);
    expect(setting).toMatchObject([{ name: 'Renamed', environment: 'production', readOnly: true }]);
  });

  it('protect a cluster by an edit, and give it free by another', async () => {
    await addCluster();
    await registry.all[0]?.connect();
    await changeEnvironment('staging, read-only');
    expect(setting).toMatchObject([{ environment: 'staging', readOnly: true }]);
    expect(registry.all[0]?.node.profile.readOnly).toBe(true);
    await changeEnvironment('staging');
    expect(registry.all[0]?.node.profile).toMatchObject({ environment: 'staging' });
    expect(JSON.stringify(setting)).not.toContain('readOnly');
    // Neither needs another session.
    expect(registry.all[0]?.connection.state.kind).toBe('connected');
  });

  it('begin a new session with the new password when it was changed', async () => {
    await addCluster();
    await registry.all[0]?.connect();
    await edit(asDigest('better'));
    expect(calls).toHaveLength(2);
    expect(registry.all[0]?.connection.state.kind).toBe('connected');
    expect(calls.at(-1)?.auth).toEqual([{ scheme: 'digest', credential: 'ann:better' }]);
    expect([...vault.secrets.values()]).toEqual(['better']);
  });

  it('take a new password in place of one that was refused', async () => {
    await addCluster();
    outcome = () => Promise.reject(new AuthenticationFailedError(refusedLogin));
    await registry.all[0]?.connect();
    outcome = () => Promise.resolve(new FakeClient());
    await edit(asDigest('better'));
    expect(registry.all[0]?.connection.state.kind).toBe('connected');
  });

  it('connect nothing that was not opened before', async () => {
    await addCluster();
    await edit(asDigest('better'));
    expect(calls).toEqual([]);
    expect(registry.all[0]?.connection.state.kind).toBe('disconnected');
  });

  it('remove the password with the log-in, and with the cluster', async () => {
    await addCluster();
    await registry.all[0]?.connect();
    await edit([{ pick: 'Not encrypted' }, { pick: 'No log-in' }]);
    expect(JSON.stringify(setting)).not.toContain('auth');
    expect(vault.secrets.size).toBe(0);
    expect(calls.at(-1)?.auth).toEqual([]);

    await edit(asDigest(canary));
    expect(vault.secrets.size).toBe(1);
    await run(commandIds.removeCluster);
    expect(asked).toEqual(['This changes nothing in ZooKeeper.']);
    expect(setting).toEqual([]);
    expect(vault.secrets.size).toBe(0);
  });
});

describe('recordings of a cluster', () => {
  it('are deleted with it, which the question says', async () => {
    await addCluster();
    const { id } = registry.all[0]!.node;
    recorded = 3_400_000;
    isSure = false;
    await run(commandIds.removeCluster);
    expect([recorded, ended]).toEqual([3_400_000, []]);
    isSure = true;
    await run(commandIds.removeCluster);
    expect(asked.at(-1)).toBe('This changes nothing in ZooKeeper. Its recordings (3.4 MB) are deleted, too.');
    expect([recorded, setting]).toEqual([0, []]);
    expect(ended).toContain(`recording of ${id}`);
  });
});

describe('test locks of a cluster', () => {
  const states: TestLockState[] = [
    { kind: 'connecting' },
    { kind: 'held', hold },
    { kind: 'stuck', hold, error: new Error('no') },
    { kind: 'lost', hold, cause: undefined, at: 0 },
    { kind: 'auto-released', at: 0, cause: 'time' },
  ];

  async function addWithTestLocks(): Promise<void> {
    await addCluster();
    const { id } = registry.all[0]!.node;
    testLocks = states.map(state => testLock(state, { cluster: clusterNode({ id }) }));
    testLocks.push(testLock({ kind: 'held', hold }, { cluster: clusterNode({ id: 'another' }) }));
  }

  it('are counted in the question before the cluster is removed, if they hold or wait', async () => {
    await addWithTestLocks();
    isSure = false;
    await run(commandIds.removeCluster);
    expect(asked).toEqual(['Test locks that end: 3. This changes nothing else in ZooKeeper.']);
    expect(setting).toHaveLength(1);
    expect(ended).toEqual([]);
  });

  it('end before the list changes, once that was confirmed: no second question about them', async () => {
    await addWithTestLocks();
    const { id } = registry.all[0]!.node;
    await run(commandIds.removeCluster);
    expect([setting, ended]).toEqual([[], [`${id}, listed`]]);
  });

  it('are a reason to ask before the cluster is connected otherwise', async () => {
    await addWithTestLocks();
    isSure = false;
    await edit([{ pick: 'Not encrypted' }, { pick: 'No log-in' }]);
    expect(asked).toEqual(['Test locks that end: 3.']);
    expect(setting).toMatchObject([{ auth: [{ scheme: 'digest', user: 'ann' }] }]);
    expect([...vault.secrets.values()]).toEqual([canary]);
    isSure = true;
    await edit([{ pick: 'Not encrypted' }, { pick: 'No log-in' }]);
    expect(JSON.stringify(setting)).not.toContain('auth');
  });

  it('are no reason to ask before an edit that leaves the session alone', async () => {
    await addWithTestLocks();
    await changeEnvironment('staging');
    await edit(asDigest('better'));
    expect(asked).toEqual([]);
    expect(setting).toMatchObject([{ environment: 'staging' }]);
    expect(ended).toEqual([]);
  });

  it('that are over are no reason to ask', async () => {
    await addWithTestLocks();
    testLocks = testLocks.slice(3);
    await edit([{ pick: 'Not encrypted' }, { pick: 'No log-in' }]);
    expect(asked).toEqual([]);
  });
});

describe('the sandbox', () => {
  it('is connected and shown by one command, without a question or a setting; the second one shows it again', async () => {
    await run(commandIds.trySandbox);
    await run(commandIds.trySandbox);
    expect(registry.all.map(({ node, connection }) => [node.profile.name, connection.state.kind])).toEqual([
      ['Sandbox', 'connected'],
    ]);
    expect([revealed, calls.length, asked, setting]).toEqual([['Sandbox', 'Sandbox'], 1, [], []]);
  });

  it('does not start in an untrusted workspace', async () => {
    isTrusted = false;
    await expect(run(commandIds.trySandbox)).rejects.toThrow(CancelledError);
    expect(registry.all).toEqual([]);
  });

  it('leaves the list when it is stopped, or removed as other clusters are, and its test locks end before', async () => {
    for (const command of [commandIds.stopSandbox, commandIds.removeCluster]) {
      await run(commandIds.trySandbox);
      const browser = registry.all[0]!;
      await run(command, browser);
      expect([registry.all, browser.connection.state.kind]).toEqual([[], 'disconnected']);
      expect(ended.at(-1)).toContain(browser.node.id);
    }
    expect([asked, setting]).toEqual([[], []]);
    await expect(run(commandIds.stopSandbox)).rejects.toThrow(new NothingToDo('No sandbox is running.'));
  });

  it('asks before it ends test locks, whichever command ends it', async () => {
    await run(commandIds.trySandbox);
    const browser = registry.all[0]!;
    testLocks = [testLock({ kind: 'held', hold }, { cluster: browser.node })];
    isSure = false;
    await run(commandIds.stopSandbox);
    await run(commandIds.removeCluster, browser);
    expect([registry.all.length, ended, asked]).toEqual([
      1,
      [],
      ['Test locks that end: 1.', 'Test locks that end: 1.'],
    ]);
    isSure = true;
    await run(commandIds.stopSandbox);
    expect([registry.all, ended]).toEqual([[], [browser.node.id]]);
  });

  it('may be stopped while it starts', async () => {
    const started = Promise.withResolvers<RunningSandbox>();
    starting = started.promise;
    const outcome = expect(run(commandIds.trySandbox)).rejects.toThrow(CancelledError);
    const stopped = run(commandIds.stopSandbox);
    started.resolve({ connectString: '127.0.0.1:1', stop: () => Promise.resolve() });
    await Promise.all([outcome, stopped]);
    expect([registry.all, revealed]).toEqual([[], []]);
  });

  it('has nothing to edit', async () => {
    await run(commandIds.trySandbox);
    await expect(run(commandIds.editCluster, registry.all[0])).rejects.toThrow(NothingToDo);
  });

  it('gives its connect string to other programs, as each cluster does', async () => {
    await run(commandIds.trySandbox);
    await run(commandIds.copyConnectString, registry.all[0]);
    expect(clipboard.text).toBe('127.0.0.1:4711');
  });
});
