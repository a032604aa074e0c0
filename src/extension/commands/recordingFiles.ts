import { monotonicNow } from '../../base/deadline.ts';
import type { Logger } from '../../base/logger.ts';
import { callEvery } from '../../base/timer.ts';
import type { RecordedCluster } from '../../app/clusters/clusterProfile.ts';
import type { ClusterRegistry } from '../../app/clusters/clusterRegistry.ts';
import type { SourceKind } from '../../app/clusters/recordedTime.ts';
import type { Recorders } from '../../app/recorder/recorders.ts';
import { fileStamp } from '../../incident/fileStamp.ts';
import { asLogFolderError, LogFolderError } from '../../app/recordings/logFolderError.ts';
import { openRecording } from '../../app/recordings/openRecording.ts';
import type { OpenedRecording } from '../../app/recordings/openRecordings.ts';
import type { RecordingSource } from '../../app/recordings/reopenings.ts';
import { openJournal } from '../../journal/journalRecording.ts';
import { openLogs } from '../../replay/openLogs.ts';
import { CancelledError } from '../../zookeeper/errors.ts';
import { openIncident } from '../../incident/openIncident.ts';
import { l10n } from '../words/language.ts';
import { incidentName, recordingName } from '../words/recordingRowText.ts';

export interface ReadOptions {
  signal: AbortSignal;
  /** How much of the files is read. */
  onProgress: (done: number, of: number) => void;
}

/** What readings work with. */
export interface ReadingParts {
  registry: Pick<ClusterRegistry, 'all'>;
  recorders: Pick<Recorders, 'folder'>;
  logger: Logger;
}

type Reader = (path: string, options: ReadOptions, parts: ReadingParts) => Promise<OpenedRecording>;

const clocks = { every: callEvery, now: monotonicNow, wallNow: Date.now };

/** @throws CancelledError; LogFolderError; what reading throws */
async function readLogs(
  folder: string,
  { signal, onProgress }: ReadOptions,
  { logger }: ReadingParts,
): Promise<OpenedRecording> {
  const recording = await openLogs(folder, { signal, onProgress }).catch((error: unknown) => {
    throw asLogFolderError(folder, error);
  });
  if (signal.aborted || recording.to.zxid <= 0n) {
    await recording.close();
    throw signal.aborted ? new CancelledError('Open Transaction Logs') : new LogFolderError(folder, 'nothing');
  }
  return openRecording(recording, folder, { ...clocks, nameOf: recordingName, logger, kind: 'logs' });
}

/** The files of the recorder. @throws CancelledError; RecorderError; what reading throws */
async function readJournal(folder: string, options: ReadOptions, parts: ReadingParts): Promise<OpenedRecording> {
  const recording = await openJournal(folder, options).catch((cause: unknown) => {
    const error = asLogFolderError(folder, cause);
    // Its files were deleted meanwhile.
    const isGone = error instanceof LogFolderError && error.fault === 'missing';
    throw isGone ? new LogFolderError(folder, 'nothing recorded', { cause }) : error;
  });
  if (options.signal.aborted || recording.to.zxid <= 0n) {
    await recording.close();
    throw options.signal.aborted
      ? new CancelledError('Open Recording')
      : new LogFolderError(folder, 'nothing recorded');
  }
  let cluster: RecordedCluster | undefined;
  const clusterOf = (): RecordedCluster | undefined => {
    // The list is empty while it follows its sources, and the cluster may be removed from it.
    cluster = journalCluster(parts, folder) ?? cluster;
    return cluster;
  };
  const nameOf: typeof recordingName = (bounds, path) => {
    const name = clusterOf()?.name;
    return name === undefined ? recordingName(bounds, path) : l10n.t('{0} (recorded)', name);
  };
  return openRecording(recording, folder, { ...clocks, nameOf, clusterOf, logger: parts.logger, kind: 'journal' });
}

/** The cluster whose recorder writes to a folder. Foreign text. */
function journalCluster({ registry, recorders }: ReadingParts, folder: string): RecordedCluster | undefined {
  const live = registry.all.filter(({ node }) => node.profile.isRecording !== true);
  const profile = live.find(({ node }) => recorders.folder(node.id) === folder)?.node.profile;
  return profile && { name: profile.name, environment: profile.environment };
}

/** @throws CancelledError; IncidentError */
async function readIncident(path: string, options: ReadOptions, { logger }: ReadingParts): Promise<OpenedRecording> {
  const stamp = await fileStamp(path);
  const incident = await openIncident(path, options);
  const nameOf = (): string => incidentName(incident.header);
  const clusterOf = (): RecordedCluster => incident.header.cluster;
  const parts = { ...clocks, nameOf, clusterOf, logger, kind: 'incident', incident, stamp } as const;
  return openRecording(incident.recording, path, parts);
}

const readers: Readonly<Record<SourceKind, Reader>> = {
  logs: readLogs,
  journal: readJournal,
  incident: readIncident,
};

/** Reads the files of a recording of any kind. @throws CancelledError; the cause, for which `errorText` has words */
export function readSource(
  { kind, path }: RecordingSource,
  options: ReadOptions,
  parts: ReadingParts,
): Promise<OpenedRecording> {
  return readers[kind](path, options, parts);
}
