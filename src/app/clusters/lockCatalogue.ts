import type { LockSummary } from '../../inspector/lockSearch.ts';
import type { DialectId, LockQueue } from '../../locks/lockQueue.ts';
import { lockKey, type ClusterNode, type LockNode, contendersPerPage } from './clusterModel.ts';

/** What a change touched. */
export interface CatalogueChange {
  changed: LockNode[];
  /** Rows came or went: their parent has to be drawn again. */
  isNewList: boolean;
}

function newLock(cluster: ClusterNode, path: string, lockName: string | undefined, dialect: DialectId): LockNode {
  return {
    type: 'lock',
    cluster,
    key: lockKey(path, lockName),
    path,
    lockName,
    dialect,
    counted: 0,
    queue: undefined,
    readError: undefined,
    live: false,
    contenderLimit: contendersPerPage,
  };
}

/** The row for a lock, made if there is none yet. */
export function ensureLock(
  cluster: ClusterNode,
  path: string,
  lockName: string | undefined,
  dialect: DialectId,
): { lock: LockNode; isNew: boolean } {
  const known = cluster.locks.get(lockKey(path, lockName));
  if (known !== undefined) return { lock: known, isNew: false };
  const lock = newLock(cluster, path, lockName, dialect);
  cluster.locks.set(lock.key, lock);
  return { lock, isNew: true };
}

/** Takes in what a search found. Rows that it did not find stay: they may be free locks or opened by path. */
export function applyFound(cluster: ClusterNode, found: readonly LockSummary[]): CatalogueChange {
  const change: CatalogueChange = { changed: [], isNewList: false };
  for (const { path, lockName, dialect, contenders } of found) {
    const { lock, isNew } = ensureLock(cluster, path, lockName, dialect);
    lock.counted = contenders;
    if (lock.queue === undefined) lock.dialect = dialect;
    change.changed.push(lock);
    change.isNewList ||= isNew;
  }
  return change;
}

export function locksAt(cluster: ClusterNode, path: string): LockNode[] {
  return [...cluster.locks.values()].filter(lock => lock.path === path);
}

function emptied(lock: LockNode): LockQueue {
  return { path: lock.path, dialect: lock.dialect, contenders: [], strangers: [], hazards: [] };
}

/**
 * The row of a queue. A directory that holds a single lock has one row, whatever its queue calls itself; of several
 * queues each has its own.
 */
function rowFor(
  cluster: ClusterNode,
  path: string,
  queue: LockQueue,
  rows: readonly LockNode[],
  isOnly: boolean,
): LockNode {
  const [row] = rows;
  if (isOnly && rows.length === 1 && row?.lockName === undefined && row !== undefined && queue.lockName === undefined) {
    return row;
  }
  return ensureLock(cluster, path, queue.lockName ?? subPath(path, queue.path), queue.dialect).lock;
}

function setQueue(lock: LockNode, queue: LockQueue): void {
  lock.queue = queue;
  lock.dialect = queue.dialect;
  lock.readError = undefined;
}

/**
 * Takes in a fresh snapshot of one path. Every queue has its row; a row without a queue is a free lock and stays, so that
 * a lock which is released and taken again does not jump about. Only the row of a whole directory goes when the directory
 * turns out to hold locks that have names.
 */
export function applyQueues(cluster: ClusterNode, path: string, queues: readonly LockQueue[]): CatalogueChange {
  const rows = locksAt(cluster, path);
  const fresh = new Map<LockNode, LockQueue>();
  for (const queue of queues) fresh.set(rowFor(cluster, path, queue, rows, queues.length === 1), queue);
  for (const row of rows) {
    if (fresh.has(row)) continue;
    if (row.lockName === undefined && queues.length > 0) cluster.locks.delete(row.key);
    else fresh.set(row, emptied(row));
  }
  for (const [lock, queue] of fresh) setQueue(lock, queue);
  const changed = [...fresh.keys()];
  const isNewList = changed.length !== rows.length || changed.some(lock => !rows.includes(lock));
  return { changed, isNewList };
}

/** Takes in what was read at a path that somebody asked for. Where nothing is yet, that is the row of a free lock. */
export function applyOpened(cluster: ClusterNode, path: string, queues: readonly LockQueue[]): CatalogueChange {
  const isNew = queues.length === 0 && locksAt(cluster, path).length === 0;
  if (isNew) ensureLock(cluster, path, undefined, 'generic');
  const { changed, isNewList } = applyQueues(cluster, path, queues);
  return { changed, isNewList: isNewList || isNew };
}

/** Tells queues apart that one path holds in different directories; `undefined` for the path itself. */
function subPath(path: string, queuePath: string): string | undefined {
  if (queuePath === path) return undefined;
  return queuePath.startsWith(`${path}/`) ? queuePath.slice(path.length + 1) : queuePath;
}
