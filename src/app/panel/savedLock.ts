import { isAbsolute } from 'node:path';
import { zxidText } from '../../base/sessionText.ts';
import { dialectLabels, type DialectId } from '../../locks/lockQueue.ts';
import { contendersPerPage, locksPerPage, lockKey, type ClusterNode, type LockNode } from '../clusters/clusterModel.ts';
import { isLockPath, isObject } from '../clusters/clusterProfile.ts';
import type { ClusterRegistry } from '../clusters/clusterRegistry.ts';
import { LockTable } from '../clusters/lockTable.ts';
import { sourceKinds, type RecordedTime } from '../clusters/recordedTime.ts';
import type { RecordingSource, Reopenings } from '../recordings/reopenings.ts';

/** Which lock a panel shows, as it is kept while the window is closed. Everything in it is foreign text. */
export interface SavedLock {
  cluster: string;
  /** For a cluster that was removed meanwhile. */
  clusterName: string;
  path: string;
  lockName?: string;
  dialect: DialectId;
  /** Present for a lock of a recording. */
  recording?: SavedRecording;
}

/** What opens a recording again. It is JSON, so its zxid is a text: hexadecimal with `0x`. */
export interface SavedRecording extends RecordingSource {
  /** Absent: its end. */
  at?: { zxid: string; time: number };
  /** The person has closed it: it is opened again only when asked for. */
  isClosed?: true;
}

/** Longest text that is taken back, in characters. ZooKeeper allows paths up to the size of a request, about 1 MB. */
const longest = 1_000_000;

/** @param limit in characters */
export function isText(value: unknown, limit = longest): value is string {
  return typeof value === 'string' && value !== '' && value.length <= limit;
}

function isDialect(value: unknown): value is DialectId {
  return isText(value) && Object.hasOwn(dialectLabels, value);
}

function readMoment(value: unknown): SavedRecording['at'] {
  if (!isObject(value)) return undefined;
  const { zxid, time } = value;
  if (typeof zxid !== 'string' || !/^0x[0-9a-f]{1,16}$/u.test(zxid)) return undefined;
  return typeof time === 'number' && Number.isFinite(time) ? { zxid, time } : undefined;
}

/** @returns `undefined` if it names no files */
export function readSavedRecording(value: unknown): SavedRecording | undefined {
  if (!isObject(value)) return undefined;
  const kind = sourceKinds.find(known => known === value['kind']);
  const { path } = value;
  if (kind === undefined || !isText(path) || !isAbsolute(path)) return undefined;
  const at = readMoment(value['at']);
  return {
    kind,
    path,
    ...(at === undefined ? {} : { at }),
    ...(value['isClosed'] === true ? { isClosed: true as const } : {}),
  };
}

/** What opens a recording again at its moment; one that follows its files at their end. @param former the moment that is kept while it plays */
export function savedRecordingOf(time: RecordedTime, former?: SavedRecording['at']): SavedRecording {
  const { kind, folder, moment, speed, isFollowing } = time;
  const at = speed === 0 ? { zxid: zxidText(moment.zxid), time: moment.time } : former;
  return { kind, path: folder, ...(isFollowing || at === undefined ? {} : { at }) };
}

/** Has the files of a recording read, to be shown at the moment that was kept. */
export function openAgain(reopenings: Pick<Reopenings, 'open'>, { kind, path, at }: SavedRecording): void {
  reopenings.open({ kind, path }, at && { zxid: BigInt.asIntN(64, BigInt(at.zxid)), time: at.time });
}

/** The same when the window comes back: not of one that the person has closed, and once for all panels. */
export function openWithWindow(reopenings: Pick<Reopenings, 'of' | 'open'>, saved: SavedRecording): void {
  if (saved.isClosed !== true && reopenings.of(saved.path) === undefined) openAgain(reopenings, saved);
}

/** Checks what was kept: another version, or another program, may have written it. @returns `undefined` if it names no lock */
export function readSavedLock(value: unknown): SavedLock | undefined {
  if (!isObject(value)) return undefined;
  const lock = readLock(value);
  if (value['recording'] === undefined) return lock;
  const recording = readSavedRecording(value['recording']);
  return lock && recording && { ...lock, recording };
}

function readLock({ cluster, clusterName, path, lockName, dialect }: Record<string, unknown>): SavedLock | undefined {
  if (!isText(cluster) || !isText(path) || !isLockPath(path)) return undefined;
  if (lockName !== undefined && !isText(lockName)) return undefined;
  return {
    cluster,
    clusterName: isText(clusterName) ? clusterName : '',
    path,
    ...(lockName === undefined ? {} : { lockName }),
    dialect: isDialect(dialect) ? dialect : 'generic',
  };
}

/** A cluster that is no longer in the list: it has a name, and nothing else is known of it. */
function removedCluster({ cluster: id, clusterName: name, recording }: SavedLock): ClusterNode {
  const past = recording === undefined ? {} : ({ readOnly: true, isRecording: true } as const);
  return {
    type: 'cluster',
    id,
    profile: { id, name, connectString: '', environment: 'development', lockRoots: [], ...past },
    connection: { kind: 'disconnected' },
    search: { kind: 'none' },
    locks: new LockTable(),
    lockLimit: locksPerPage,
    watched: 0,
    sightings: { aheadMs: 0, narrow: queues => [...queues] },
  };
}

/** The row of a saved lock if there is one now, else one that is in no list. Nothing is read and nothing connected. */
export function lockOf(registry: Pick<ClusterRegistry, 'get'>, saved: SavedLock): LockNode {
  const cluster = registry.get(saved.cluster)?.node ?? removedCluster(saved);
  const { path, lockName, dialect } = saved;
  const key = lockKey(path, lockName);
  const row = { counted: 0, queue: undefined, readError: undefined, live: false, contenderLimit: contendersPerPage };
  return cluster.locks.get(key) ?? { type: 'lock', cluster, key, path, lockName, dialect, ...row };
}

/** The row of a queue of a cluster, or one that is in no list, as before the search has found the lock. */
export function rowOfQueue(
  registry: Pick<ClusterRegistry, 'get'>,
  cluster: string,
  { path, lockName, dialect }: Pick<SavedLock, 'path' | 'lockName' | 'dialect'>,
): LockNode {
  const locks = registry.get(cluster)?.node.locks ?? new LockTable<LockNode>();
  const row = [...locks.values()].find(({ queue }) => queue?.path === path && queue.lockName === lockName);
  const named = lockName === undefined ? {} : { lockName };
  return (
    row ?? locks.get(lockKey(path, lockName)) ?? lockOf(registry, { cluster, clusterName: '', path, ...named, dialect })
  );
}
