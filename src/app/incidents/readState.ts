import { severalAtOnce } from '../../base/severalAtOnce.ts';
import { readDirectory, type DirectoryReading } from '../../inspector/readDirectory.ts';
import type { Moment } from '../../history/hold.ts';
import type { LockDirectory } from '../../locks/lockDirectory.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import { CancelledError, isZooKeeperError, ReplyTooLargeError, type ZooKeeperError } from '../../zookeeper/errors.ts';

/** The nodes of several lock paths as they were at one moment, as far as they let themselves be read so. */
export interface StateReading {
  /** Paths without a node are left out. */
  readings: readonly DirectoryReading[];
  /** The last change that was seen. */
  zxid: bigint;
  /** Epoch ms of this machine, when reading ended. */
  readAt: number;
  /** Paths that changed faster than all could be read: theirs may be somewhat earlier or later than the others. */
  changing: readonly string[];
  /** Paths that may not be listed, or whose list is too long to be sent. */
  unread: readonly string[];
}

interface ReadOptions {
  signal: AbortSignal;
  onProgress?: (done: number, total: number) => void;
}

/** Reads at the same time: as `loadAllLocks`. */
const readsAtOnce = 8;
/** After this, locks change faster than they can be read together. */
const mostRounds = 4;

/**
 * Reads locks at one moment: all of them, then again those whose directories have changed meanwhile, until none has. What changes all the time
 * is named, and what may not be read.
 *
 * @throws CancelledError; what reading throws: why a lock could not be read only where none could
 */
export async function readState(
  client: ZooKeeperClient,
  paths: readonly string[],
  { signal, onProgress }: ReadOptions,
): Promise<StateReading> {
  const readings = new Map<string, DirectoryReading>();
  const unread = new Map<string, Unreadable>();
  let done = 0;
  let wanted: readonly string[] = paths;
  for (let round = 1; wanted.length > 0 && round <= mostRounds; round++) {
    const read = async (path: string): Promise<void> => {
      if (signal.aborted) throw new CancelledError('Reading');
      try {
        const reading = await readDirectory(client, path, signal);
        if (reading === undefined) readings.delete(path);
        else readings.set(path, reading);
      } catch (error) {
        // One that was read before stays as it was, and is named among those that changed.
        if (!isUnreadable(error)) throw error;
        if (!readings.has(path)) unread.set(path, error);
      }
      if (round === 1) onProgress?.(++done, paths.length);
    };
    await severalAtOnce(wanted, readsAtOnce, read);
    wanted = await changedSince(client, readings, signal);
  }
  const all = [...readings.values()];
  const [failure] = unread.values();
  if (all.length === 0 && failure !== undefined) throw failure;
  return { readings: all, zxid: lastChange(all), readAt: Date.now(), changing: wanted, unread: [...unread.keys()] };
}

type Unreadable = ZooKeeperError | ReplyTooLargeError;

/** Whether only this lock cannot be read: the connection is good. */
export function isUnreadable(error: unknown): error is Unreadable {
  return isZooKeeperError(error, 'NO_AUTH') || error instanceof ReplyTooLargeError;
}

/** Of locks that were read, those that have changed since. @throws CancelledError; what reading throws */
export async function changedSince(
  client: ZooKeeperClient,
  readings: ReadonlyMap<string, DirectoryReading>,
  signal: AbortSignal,
): Promise<string[]> {
  const asked = [...readings].flatMap(([key, { directory }]) =>
    [directory.path, ...directory.further.keys()].map(path => ({ key, path, directory })),
  );
  const results = await client.readMany(
    asked.map(({ path }) => ({ op: 'getData' as const, path })),
    { signal },
  );
  if (signal.aborted) throw new CancelledError('Reading');
  const changed = new Set<string>();
  results.forEach((result, at) => {
    const { key, path, directory } = asked[at] ?? {};
    if (key === undefined || path === undefined || directory === undefined) return;
    if (result.op === 'getData') {
      if (!isSame(directory, path, result.stat)) changed.add(key);
    } else if (directory.lastChanges?.has(path) === true) changed.add(key);
  });
  return [...changed];
}

function isSame(
  { path: own, self, lastChanges }: LockDirectory,
  path: string,
  stat: { pzxid: bigint; czxid: bigint; version: number },
): boolean {
  if (lastChanges?.get(path) !== stat.pzxid) return false;
  // The data of the directory itself, such as a limit.
  return path !== own || (self.czxid === stat.czxid && self.version === stat.version);
}

function lastChange(readings: readonly DirectoryReading[]): bigint {
  let last = 0n;
  for (const { directory } of readings) {
    const { self, children, further, lastChanges } = directory;
    for (const zxid of lastChanges?.values() ?? []) if (zxid > last) last = zxid;
    for (const nodes of [[self], children, ...further.values()]) {
      for (const { czxid } of nodes) if (czxid > last) last = czxid;
    }
  }
  return last;
}

/** A moment behind every time that a node carries. @param serverNow epoch ms of the servers' clock */
export function momentOf({ readings, zxid }: Pick<StateReading, 'readings' | 'zxid'>, serverNow: number): Moment {
  let time = Math.round(serverNow);
  for (const { directory } of readings) {
    for (const nodes of [directory.children, ...directory.further.values()]) {
      for (const { createdAt } of nodes) if (createdAt > time) time = createdAt;
    }
  }
  return { zxid, time };
}
