import { parentPath } from '../../base/paths.ts';
import { isHexName, isMembershipDirectory, isNoLockName } from '../libraries/notLocks.ts';
import { patroniLeader, type SingleNodeMatch } from '../libraries/productNodes.ts';
import { leaseNodes, matchName } from '../libraries/registry.ts';
import { contenderOfNode } from '../libraries/semaphore.ts';
import { anyExclusiveNode, isLockDirectory, singleNodeByPath } from '../libraries/singleNode.ts';
import type { ChildNode, LockDirectory } from '../lockDirectory.ts';
import type { LockQueue } from '../lockQueue.ts';

/**
 * A path that is a lock itself: an ephemeral node that was opened by its path.
 *
 * @returns undefined for directories, for contenders of a queue and for members of a group
 */
export function recogniseSelf({ path, self, children }: LockDirectory): LockQueue | undefined {
  if (children.length > 0) return undefined;
  const match = singleNodeByPath(path);
  if (match !== undefined) return loneQueue(self, match);
  if (self.ephemeralOwner === 0n) return undefined;
  const directoryPath = parentPath(path);
  const isPart = matchName(self.name, { directoryPath, node: self }) !== undefined || isHexName(self.name);
  if (isPart || isMembershipDirectory(directoryPath)) return undefined;
  return isNoLockName(self.name) && !isLockDirectory(directoryPath) ? undefined : loneQueue(self, anyExclusiveNode);
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
    const queue = leaseQueue(directory.path, node) ?? loneChild(node, patroni, anyName);
    if (queue === undefined) others.push(node);
    else queues.push(queue);
  }
  return { queues, others };
}

function loneChild(node: ChildNode, patroni: boolean, anyName: boolean): LockQueue | undefined {
  const match = patroni && node.name === 'leader' ? patroniLeader : singleNodeByPath(node.path);
  if (match !== undefined) return loneQueue(node, match);
  return anyName && !isHexName(node.name) ? loneQueue(node, anyExclusiveNode) : undefined;
}

function isPatroniScope({ children }: LockDirectory): boolean {
  return ['leader', 'initialize'].every(wanted => children.some(({ name }) => name === wanted));
}

/** A lease with an end holds, and the caller's clock decides whether it has ended (`isLeaseOver`). */
function leaseQueue(path: string, node: ChildNode): LockQueue | undefined {
  const layout = leaseNodes.find(({ nodeName }) => nodeName === node.name);
  const lease = layout?.read(node);
  if (layout === undefined || lease === undefined) return undefined;
  const holder = { ...contenderOfNode(node, 'lease', 'holder', lease.identifier), ...lease };
  return { path, dialect: layout.dialect, contenders: [holder], strangers: [], hazards: [] };
}

/** @returns undefined for a node that does not hold: one without an owner is a directory or remains, unless its data says more */
function loneQueue(node: ChildNode, match: SingleNodeMatch): LockQueue | undefined {
  const { dialect, kind, identify, heldBy } = match;
  const isEphemeral = node.ephemeralOwner !== 0n;
  const held = heldBy?.(node) ?? (isEphemeral ? {} : undefined);
  if (held === undefined) return undefined;
  return {
    path: node.path,
    dialect,
    contenders: [{ ...contenderOfNode(node, kind, 'holder', identify(node)), ...held }],
    strangers: [],
    // One without an owner is shown only where its data says that it holds.
    hazards: [],
  };
}
