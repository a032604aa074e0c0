import { createHash } from 'node:crypto';
import type { Incident } from '../../incident/incident.ts';
import type { Recording } from '../../replay/recording.ts';
import type { ClusterProfile, RecordedCluster } from '../clusters/clusterProfile.ts';
import type { SourceKind } from '../clusters/recordedTime.ts';
import { MovingClient } from './movingClient.ts';
import { MovingTime, type MovingTimeParts } from './movingTime.ts';
import type { OpenedRecording } from './openRecordings.ts';
import { RecordedSightings } from './recordedSightings.ts';

export interface OpeningParts extends MovingTimeParts {
  /** Of its row, as the recording is now. */
  nameOf(recording: Recording, folder: string): string;
  /** Whose past it is, as far as it is known now; absent: only its row has a name. */
  clusterOf?(): RecordedCluster | undefined;
  /** What an incident file says besides its recording. */
  incident?: Incident;
  /** Of `fileStamp`, from before the file was read. */
  stamp?: string | undefined;
  /** Epoch ms. */
  wallNow(): number;
}

/** The same for the same files in every window, so that what was kept of a recording finds it when it is opened again. */
export function recordingId(kind: SourceKind, folder: string): string {
  return `recording-${createHash('sha256').update(`${kind}\0${folder}`).digest('hex').slice(0, 32)}`;
}

/** Makes a cluster of what was read from a folder. It owns the recording from now on. */
export function openRecording(recording: Recording, folder: string, parts: OpeningParts): OpenedRecording {
  const time = new MovingTime(recording, folder, parts);
  const fixed = {
    id: recordingId(time.kind, folder),
    connectString: '',
    environment: 'development',
    lockRoots: ['/'],
    readOnly: true,
    isRecording: true,
  } as const;
  return {
    get profile(): ClusterProfile {
      const name = parts.nameOf(recording, folder);
      return { ...fixed, name, recorded: parts.clusterOf?.() ?? { name, environment: '' } };
    },
    ...(parts.incident === undefined ? {} : { incident: parts.incident }),
    ...(parts.stamp === undefined ? {} : { stamp: parts.stamp }),
    time,
    sightings: new RecordedSightings(time, () => parts.wallNow()),
    openSession: () => new MovingClient(time, parts.logger),
    close: () => {
      time.dispose();
      return recording.close();
    },
  };
}
