import type { ServerClock } from '../../history/clocks.ts';
import { HolderSightings } from '../../history/holderSightings.ts';
import type { ClusterNode } from './clusterModel.ts';
import { recorderOf, type RecorderSource } from './clusterRecorder.ts';
import { PastSightings } from './pastSightings.ts';
import type { RecordedTime } from './recordedTime.ts';
import type { Sightings } from './sightings.ts';
import { UsualTimes } from './usualTimes.ts';

/** What is known of the past of a cluster, as its row has it. */
interface ClusterPast extends Pick<ClusterNode, 'time' | 'recorder'> {
  sightings: Sightings;
  usual: UsualTimes;
}

/** Of a recording: what its files say. */
export function pastOfRecording({ time, sightings }: { time: RecordedTime; sightings: Sightings }): ClusterPast {
  return { time, sightings, usual: UsualTimes.at(time) };
}

/** Of a live cluster: what its rows have seen, and its recorder. @param recorders absent: it cannot be recorded */
export function pastOfLive(id: string, clock: ServerClock, recorders: RecorderSource | undefined): ClusterPast {
  const seen = new HolderSightings(clock);
  if (recorders === undefined) return { sightings: seen, usual: UsualTimes.untilNow(() => undefined) };
  const recorder = recorderOf(recorders, id);
  const past = () => recorder.past;
  return { recorder, sightings: new PastSightings(seen, past), usual: UsualTimes.untilNow(past) };
}
