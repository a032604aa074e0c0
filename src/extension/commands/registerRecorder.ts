import { join } from 'node:path';
import type { Uri } from 'vscode';
import { monotonicNow } from '../../base/deadline.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { callLater } from '../../base/timer.ts';
import type { DeferredRecorders } from '../../app/clusters/clusterRecorder.ts';
import { Recorders, type RecorderCode, type RecorderMemory } from '../../app/recorder/recorders.ts';
import type { OpenRecordings } from '../../app/recordings/openRecordings.ts';
import { setContextKey } from '../platform/commands.ts';
import { commandIds, contextKeys } from '../platform/contributions.ts';
import { onSettingsChange, readSettings } from '../platform/settings.ts';
import type { CommandParts } from './clusterCommands.ts';
import { ownerQueryOptions } from './ownerQuery.ts';

/** What the commands of the recorder work with. */
export interface RecorderCommandParts extends Pick<
  CommandParts,
  'registry' | 'reporter' | 'targets' | 'view' | 'logger'
> {
  recordings: OpenRecordings;
  recorders: Recorders;
}

const commands = [
  [commandIds.recordLocks, 'recordLocks'],
  [commandIds.stopRecording, 'stopRecording'],
  [commandIds.openRecording, 'openRecording'],
  [commandIds.deleteRecordings, 'deleteRecordings'],
] as const;

/** The functions behind the commands, loaded when one of them runs for the first time. */
export type RecorderCommands = Record<
  (typeof commands)[number][1],
  (parts: RecorderCommandParts, argument: unknown) => Promise<void>
>;

interface RegisterParts extends Omit<RecorderCommandParts, 'recorders'>, Pick<CommandParts, 'register' | 'security'> {
  deferred: DeferredRecorders;
  /** Of all windows. */
  storage: RecorderMemory;
  storageUri: Uri;
  load: () => Promise<{ recorderCommands: RecorderCommands; recorderCode: RecorderCode }>;
}

/** Registers the recorder and its commands. What records is loaded with the first cluster that is to be recorded and is connected. */
export function registerRecorder(registerParts: RegisterParts): Disposable & { recorders: Recorders } {
  const { deferred, storage, storageUri, load, register, registry, logger, security } = registerParts;
  const owned = new DisposableStore();
  const recorders = owned.add(
    new Recorders({
      registry,
      folder: join(storageUri.fsPath, 'recordings'),
      memory: storage,
      settings: () => {
        const { recording, maxSearchedNodes } = readSettings();
        return { ...recording, maxNodes: maxSearchedNodes };
      },
      ownerQuery: () => ownerQueryOptions({ security }),
      load: async () => (await load()).recorderCode,
      schedule: callLater,
      now: monotonicNow,
      wallNow: Date.now,
      logger,
    }),
  );
  deferred.follow(recorders);
  const publish = (): void => {
    const isAny = registry.all.some(({ node }) => recorders.state(node.id).kind !== 'off');
    setContextKey(contextKeys.recordsLocks, isAny);
  };
  publish();
  owned.add(recorders.onChange(publish));
  owned.add(registry.onChange(publish));
  owned.add(
    onSettingsChange(() => {
      recorders.follow();
      publish();
    }),
  );
  const parts: RecorderCommandParts = { ...registerParts, recorders };
  for (const [id, name] of commands) {
    owned.add(register(id, async argument => (await load()).recorderCommands[name](parts, argument)));
  }
  return { recorders, dispose: () => owned.dispose() };
}
