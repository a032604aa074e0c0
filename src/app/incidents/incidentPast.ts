import { openJournal } from '../../journal/journalRecording.ts';
import type { IncidentSource } from '../../incident/incident.ts';
import type { Recording } from '../../replay/recording.ts';
import { CancelledError } from '../../zookeeper/errors.ts';
import type { ClusterNode } from '../clusters/clusterModel.ts';
import type { OpenRecordings } from '../recordings/openRecordings.ts';

/** Where recorders keep what they see of a cluster. */
export interface RecorderFolders {
  /** Full path; it may not exist. */
  folder(id: string): string;
  /** Of its files; 0: there are none. */
  bytes(id: string): Promise<number>;
}

/** What is known of the past of a cluster. To be closed. */
export interface OpenPast {
  recording: Recording;
  source: Exclude<IncidentSource, 'live'>;
  /** Reads what a recorder, of this window or another one, has written since; what cannot be read stays unknown. @throws CancelledError */
  readMore(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export interface PastParts {
  recordings: Pick<OpenRecordings, 'get'>;
  /** Absent: nothing is recorded. */
  recorders?: RecorderFolders | undefined;
}

/**
 * The past of a cluster: of a recording itself, of a live cluster what a recorder of this machine has seen.
 *
 * @returns `undefined` where only the present is known
 * @throws CancelledError; what reading throws
 */
export async function openPast(
  { id, time }: ClusterNode,
  { recordings, recorders }: PastParts,
  signal: AbortSignal,
): Promise<OpenPast | undefined> {
  if (time !== undefined) {
    const source = sourceOf(time.kind, recordings.get(id)?.incident?.header.source);
    if (source === undefined) return undefined;
    // It stays open in its row.
    const nothing = (): Promise<void> => Promise.resolve();
    return { recording: time.recording, source, readMore: nothing, close: nothing };
  }
  if (recorders === undefined || (await recorders.bytes(id)) === 0) return undefined;
  const recording = await openJournal(recorders.folder(id), { signal });
  return {
    recording,
    source: 'recording',
    readMore: async signal => {
      try {
        await recording.readMore({ signal });
      } catch (error) {
        // What was read before is saved all the same.
        if (error instanceof CancelledError) throw error;
      }
    },
    close: () => recording.close(),
  };
}

function sourceOf(
  kind: 'logs' | 'journal' | 'incident',
  ofIncident: IncidentSource | undefined,
): Exclude<IncidentSource, 'live'> | undefined {
  if (kind === 'logs') return 'logs';
  if (kind === 'journal') return 'recording';
  return ofIncident === 'live' ? undefined : ofIncident;
}
