import { lastSegment, parentPath } from '../../base/paths.ts';
import type { LockQueue } from '../lockQueue.ts';
import { namedIn } from '../nodeData.ts';
import { namedNodes, placedNodes, type SingleNodeMatch } from './productNodes.ts';

// Locks that are one node, held while it exists (docs/recipes.md, R1; docs/dialects.md, section 4 and section 5, row 12). Waiters are
// not in the tree: they watch the node and race when it goes.

/** Children of such directories are locks by their place, whatever their names are. */
const LOCK_DIRECTORY = /(?:^|[-_.\/])(?:locks?|mutex(?:es)?)$/i;

/** For an ephemeral node that a user named, or that stands in a directory of locks: its creator holds the lock. */
export const anyExclusiveNode: SingleNodeMatch = {
  dialect: 'exclusive-node',
  kind: 'exclusive',
  identify: ({ data }) => namedIn(data, ['instanceName', 'id', 'serviceUrl', 'hostname', 'host', 'name', 'owner']),
};

const ANY_NAMES: ReadonlySet<string> = new Set([
  ...['lock', 'locked', 'leader', 'LEADER', 'mutex', 'master'],
  ...['exclusivelock', 'exclusive_lock', 'exclusive-lock', 'leader_lock', 'leader-lock'],
]);

/**
 * Finds the layout of a node by its full path alone. Called for every node without children of a tree that is searched.
 *
 * @returns undefined when the path is none that is known for a lock; the node may still be one
 */
export function singleNodeByPath(path: string): SingleNodeMatch | undefined {
  const name = lastSegment(path);
  return (
    namedNodes.get(name)?.find(({ within }) => within?.test(parentPath(endOf(path))) !== false) ??
    placedNodes.find(({ below, path: pattern }) => path.includes(below) && pattern.test(endOf(path))) ??
    (ANY_NAMES.has(name) ? anyExclusiveNode : undefined)
  );
}

const LAST_SEGMENTS = 7;

/** The last segments, more than any layout has: so that a hostile path with many is looked through once, not once for each of them. */
function endOf(path: string): string {
  let start = path.length;
  for (let segment = 0; segment < LAST_SEGMENTS && start > 0; segment++) start = path.lastIndexOf('/', start - 1);
  return start <= 0 ? path : path.slice(start);
}

/** Whether a lock is one node, at its own path: without that node it is free. */
export function isSingleNode({ path, dialect }: Pick<LockQueue, 'path' | 'dialect'>): boolean {
  return dialect === 'exclusive-node' || dialect === singleNodeByPath(path)?.dialect;
}

/** Whether the name of a directory says that its children are locks. */
export function isLockDirectory(path: string): boolean {
  return LOCK_DIRECTORY.test(path);
}
