import { isHexName } from './dialects/kazoo.ts';
import { isMembershipDirectory } from './dialects/notLocks.ts';
import { matchName } from './dialects/registry.ts';
import {
  anyExclusiveNode,
  isKraftController,
  isLockDirectory,
  kazooLeaseHolder,
  patroniLeader,
  singleNodeByPath,
  type SingleNodeMatch,
} from './dialects/singleNode.ts';
import type { ChildNode, LockDirectory } from './lockDirectory.ts';
import { leaseEnd } from './leaseEnd.ts';
import type { Contender, DialectId, LockQueue } from './lockQueue.ts';
import { parentPath } from '../base/paths.ts';

/**
 * A path that is a lock itself: an ephemeral node that was opened by its path.
 *
 * @returns undefined for directories, for contenders of a queue and for members of a group
 */
export function recogniseSelf({ path, self, children }: LockDirectory): LockQueue | undefined {
  if (children.length > 0) return undefined;
  const match = singleNodeByPath(path);
  if (match !== undefined) return isHeld(self, match) ? loneQueue(self, path, match) : undefined;
  if (self.ephemeralOwner === 0n) return undefined;
  const directoryPath = parentPath(path);
  const isPart = matchName(self.name, { directoryPath, node: self }) !== undefined || isHexName(self.name);
  return isPart || isMembershipDirectory(directoryPath) ? undefined : loneQueue(self, path, anyExclusiveNode);
}

/**
 * Children that are locks each by itself: known by name, or ephemeral in a directory of locks.
 *
 * @param hasQueue the directory has a queue: then an unknown child is a stranger in it, not a lock of its own
 */
export function recogniseLoneNodes(
  directory: LockDirectory,
  candidates: readonly ChildNode[],
  hasQueue: boolean,
): { queues: LockQueue[]; others: ChildNode[] } {
  const queues: LockQueue[] = [];
  const others: ChildNode[] = [];
  const patroni = candidates.length > 0 && isPatroniScope(directory);
  const anyName = !hasQueue && isLockDirectory(directory.path);
  for (const node of candidates) {
    const queue = kazooLease(directory.path, node) ?? loneChild(node, patroni, anyName);
    if (queue === undefined) others.push(node);
    else queues.push(queue);
  }
  return { queues, others };
}

function loneChild(node: ChildNode, patroni: boolean, anyName: boolean): LockQueue | undefined {
  const match = patroni && node.name === 'leader' ? patroniLeader : singleNodeByPath(node.path);
  if (match !== undefined) return isHeld(node, match) ? loneQueue(node, node.path, match) : undefined;
  if (!anyName || node.ephemeralOwner === 0n || isHexName(node.name)) return undefined;
  return loneQueue(node, node.path, anyExclusiveNode);
}

/** Persistent nodes of these names are directories or remains, except a controller that KRaft has taken over. */
function isHeld(node: ChildNode, match: SingleNodeMatch): boolean {
  return node.ephemeralOwner !== 0n || (match.dialect === 'kafka-controller' && isKraftController(node));
}

function isPatroniScope({ children }: LockDirectory): boolean {
  return ['leader', 'initialize'].every(wanted => children.some(({ name }) => name === wanted));
}

/** The node's JSON says until when it holds; whether that is over is the reader's clock to say, so it is a holder with an end. */
function kazooLease(path: string, node: ChildNode): LockQueue | undefined {
  if (node.name !== 'lease_holder') return undefined;
  const holder = kazooLeaseHolder(node);
  if (holder === undefined) return undefined;
  const end = leaseEnd(node.data);
  const contender = { ...loneContender(node, 'lease', holder), ...(end === undefined ? {} : { leaseEndsAt: end }) };
  return queueOf(path, 'kazoo-lease', contender, false);
}

function loneQueue(node: ChildNode, path: string, match: SingleNodeMatch): LockQueue {
  const kind = match.dialect === 'exclusive-node' ? 'exclusive' : 'candidate';
  return queueOf(path, match.dialect, loneContender(node, kind, match.identify(node)), true);
}

function queueOf(path: string, dialect: DialectId, holder: Contender, expectsSession: boolean): LockQueue {
  const orphaned = expectsSession && holder.ownerSession === 0n;
  return {
    path,
    dialect,
    contenders: [holder],
    strangers: [],
    hazards: orphaned ? [{ kind: 'not-ephemeral', names: [holder.name] }] : [],
  };
}

function loneContender(node: ChildNode, kind: Contender['kind'], identifier: string): Contender {
  const { name, path, ephemeralOwner, czxid, createdAt } = node;
  return { name, path, kind, role: 'holder', ownerSession: ephemeralOwner, czxid, createdAt, identifier };
}
