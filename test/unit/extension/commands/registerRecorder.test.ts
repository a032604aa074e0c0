import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { toDisposable, type Disposable } from '../../../../src/base/disposable.ts';
import { DeferredRecorders } from '../../../../src/app/clusters/clusterRecorder.ts';
import { ClusterRegistry } from '../../../../src/app/clusters/clusterRegistry.ts';
import { registerRecorder } from '../../../../src/extension/commands/registerRecorder.ts';
import { commandRegistrar } from '../../../../src/extension/platform/commands.ts';
import { commandIds } from '../../../../src/extension/platform/contributions.ts';
import { ErrorReporter } from '../../../../src/extension/platform/errorReporting.ts';
import { commands, reportSettingsChange, settings } from '../fakeVscode.ts';
import { browserParts, profileNamed } from '../fixtures.ts';

vi.mock('vscode', () => import('../fakeVscode.ts'));

const run = vi.fn<(...given: unknown[]) => Promise<void>>(() => Promise.resolve());
const kept = new Map<string, unknown>();
const owned: Disposable[] = [];
let loads: number;
let isRecording: unknown;
let drawn: number;
let registry: ClusterRegistry;
let registered: ReturnType<typeof registerRecorder>;
let deferred: DeferredRecorders;

beforeEach(() => {
  kept.clear();
  settings.clear();
  [loads, drawn, isRecording] = [0, 0, undefined];
  const setContext = commands.registerCommand('setContext', (key, value) => {
    if (key === 'zookeeperLocks.recordsLocks') isRecording = value;
  });
  deferred = new DeferredRecorders(nullLogger);
  const source = { profiles: [profileNamed('orders')], onChange: new Emitter<undefined>(nullLogger).event };
  registry = new ClusterRegistry([source], browserParts({ recorders: deferred }));
  registry.onNodeChange(() => drawn++);
  const load = () => {
    loads++;
    return Promise.resolve({ recorderCommands: new Proxy({}, { get: (_, name) => run.bind(undefined, name) }) });
  };
  const storage = {
    get: (key: string) => kept.get(key),
    update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
  };
  const register = commandRegistrar(new ErrorReporter(nullLogger));
  const parts = { register, registry, deferred, storage, storageUri: { fsPath: '/storage' }, load, logger: nullLogger };
  registered = registerRecorder(parts as unknown as Parameters<typeof registerRecorder>[0]);
  owned.push(
    toDisposable(() => setContext.dispose()),
    registered,
  );
});

afterEach(async () => {
  for (const one of owned.splice(0)) one.dispose();
  await registry.close();
});

it('says whether anything is recorded, and loads nothing for that', async () => {
  expect(isRecording).toBe(false);
  expect(registry.get('orders')?.node.recorder?.state).toEqual({ kind: 'off' });
  await registered.recorders.start('orders');
  expect(registry.get('orders')?.node.recorder?.state).toEqual({ kind: 'waiting' });
  expect([isRecording, drawn]).toEqual([true, 1]);
  expect(registered.recorders.folder('orders')).toMatch(/[\\/]storage[\\/]recordings[\\/]/u);
  expect(loads).toBe(0);
  expect([...kept.values()]).toEqual([{ orders: true }]);
  await registered.recorders.stop('orders');
  expect([isRecording, drawn]).toEqual([false, 2]);
});

it('follows the settings', () => {
  settings.set('zookeeperLocks.recording.whileConnected', { globalValue: true });
  reportSettingsChange('zookeeperLocks.recording.whileConnected');
  expect(deferred.state('orders')).toEqual({ kind: 'waiting' });
  expect(isRecording).toBe(true);
  settings.set('zookeeperLocks.recording.days', { globalValue: 3 });
  settings.set('zookeeperLocks.recording.megabytes', { globalValue: 100 });
  settings.set('zookeeperLocks.recording.questionsPerMinute', { globalValue: 0 });
  expect(registered.recorders.cost('orders')).toMatchObject({ days: 3, bytes: 100_000_000, questionsPerMinute: 0 });
});

it('loads a command when it runs', async () => {
  for (const name of ['recordLocks', 'stopRecording', 'openRecording', 'deleteRecordings'] as const) {
    await commands.executeCommand(commandIds[name], 'row');
    expect(run).toHaveBeenLastCalledWith(name, expect.objectContaining({ recorders: registered.recorders }), 'row');
  }
});
