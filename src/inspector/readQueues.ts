import { atOnce, inTurns, type Interruptible } from '../base/interruptible.ts';
import { lastSegment, parentPath } from '../base/paths.ts';
import { hazard } from '../locks/hazards.ts';
import type { LockQueue } from '../locks/lockQueue.ts';
import { recogniseNames, recognisingQueues } from '../locks/recognition/recognise.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { CancelledError } from '../zookeeper/errors.ts';
import { readDirectory, type DirectoryReading } from './readDirectory.ts';

/**
 * Reads holders and waiters at `lockPath`, in bulk: one request for the list and a few for the nodes, however long the
 * queue is.
 *
 * A directory may hold several locks, or none; a path that does not exist holds none. A path that is itself the lock (an
 * ephemeral node such as `/controller`) gives its own queue. Children that vanish during the read are left out, and no
 * waiter is shown as a holder because of them (`readDirectory` says how). Contenders that may not be read keep their
 * places (`isUnread`), under the hazard `unreadable`.
 *
 * @throws ZooKeeperError NO_AUTH if the children of `lockPath` may not be listed; NotConnectedError or ReplyLostError if
 *   the connection fails; CancelledError once `signal` is aborted
 */
export async function readQueues(
  client: ZooKeeperClient,
  lockPath: string,
  options: { signal?: AbortSignal } = {},
): Promise<LockQueue[]> {
  const reading = await readDirectory(client, lockPath, options.signal);
  if (reading === undefined) return [];
  const queues = await inTurns(assemblingQueues(reading), () => options.signal?.aborted !== true);
  if (queues === undefined) throw new CancelledError('Reading');
  return queues;
}

/**
 * The queues of a directory as read. A node that may not be read is a contender by its name, with `isUnread`, and its queue gets
 * the hazard `unreadable`. One that is no contender by its name can still be the holder of a lock: it is a stranger of the first
 * queue, and every queue gets the hazard. A directory of a lock without any contender, known by the names in it, gives a queue
 * all the same, so that a lock that is held is not shown as none.
 */
export function assembleQueues(reading: DirectoryReading): LockQueue[] {
  return atOnce(assemblingQueues(reading));
}

/** As `assembleQueues`, for long queues: it may be interrupted, and the reading stays as it is until it ends. */
export function* assemblingQueues(reading: DirectoryReading): Interruptible<LockQueue[]> {
  const { directory, unreadable } = reading;
  const queues = yield* recognisingQueues(directory, unreadable);
  if (unreadable.length === 0) return queues;
  const known = queues.length > 0 ? queues : emptyQueues(reading);
  const shown = new Set(known.flatMap(({ contenders }) => contenders.map(({ path }) => path)));
  const others = unreadable.filter(path => !shown.has(path));
  return known.map((queue, at) => {
    const own = queue.contenders.filter(({ isUnread }) => isUnread === true).map(({ name }) => name);
    const names = [...own, ...others.map(path => relativeName(queue.path, path))];
    const hazards = [...queue.hazards, ...hazard('unreadable', names)];
    if (at > 0) return { ...queue, hazards };
    const strangers = new Set([...queue.strangers, ...others.map(path => relativeName(queue.path, path))]);
    return { ...queue, strangers: [...strangers], hazards };
  });
}

function emptyQueues({ directory, unreadable }: DirectoryReading): LockQueue[] {
  const { path, children } = directory;
  const hidden = unreadable.filter(other => parentPath(other) === path).map(lastSegment);
  const names = [...new Set([...children.map(child => child.name), ...hidden])];
  return recogniseNames(path, names).map(({ dialect, lockName }) => ({
    path,
    ...(lockName === undefined ? {} : { lockName }),
    dialect,
    contenders: [],
    strangers: [],
    hazards: [],
  }));
}

/** A path relative to that of the queue, as `recogniseQueues` names nodes of further directories. */
function relativeName(from: string, path: string): string {
  const prefix = from === '/' ? '/' : `${from}/`;
  if (path.startsWith(prefix)) return path.slice(prefix.length);
  const above = parentPath(from);
  return `../${path.slice(above === '/' ? 1 : above.length + 1)}`;
}
