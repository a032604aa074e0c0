import { classifyNames } from '../locks/classifyNames.ts';
import type { LockQueue } from '../locks/lockQueue.ts';
import { lastSegment, parentPath } from '../base/paths.ts';
import { recogniseQueues } from '../locks/recogniseQueues.ts';
import { recogniseUnread } from '../locks/recogniseUnread.ts';
import type { DirectoryReading } from './readDirectory.ts';

/**
 * The queues of a directory as read. Of nodes that may not be read nobody can say whose they are, and one of them may well be
 * the holder: their names are strangers of the first queue, and every queue gets the hazard `unreadable`. Where a name says that
 * its node stands before others, they wait for it. A directory of which nothing else is left still gives a queue if its names
 * look like a lock, so that a locked lock is not shown as none.
 */
export function assembleQueues(reading: DirectoryReading): LockQueue[] {
  const { directory, unreadable } = reading;
  if (unreadable.length === 0) return recogniseQueues(directory);
  const queues = recogniseUnread(directory, unreadable);
  const known = queues.length > 0 ? queues : guessQueues(reading);
  return known.map((queue, at) => {
    const names = unreadable.map(path => relativeName(queue.path, path));
    return {
      ...queue,
      strangers: at === 0 ? [...new Set([...queue.strangers, ...names])] : queue.strangers,
      hazards: [...queue.hazards, { kind: 'unreadable', names }],
    };
  });
}

function guessQueues({ directory, unreadable }: DirectoryReading): LockQueue[] {
  const { path, children } = directory;
  const hidden = unreadable.filter(other => parentPath(other) === path).map(lastSegment);
  const names = [...new Set([...children.map(child => child.name), ...hidden])];
  return classifyNames(path, names).map(({ dialect, lockName }) => ({
    path,
    ...(lockName === undefined ? {} : { lockName }),
    dialect,
    contenders: [],
    strangers: [],
    hazards: [],
  }));
}

/** As `recogniseQueues` names what lies in a further directory: relative to the path of the queue. */
function relativeName(from: string, path: string): string {
  const prefix = from === '/' ? '/' : `${from}/`;
  if (path.startsWith(prefix)) return path.slice(prefix.length);
  const above = parentPath(from);
  return `../${path.slice(above === '/' ? 1 : above.length + 1)}`;
}
