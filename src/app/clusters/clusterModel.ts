import { lastSegment } from '../../base/paths.ts';
import type { OwnerFacts } from '../../inspector/owners/ownerFacts.ts';
import type { Contender, DialectId, Hazard, LockQueue } from '../../locks/lockQueue.ts';
import type { ConnectionState } from './clusterConnection.ts';
import type { ClusterProfile } from './clusterProfile.ts';
import type { ClusterRecorder } from './clusterRecorder.ts';
import type { LockTable } from './lockTable.ts';
import type { RecordedTime } from './recordedTime.ts';
import type { Sightings } from './sightings.ts';
import type { UsualTimes } from './usualTimes.ts';

/** Rows of the Clusters view as plain data: the cluster browsers change clusters and locks, the view makes the other rows. */
export type TreeNode =
  ClusterNode | DirectoryNode | LockNode | ContenderNode | StrangerNode | HazardNode | MoreNode | MessageNode;

/** The search for locks below the lock roots. */
export type SearchState =
  | { kind: 'none' }
  | { kind: 'running'; visited: number; locks: number }
  | { kind: 'done'; visited: number; truncated: boolean; denied: readonly string[] }
  | { kind: 'failed'; error: unknown };

export interface ClusterNode {
  readonly type: 'cluster';
  readonly id: string;
  profile: ClusterProfile;
  connection: ConnectionState;
  search: SearchState;
  /** By lock key; `shownLocks` sorts them. */
  readonly locks: LockTable<LockNode>;
  /** How the locks are called; `undefined` until that is asked for (`labelOf`). */
  labels?: ReadonlyMap<LockNode, LockLabel> | undefined;
  /** Upper limit of lock rows: grows with each page that is opened. */
  lockLimit: number;
  /** How many directories are watched now. */
  watched: number;
  /** Since when its holders hold, and how its clock differs. */
  readonly sightings: Pick<Sightings, 'aheadMs' | 'narrow'>;
  /** The moment that its rows show, for a recording only. */
  readonly time?: RecordedTime;
  /** Of a live cluster. */
  readonly recorder?: ClusterRecorder;
  /** What lasts far longer than is usual. */
  readonly usual?: Pick<UsualTimes, 'of' | 'usualOf'>;
  /** What its servers said of their clients when they were asked last; absent: they were not asked since it was connected. */
  lastOwners?: OwnerFacts | undefined;
}

/** How a lock is called among the locks of its cluster. Foreign text. */
export interface LockLabel {
  /** The last segments of its path: so many that no other lock is called so, and that they say what the lock is for. */
  name: string;
  /** The directory that `name` is below; '/' if `name` is the whole path. */
  directory: string;
}

export interface LockNode {
  readonly type: 'lock';
  readonly cluster: ClusterNode;
  readonly key: string;
  /** The path that is read and watched for this lock: a directory or a single node. */
  readonly path: string;
  readonly lockName: string | undefined;
  dialect: DialectId;
  /** How many contenders the search found; shown until the queue is read. */
  counted: number;
  queue: LockQueue | undefined;
  /** Why the last read failed; cleared by the next good one. */
  readError: unknown;
  /** Whether `queue` is up to date and watched. */
  live: boolean;
  /** Of a recording: `queue` is that of another moment and is being read again, so nothing follows from it. */
  isBehind?: boolean;
  /** It has been behind for so long that its row must say so. */
  isLate?: boolean;
  /** Upper limit of contender rows: grows with each page that is opened. */
  contenderLimit: number;
}

/** A directory of the tree of directories; one with a single directory in it is one row with that. */
export interface DirectoryNode {
  readonly type: 'directory';
  /** Its cluster, however many directories it is in: these depend on what is shown. */
  readonly parent: ClusterNode;
  readonly path: string;
  /** Its path below the row above. Foreign text. */
  readonly name: string;
  children: (DirectoryNode | LockNode)[];
}

export interface ContenderNode {
  readonly type: 'contender';
  readonly lock: LockNode;
  readonly contender: Contender;
  /** 1 is the head of the queue. */
  readonly position: number;
  /** The contender it waits for, if that is in the queue. */
  readonly ahead: { contender: Contender; position: number } | undefined;
}

/** A child that is no contender. */
export interface StrangerNode {
  readonly type: 'stranger';
  readonly lock: LockNode;
  readonly name: string;
}

export interface HazardNode {
  readonly type: 'hazard';
  readonly lock: LockNode;
  readonly hazard: Hazard;
}

/** Opens the next page of its parent. */
export interface MoreNode {
  readonly type: 'more';
  readonly parent: ClusterNode | LockNode;
  readonly next: number;
  readonly remaining: number;
}

export type Message =
  | { kind: 'connecting' }
  | { kind: 'not-connected' }
  | { kind: 'untrusted' }
  | { kind: 'connect-failed'; error: unknown; triesAgain: boolean }
  | { kind: 'searching'; visited: number; locks: number }
  | { kind: 'search-failed'; error: unknown }
  | { kind: 'no-locks'; visited: number }
  | { kind: 'no-match'; filter: string }
  | { kind: 'unread'; count: number }
  | { kind: 'truncated'; visited: number }
  | { kind: 'denied'; paths: readonly string[] }
  | { kind: 'not-whole'; problems: number; gaps: number }
  | { kind: 'no-recorded-locks' }
  | { kind: 'reading' }
  | { kind: 'read-failed'; error: unknown }
  | { kind: 'no-contenders' }
  | { kind: 'more-strangers'; count: number };

/** A line of text where rows are missing: progress, emptiness, failure. */
export interface MessageNode {
  readonly type: 'message';
  readonly parent: ClusterNode | LockNode;
  readonly message: Message;
}

/** The identity of a lock within its cluster: the path that is read, and its name within that directory. Neither contains NUL. */
export function lockKey(path: string, lockName: string | undefined): string {
  return lockName === undefined ? path : `${path}\0${lockName}`;
}

export function parentOf(node: TreeNode): ClusterNode | LockNode | undefined {
  if (node.type === 'cluster') return undefined;
  if (node.type === 'lock') return node.cluster;
  return 'lock' in node ? node.lock : node.parent;
}

export function clusterOf(node: TreeNode): ClusterNode {
  const parent = parentOf(node);
  if (parent === undefined) return node as ClusterNode;
  return parent.type === 'cluster' ? parent : parent.cluster;
}

/** Whether there is a session, or was one and its rows show what it read last. */
export function hasSession({ connection: { kind } }: Pick<ClusterNode, 'connection'>): boolean {
  return kind === 'connected' || kind === 'uncertain' || kind === 'lost';
}

/** Whether there may be locks that are not even known. A recording knows all of its own. */
export function isSearchOpen({ search, time }: Pick<ClusterNode, 'search' | 'time'>): boolean {
  if (time !== undefined) return false;
  return search.kind !== 'done' || search.truncated || search.denied.length > 0;
}

/** The time by the servers' clock, which the times of nodes are in; of a recording its moment. @param now epoch ms of this machine */
export function serverTime(node: TreeNode, now: number): number {
  const { sightings, time } = clusterOf(node);
  return time?.moment.time ?? now - sightings.aheadMs;
}

function ownId(node: TreeNode): string {
  switch (node.type) {
    case 'cluster':
      return node.id;
    case 'lock':
      return node.key;
    case 'directory':
      return node.path;
    case 'contender':
      return node.contender.path;
    case 'stranger':
      return node.name;
    case 'hazard':
      return `${node.hazard.kind}\0${node.hazard.names.join('\0')}`;
    case 'more':
      return '';
    case 'message':
      return node.message.kind;
  }
}

/** Stable while the row stands for the same thing, so that selection and expansion survive every refresh. */
export function nodeId(node: TreeNode): string {
  const parent = parentOf(node);
  const own = `${node.type}\0${ownId(node)}`;
  return parent === undefined ? own : `${nodeId(parent)}\0${own}`;
}

export const locksPerPage = 100;
export const contendersPerPage = 200;

/** Whether the filter text occurs in the lock's path or name, in any case. */
export function matchesFilter(lock: LockNode, filter: string): boolean {
  return lock.key.toLowerCase().includes(filter.toLowerCase());
}

/** The locks that pass the filter, by path. */
export function matchingLocks(cluster: ClusterNode, filter: string): LockNode[] {
  const matching = [...cluster.locks.values()].filter(lock => matchesFilter(lock, filter));
  return matching.sort((left, right) => (left.key < right.key ? -1 : 1));
}

/** The locks of the pages opened so far. */
export function shownLocks(cluster: ClusterNode, filter: string): LockNode[] {
  return matchingLocks(cluster, filter).slice(0, cluster.lockLimit);
}

export function waiterCount(lock: LockNode): number {
  const contenders = lock.queue?.contenders ?? [];
  return contenders.length - contenders.filter(({ role }) => role === 'holder').length;
}

/** The changed rows that VS Code has to draw: those on a page whose cluster, which is drawn with its locks, has not changed. */
export function drawnRows(
  changes: ReadonlySet<ClusterNode | LockNode | undefined>,
  clusters: readonly ClusterNode[],
  filter: string,
): (ClusterNode | LockNode)[] {
  return clusters.flatMap((cluster): (ClusterNode | LockNode)[] => {
    if (changes.has(cluster)) return [cluster];
    return shownLocks(cluster, filter).filter(lock => changes.has(lock));
  });
}

const nodeTypes: ReadonlySet<unknown> = new Set<TreeNode['type']>([
  'cluster',
  'directory',
  'lock',
  'contender',
  'stranger',
  'hazard',
  'more',
  'message',
]);

/** The value if it is a row by its type. @param value anything */
export function asTreeNode(value: unknown): TreeNode | undefined {
  if (typeof value !== 'object' || value === null || !('type' in value)) return undefined;
  return nodeTypes.has(value.type) ? (value as TreeNode) : undefined;
}

/** The lock's name within its directory, or the last segment of its path. Foreign text. */
export function nameOfLock({ path, lockName }: Pick<LockNode, 'path' | 'lockName'>): string {
  return lockName ?? lastSegment(path);
}

/** The rows of the first `limit` contenders, in grant order. */
export function contenderNodes(lock: LockNode, limit = Infinity): ContenderNode[] {
  const contenders = lock.queue?.contenders ?? [];
  // Each waits for one before it, so those behind the limit need no place.
  const shown = contenders.slice(0, limit);
  const indexOf = new Map(shown.map(({ name }, index) => [name, index]));
  return shown.map((contender, index) => {
    const at = contender.waitsFor === undefined ? -1 : (indexOf.get(contender.waitsFor) ?? -1);
    const ahead = contenders[at];
    return {
      type: 'contender',
      lock,
      contender,
      position: index + 1,
      ahead: ahead === undefined ? undefined : { contender: ahead, position: at + 1 },
    };
  });
}
