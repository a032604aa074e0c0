import { randomUUID } from 'node:crypto';
import type { Recording } from '../../replay/recording.ts';
import type { ClusterProfile } from '../clusters/clusterProfile.ts';
import { MovingClient } from './movingClient.ts';
import { MovingTime, type MovingTimeParts } from './movingTime.ts';
import type { OpenedRecording } from './openRecordings.ts';
import { RecordedSightings } from './recordedSightings.ts';

export interface OpeningParts extends MovingTimeParts {
  /** Of its row, as the recording is now. */
  nameOf(recording: Recording, folder: string): string;
  /** Epoch ms. */
  wallNow(): number;
}

/** Makes a cluster of what was read from a folder. It owns the recording from now on. */
export function openRecording(recording: Recording, folder: string, parts: OpeningParts): OpenedRecording {
  const time = new MovingTime(recording, folder, parts);
  const fixed = {
    id: randomUUID(),
    connectString: '',
    environment: 'development',
    lockRoots: ['/'],
    readOnly: true,
    isRecording: true,
  } as const;
  return {
    get profile(): ClusterProfile {
      return { ...fixed, name: parts.nameOf(recording, folder) };
    },
    time,
    sightings: new RecordedSightings(time, () => parts.wallNow()),
    openSession: () => new MovingClient(time, parts.logger),
    close: () => {
      time.dispose();
      return recording.close();
    },
  };
}
