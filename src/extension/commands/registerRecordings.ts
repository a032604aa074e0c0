import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Recorders } from '../../app/recorder/recorders.ts';
import type { OpenRecordings } from '../../app/recordings/openRecordings.ts';
import { setContextKey } from '../platform/commands.ts';
import { commandIds, contextKeys, type ContextKey } from '../platform/contributions.ts';
import type { ReadOnlyTexts } from '../platform/readOnlyTexts.ts';
import type { CommandParts } from './clusterCommands.ts';

/** What the commands of recordings work with. */
export interface RecordingParts extends Pick<CommandParts, 'registry' | 'reporter' | 'targets' | 'view' | 'logger'> {
  recordings: OpenRecordings;
  recorders: Recorders;
  texts: ReadOnlyTexts;
}

const commands = [
  [commandIds.openLogs, 'openLogs'],
  [commandIds.closeRecording, 'closeRecording'],
  [commandIds.goToMoment, 'goToMoment'],
  [commandIds.nextHandOver, 'nextHandOver'],
  [commandIds.previousHandOver, 'previousHandOver'],
  [commandIds.nextSessionEnd, 'nextSessionEnd'],
  [commandIds.previousSessionEnd, 'previousSessionEnd'],
  [commandIds.playRecording, 'playRecording'],
  [commandIds.pauseRecording, 'pauseRecording'],
  [commandIds.followRecording, 'followRecording'],
  [commandIds.explainWhatHappened, 'explainWhatHappened'],
  [commandIds.longestWaits, 'longestWaits'],
  [commandIds.endedByExpiry, 'endedByExpiry'],
  [commandIds.saveHolds, 'saveHolds'],
  [commandIds.savePlayAsScenario, 'savePlayAsScenario'],
  [commandIds.describeRecording, 'describeRecording'],
] as const;

/** The functions behind the commands, loaded when one of them runs for the first time. */
export type RecordingCommands = Record<
  (typeof commands)[number][1],
  (parts: RecordingParts, argument: unknown) => Promise<void>
>;

/** Registers the commands of recordings. No file is read and no code loaded before one of them runs. */
export function registerRecordings(
  parts: RecordingParts &
    Pick<CommandParts, 'register'> & { load: () => Promise<{ recordingCommands: RecordingCommands }> },
): Disposable {
  const { register, registry, recordings, load } = parts;
  const owned = new DisposableStore();
  const shown = new Map<ContextKey, boolean>();
  // A recording that plays reports a moment several times a second.
  const set = (key: ContextKey, value: boolean): void => {
    if (shown.get(key) === value) return;
    shown.set(key, value);
    setContextKey(key, value);
  };
  const publish = (): void => {
    const times = registry.all.flatMap(({ node }) => node.time ?? []);
    set(contextKeys.hasRecording, times.length > 0);
    set(
      contextKeys.isPlaying,
      times.some(({ speed, isFollowing }) => speed > 0 || isFollowing),
    );
  };
  publish();
  owned.add(recordings.onChange(publish));
  owned.add(
    registry.onNodeChange(node => {
      if (node.type === 'cluster' && node.time !== undefined) publish();
    }),
  );
  for (const [id, name] of commands) {
    owned.add(register(id, async argument => (await load()).recordingCommands[name](parts, argument)));
  }
  return owned;
}
