import { forEachInParts, inTurns, type Interruptible } from '../../base/interruptible.ts';
import type { Moment } from '../../history/hold.ts';
import { assemblingQueues, readQueues } from '../../inspector/readQueues.ts';
import type { DirectoryReading } from '../../inspector/readDirectory.ts';
import type { OwnerFacts } from '../../inspector/owners/ownerFacts.ts';
import type { WatchFacts } from '../../inspector/owners/readWatchers.ts';
import { isUnchanged } from '../../inspector/waitWatches.ts';
import type { Contender, LockQueue } from '../../locks/lockQueue.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import { CancelledError } from '../../zookeeper/errors.ts';
import type { ClusterNode } from '../clusters/clusterModel.ts';
import { serverTime } from '../clusters/clusterModel.ts';
import type { RecordedTime } from '../clusters/recordedTime.ts';
import { gatherOwnersAndWatches, type AskedCluster, type OwnerQueryOptions } from '../owners/gatherFacts.ts';
import { changedSince, isUnreadable, momentOf, readState, type StateReading } from './readState.ts';

/** Locks as they were at one moment, and what the servers said right after it. */
export interface CollectedState {
  readings: readonly DirectoryReading[];
  /** Since when holders hold is as exact as it is known. */
  queues: readonly LockQueue[];
  owners: OwnerFacts;
  watches?: WatchFacts;
  /** By path: contenders that were the same after the servers were asked. */
  stayed: ReadonlySet<string>;
  moment: Moment;
  /** Epoch ms of this machine. */
  readAt: number;
  changing: readonly string[];
  /** Paths of locks that could not be read. */
  unread: readonly string[];
}

export interface CollectOptions {
  ownerQuery: OwnerQueryOptions;
  /** Of a recording: where its time stood when the person asked. */
  moment?: Moment | undefined;
  signal: AbortSignal;
  onProgress?: (done: number, total: number) => void;
}

/**
 * Reads the locks of some paths at one moment, then asks the servers once, then looks what has changed meanwhile: what the servers say counts
 * for contenders that stayed as they were.
 *
 * @param client the session of the cluster; of a recording its moment is read, wherever the person goes meanwhile
 * @throws CancelledError; what reading throws, but for single locks that may not be read
 */
export async function collectState(
  cluster: ClusterNode,
  client: ZooKeeperClient,
  paths: readonly string[],
  { ownerQuery, signal, onProgress, moment }: CollectOptions,
): Promise<CollectedState> {
  const past = pastOf(cluster, moment);
  const reader = past === undefined ? client : past.recording.at({ zxid: past.moment.zxid });
  const readBefore = Date.now();
  const state = await readState(reader, paths, { signal, ...(onProgress && { onProgress }) });
  const raw = await queuesIn(state.readings, signal);
  const queues = cluster.sightings.narrow(raw);
  const { owners, watches } = await gatherOwnersAndWatches(askedOf(cluster, past), client, ownerQuery, signal);
  const stayed = await stayedContenders(reader, state, queues, signal);
  if (signal.aborted) throw new CancelledError('Reading');
  return {
    readings: state.readings,
    queues,
    owners,
    ...(watches === undefined ? {} : { watches }),
    stayed,
    // The queues are those of before the servers were asked, which may take seconds.
    moment: past?.moment ?? momentOf(state, serverTime(cluster, state.readAt)),
    readAt: readBefore,
    changing: state.changing,
    unread: state.unread,
  };
}

type Past = Pick<RecordedTime, 'recording' | 'moment'>;

/** The moment of a recording that is read, whatever its row shows meanwhile. */
function pastOf({ time }: ClusterNode, moment: Moment | undefined): Past | undefined {
  return time && { recording: time.recording, moment: moment ?? time.moment };
}

function askedOf({ profile, recorder }: ClusterNode, past: Past | undefined): AskedCluster {
  return { profile, ...(past && { time: past }), ...(recorder && { recorder }) };
}

/** The queues of all readings, each once: two directories of one semaphore give the same queue. @throws CancelledError */
export async function queuesIn(readings: readonly DirectoryReading[], signal: AbortSignal): Promise<LockQueue[]> {
  const queues = await inTurns(recognisingAll(readings), () => !signal.aborted);
  if (queues === undefined) throw new CancelledError('Reading');
  const known = new Map<string, LockQueue>();
  for (const queue of queues) {
    const key = `${queue.path}\0${queue.lockName ?? ''}\0${queue.dialect}`;
    if (!known.has(key)) known.set(key, queue);
  }
  return [...known.values()];
}

function* recognisingAll(readings: readonly DirectoryReading[]): Interruptible<LockQueue[]> {
  const queues: LockQueue[] = [];
  for (const reading of readings) {
    queues.push(...(yield* assemblingQueues(reading)));
    yield;
  }
  return queues;
}

async function stayedContenders(
  client: ZooKeeperClient,
  { readings, changing }: StateReading,
  queues: readonly LockQueue[],
  signal: AbortSignal,
): Promise<Set<string>> {
  const byPath = new Map(readings.map(reading => [reading.directory.path, reading]));
  const changed = new Set([...(await changedSince(client, byPath, signal)), ...changing]);
  const later = new Map<string, Contender>();
  for (const path of changed) {
    for (const { contenders } of await readableQueues(client, path, signal)) {
      for (const contender of contenders) later.set(contender.path, contender);
    }
  }
  const directories = [...changed].flatMap(path => [path, ...(byPath.get(path)?.directory.further.keys() ?? [])]);
  const isDoubted = ({ path }: Contender): boolean =>
    directories.some(directory => path === directory || path.startsWith(`${directory}/`));
  const contenders = queues.flatMap(queue => queue.contenders);
  const stayed = new Set<string>();
  const look = forEachInParts(contenders, contender => {
    if (!isDoubted(contender) || isUnchanged(contender, later.get(contender.path))) stayed.add(contender.path);
  });
  await inTurns(look, () => !signal.aborted);
  return stayed;
}

/** None where it may not be read any more: then it is not known what stayed. */
async function readableQueues(client: ZooKeeperClient, path: string, signal: AbortSignal): Promise<LockQueue[]> {
  try {
    return await readQueues(client, path, { signal });
  } catch (error) {
    if (isUnreadable(error)) return [];
    throw error;
  }
}
