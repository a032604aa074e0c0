import type { LockSummary } from '../../inspector/lockSearch.ts';
import type { DialectId, LockQueue } from '../../locks/lockQueue.ts';
import { lockKey, type ClusterNode, type LockNode, contendersPerPage } from './clusterModel.ts';
import { forgetLabels } from './lockLabels.ts';

/** The rows that a search or a reading has changed. */
export interface CatalogueChange {
  changed: LockNode[];
  /** Rows came or went: their parent has to be drawn again. */
  isNewList: boolean;
}

/** The row for a lock, made if there is none yet. */
export function ensureLock(
  cluster: ClusterNode,
  path: string,
  lockName: string | undefined,
  dialect: DialectId,
): { lock: LockNode; isNew: boolean } {
  const key = lockKey(path, lockName);
  const known = cluster.locks.get(key);
  if (known !== undefined) return { lock: known, isNew: false };
  const lock: LockNode = {
    type: 'lock',
    cluster,
    key,
    path,
    lockName,
    dialect,
    counted: 0,
    queue: undefined,
    readError: undefined,
    live: false,
    contenderLimit: contendersPerPage,
  };
  cluster.locks.set(key, lock);
  forgetLabels(cluster);
  return { lock, isNew: true };
}

/** How many contenders the locks at a path have: as read last, else as the search has counted. */
export function lengthAt({ locks }: ClusterNode, path: string): number {
  return locks.at(path).reduce((sum, { queue, counted }) => sum + (queue?.contenders.length ?? counted), 0);
}

/** Adds the locks that a search found. Rows that it did not find stay: they may be free locks, or were opened by path. */
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

/**
 * The row of a queue. A directory that holds a single lock without a name has one row, in whichever directory its queue is; of
 * several queues each has its own row.
 */
function rowFor(
  cluster: ClusterNode,
  path: string,
  queue: LockQueue,
  rows: readonly LockNode[],
  isOnly: boolean,
): LockNode {
  const [row] = rows;
  const isUnnamed = row !== undefined && row.lockName === undefined && queue.lockName === undefined;
  if (isOnly && rows.length === 1 && isUnnamed) return row;
  return ensureLock(cluster, path, rowName(path, queue), queue.dialect).lock;
}

/**
 * Sets the rows of one path to a fresh snapshot. Every queue has its row; a row without a queue is a free lock and stays, so that
 * a lock that is released and acquired again keeps its place in the view. Only the row of a whole directory is removed, when the
 * directory holds locks with names.
 */
export function applyQueues(cluster: ClusterNode, path: string, queues: readonly LockQueue[]): CatalogueChange {
  const rows = cluster.locks.at(path);
  const fresh = new Map<LockNode, LockQueue>();
  for (const queue of queues) fresh.set(rowFor(cluster, path, queue, rows, queues.length === 1), queue);
  for (const row of rows) {
    if (fresh.has(row)) continue;
    if (row.lockName === undefined && queues.length > 0) {
      cluster.locks.delete(row.key);
      forgetLabels(cluster);
    } else fresh.set(row, { path, dialect: row.dialect, contenders: [], strangers: [], hazards: [] });
  }
  for (const [lock, queue] of fresh) {
    Object.assign(lock, { queue, dialect: queue.dialect, readError: undefined });
    if (lock.isBehind === true) Object.assign(lock, { isBehind: false, isLate: false });
  }
  const changed = [...fresh.keys()];
  const isNewList = changed.length !== rows.length || changed.some(lock => !rows.includes(lock));
  return { changed, isNewList };
}

/** Sets the rows of a path that the user opened. Where no lock is, that is one row of a free lock. */
export function applyOpened(cluster: ClusterNode, path: string, queues: readonly LockQueue[]): CatalogueChange {
  const isNew = queues.length === 0 && cluster.locks.at(path).length === 0;
  if (isNew) ensureLock(cluster, path, undefined, 'generic');
  const { changed, isNewList } = applyQueues(cluster, path, queues);
  return { changed, isNewList: isNewList || isNew };
}

/** What the row of a queue is called that was read at `path`; `undefined` for the only lock of a directory. */
export function rowName(path: string, queue: Pick<LockQueue, 'path' | 'lockName'>): string | undefined {
  return queue.lockName ?? subPath(path, queue.path);
}

/** Names a queue in another directory than the path that was read; `undefined` for a queue at that path. */
function subPath(path: string, queuePath: string): string | undefined {
  if (queuePath === path) return undefined;
  return queuePath.startsWith(`${path}/`) ? queuePath.slice(path.length + 1) : queuePath;
}
