import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { nullLogger } from '../../../../src/base/logger.ts';
import { toDisposable, type Disposable } from '../../../../src/base/disposable.ts';
import { ClusterRegistry } from '../../../../src/app/clusters/clusterRegistry.ts';
import { openRecording } from '../../../../src/app/recordings/openRecording.ts';
import { OpenRecordings } from '../../../../src/app/recordings/openRecordings.ts';
import { registerRecordings } from '../../../../src/extension/commands/registerRecordings.ts';
import { commandRegistrar } from '../../../../src/extension/platform/commands.ts';
import { commandIds } from '../../../../src/extension/platform/contributions.ts';
import { ErrorReporter } from '../../../../src/extension/platform/errorReporting.ts';
import { FakeRecording } from '../../app/recordings/fakeRecording.ts';
import { commands } from '../fakeVscode.ts';
import { browserParts } from '../fixtures.ts';

vi.mock('vscode', () => import('../fakeVscode.ts'));

const run = vi.fn<(...given: unknown[]) => Promise<void>>(() => Promise.resolve());
const keys = new Map<unknown, unknown>();
let settings = 0;
const owned: Disposable[] = [];

let recordings: OpenRecordings;
let registry: ClusterRegistry;

beforeEach(() => {
  keys.clear();
  settings = 0;
  const setContext = commands.registerCommand('setContext', (key, value) => {
    keys.set(key, value);
    settings++;
  });
  recordings = new OpenRecordings(nullLogger);
  registry = new ClusterRegistry([recordings], browserParts({ recorded: ({ id }) => recordings.get(id) }));
  const load = () =>
    Promise.resolve({ recordingCommands: new Proxy({}, { get: (_, name) => run.bind(undefined, name) }) });
  const parts = { register: commandRegistrar(new ErrorReporter(nullLogger)), registry, recordings, load };
  owned.push(toDisposable(() => setContext.dispose()));
  owned.push(registerRecordings(parts as unknown as Parameters<typeof registerRecordings>[0]));
});

afterEach(async () => {
  for (const each of owned.splice(0)) each.dispose();
  await registry.close();
  await recordings.closeAll();
});

const [hasRecording, isPlaying] = ['zookeeperLocks.hasRecording', 'zookeeperLocks.isPlaying'];
const states = () => [keys.get(hasRecording), keys.get(isPlaying)];

it('menus and keys know whether there is a recording, and whether it plays', async () => {
  expect(states()).toEqual([false, false]);
  const parts = { nameOf: () => 'x', every: () => toDisposable(() => undefined), now: () => 0, wallNow: () => 0 };
  const { profile, time } = await recordings.open('/logs', () =>
    Promise.resolve(openRecording(new FakeRecording(), '/logs', { ...parts, logger: nullLogger })),
  );
  expect(states()).toEqual([true, false]);
  time.play(10);
  expect(states()).toEqual([true, true]);
  const before = settings;
  time.play(100);
  // A frame of the playing changes no key.
  expect(settings).toBe(before);
  time.pause();
  expect(states()).toEqual([true, false]);
  time.follow(true);
  expect(states()).toEqual([true, true]);
  await recordings.close(profile.id);
  expect(states()).toEqual([false, false]);
});

it('loads a command when it runs', async () => {
  await commands.executeCommand(commandIds.nextHandOver, 'row');
  expect(run).toHaveBeenCalledWith('nextHandOver', expect.anything(), 'row');
});
