import { byKind } from '../../base/byKind.ts';
import { isHolderUnknown } from '../../locks/lockQueue.ts';
import type { Recording } from '../../replay/recording.ts';
import {
  contenderNodes,
  contendersPerPage,
  locksPerPage,
  matchingLocks,
  type ClusterNode,
  type LockNode,
  type Message,
  type MessageNode,
  type TreeNode,
} from './clusterModel.ts';

const strangersShown = 50;

/** What the rows depend on besides the nodes. */
export interface ChildrenContext {
  filter: string;
  /**
   * Which locks of a page are shown; absent for all. Hidden locks stay watched, since they may begin to pass. A lock that was
   * not read is counted in a row of its own.
   */
  passes?: (lock: LockNode) => boolean;
  /** Whether the workspace is trusted: nothing connects in an untrusted one. */
  trusted: boolean;
}

function messageNode(parent: ClusterNode | LockNode, message: Message): MessageNode {
  return { type: 'message', parent, message };
}

/** The rows below a row. */
export function childrenOf(node: TreeNode, context: ChildrenContext): TreeNode[] {
  if (node.type === 'directory') return node.children;
  if (node.type === 'cluster') return clusterChildren(node, context);
  return node.type === 'lock' ? lockChildren(node) : [];
}

function clusterChildren(cluster: ClusterNode, context: ChildrenContext): TreeNode[] {
  const { connection } = cluster;
  if (connection.kind === 'disconnected') {
    return [messageNode(cluster, context.trusted ? { kind: 'not-connected' } : { kind: 'untrusted' })];
  }
  if (connection.kind === 'connecting') return [messageNode(cluster, { kind: 'connecting' })];
  if (connection.kind === 'failed') {
    const { error, triesAgain } = connection;
    return [messageNode(cluster, { kind: 'connect-failed', error, triesAgain })];
  }
  const messages =
    cluster.time === undefined
      ? searchMessages(cluster.search, cluster.locks.size)
      : recordedMessages(cluster, cluster.time.recording);
  return [...lockRows(cluster, context), ...messages.map(message => messageNode(cluster, message))];
}

function lockRows(cluster: ClusterNode, { filter, passes }: ChildrenContext): TreeNode[] {
  const matching = matchingLocks(cluster, filter);
  const page = matching.slice(0, cluster.lockLimit);
  const rows: TreeNode[] = passes === undefined ? page : page.filter(passes);
  const isEmpty = rows.length === 0;
  const remaining = matching.length - page.length;
  if (remaining > 0) rows.push({ type: 'more', parent: cluster, next: Math.min(remaining, locksPerPage), remaining });
  const unread = passes === undefined ? 0 : matching.filter(({ queue }) => queue === undefined).length;
  if (unread > 0) rows.push(messageNode(cluster, { kind: 'unread', count: unread }));
  else if (isEmpty && cluster.locks.size > 0) rows.push(messageNode(cluster, { kind: 'no-match', filter }));
  return rows;
}

const searchMessages = byKind<ClusterNode['search'], Message[], [found: number]>({
  none: () => [],
  running: ({ visited, locks }) => [{ kind: 'searching', visited, locks }],
  failed: ({ error }) => [{ kind: 'search-failed', error }],
  done: ({ visited, truncated, denied }, found) => {
    const messages: Message[] = [];
    if (found === 0) messages.push({ kind: 'no-locks', visited });
    if (truncated) messages.push({ kind: 'truncated', visited });
    if (denied.length > 0) messages.push({ kind: 'denied', paths: denied });
    return messages;
  },
});

/** A recording knows its locks without a search, which may find more. */
function recordedMessages(cluster: ClusterNode, { problems, gaps }: Recording): Message[] {
  const messages = recordedSearchMessages(cluster);
  const isWhole = problems.length === 0 && gaps.length === 0;
  return isWhole ? messages : [...messages, { kind: 'not-whole', problems: problems.length, gaps: gaps.length }];
}

function recordedSearchMessages({ search, locks }: ClusterNode): Message[] {
  if (search.kind === 'done') return locks.size === 0 ? [{ kind: 'no-recorded-locks' }] : [];
  return search.kind === 'running' && locks.size > 0 ? [] : searchMessages(search, locks.size);
}

/** The rows below a lock. */
export function lockChildren(lock: LockNode): TreeNode[] {
  const { queue, readError } = lock;
  if (queue === undefined) {
    return [
      messageNode(lock, readError === undefined ? { kind: 'reading' } : { kind: 'read-failed', error: readError }),
    ];
  }
  const rows: TreeNode[] = contenderNodes(lock, lock.contenderLimit);
  if (readError !== undefined) rows.push(messageNode(lock, { kind: 'read-failed', error: readError }));
  const remaining = queue.contenders.length - lock.contenderLimit;
  if (remaining > 0) rows.push({ type: 'more', parent: lock, next: Math.min(remaining, contendersPerPage), remaining });
  if (queue.contenders.length === 0 && !isHolderUnknown(queue)) rows.push(messageNode(lock, { kind: 'no-contenders' }));
  rows.push(...queue.hazards.map(hazard => ({ type: 'hazard' as const, lock, hazard })));
  rows.push(...queue.strangers.slice(0, strangersShown).map(name => ({ type: 'stranger' as const, lock, name })));
  const furtherStrangers = queue.strangers.length - strangersShown;
  if (furtherStrangers > 0) rows.push(messageNode(lock, { kind: 'more-strangers', count: furtherStrangers }));
  return rows;
}
