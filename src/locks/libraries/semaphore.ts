import type { Dialect, Member } from '../dialect.ts';
import { sinceNode } from '../heldSince.ts';
import type { ChildNode, LockDirectory } from '../lockDirectory.ts';
import type { Contender, DialectId, LockQueue } from '../lockQueue.ts';
import { textOf } from '../nodeData.ts';

/** Finds what a child is by its name; undefined for a foreign child. The registry of libraries answers. */
export type MemberOf = (directoryPath: string, node: ChildNode) => Member | undefined;

/** A semaphore that was put together from two directories, and the children of the given directory that belong to it. */
export interface Semaphore {
  queue: LockQueue;
  claimed: ReadonlySet<string>;
}

/** A semaphore that keeps its queue and its leases in two directories. */
export interface TwoDirectorySemaphore {
  dialect: DialectId;
  /** The dialect of its queue. */
  queued: Dialect;
  /** Full paths of what else must be listed; those that do not exist must be left out of `LockDirectory.further`. */
  further: (path: string, childNames: readonly string[]) => string[];
  /** Strangers are named relative to the semaphore's path. Returns undefined when the directory is no part of one. */
  recognise: (directory: LockDirectory, memberOf: MemberOf) => Semaphore | undefined;
  /** Whether a directory with such children is likely the semaphore's own. */
  isLikely?: (childNames: readonly string[]) => boolean;
  /** The path that clients use, of a queue that is recognised by its own path. */
  baseOfQueue?: (queuePath: string) => string | undefined;
  /** Its queue, where that stands beside the path that clients use instead of below it. */
  queueBeside?: (path: string) => string;
  /** The path that clients use, of a directory of leases. Only names that hold leases prove that it is one. */
  baseOfLeases?: (leasesPath: string) => string | undefined;
}

/** Splits the children of a directory: those that match in the wanted way, and the rest. */
export function splitChildren(
  nodes: readonly ChildNode[],
  memberOf: (node: ChildNode) => Member | undefined,
  wanted: Dialect,
): { members: Member[]; others: ChildNode[] } {
  const members: Member[] = [];
  const others: ChildNode[] = [];
  for (const node of nodes) {
    const member = memberOf(node);
    if (member?.dialect === wanted) members.push(member);
    else others.push(node);
  }
  return { members, others };
}

/** A contender whose role is known without a queue: a lone node, a lease, or a place in the queue for one (also a lease). */
export function contenderOfNode(
  node: ChildNode,
  kind: Contender['kind'],
  role: Contender['role'],
  identifier: string,
): Contender {
  const { name, path, ephemeralOwner: ownerSession, czxid, createdAt } = node;
  const contender: Contender = { name, path, kind, role, ownerSession, czxid, createdAt, identifier };
  if (node.isUnread === true) contender.isUnread = true;
  else if (role === 'holder') contender.heldSince = sinceNode(node);
  return contender;
}

/** The head watches the leases as a whole and so waits for no single node; the others watch their predecessor. */
export function semaphoreWaiters(
  queued: readonly Member[],
  identify: (node: ChildNode) => string = ({ data }) => textOf(data),
): Contender[] {
  return queued.map(({ node, sequence }, at) => {
    const before = queued[at - 1];
    const watched = before === undefined ? {} : { waitsFor: before.name };
    return { ...contenderOfNode(node, 'lease', 'waiter', identify(node)), sequence, ...watched };
  });
}
