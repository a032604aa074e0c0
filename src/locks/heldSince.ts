import type { Dialect, Member } from './dialect.ts';
import type { ChildNode, LockDirectory } from './lockDirectory.ts';
import type { Contender, HeldSince } from './lockQueue.ts';
import type { TurnRule } from './turn.ts';

// Since when a holder holds. The tree stores when a node was created, which is when its contender queued; no node stores when its
// turn came. What the tree proves, all by the server's clock:
//
// - A parent's pzxid is the transaction in which a child last came or went. If it is the czxid of a child, the last change was that
//   child's creation, and the holders of now held then: the turn depends on the children alone. Later data do not change the pzxid.
// - If that child is the holder itself, it holds since it was created.
// - The number of a name counts all children that the directory ever had: number 0 found the directory empty.
// - A node that is made only when its owner holds (single nodes, kazoo's leases) holds since it was created.
// - Where data mark the holder, the node's mtime is the last moment at which that can have changed.
//
// Nothing is proven by a deletion: the transaction has no time, and it may have been a waiter that left.

/** When the children of a directory became what they are now, epoch ms of the server's clock; `undefined`: the tree does not show it. */
export function unchangedSince({ path, children, lastChanges }: LockDirectory): number | undefined {
  return lastJoin(children, lastChanges?.get(path));
}

/**
 * When the last change of a directory was, if a child came.
 *
 * @param pzxid of the directory, read with the list of its children or after it: an older one may hide a deletion
 * @returns epoch ms of the server's clock; `undefined` if a child went, or if nothing is known
 */
export function lastJoin(children: readonly ChildNode[], pzxid: bigint | undefined): number | undefined {
  if (pzxid === undefined) return undefined;
  // The newest is mostly the last of the list.
  return children.findLast(({ czxid }) => czxid === pzxid)?.createdAt;
}

/** For a holder whose node is made only when it holds. */
export function sinceCreation({ createdAt }: Pick<ChildNode, 'createdAt'>): HeldSince {
  return { earliest: createdAt, latest: createdAt };
}

/**
 * For a holder that is known by its node alone. A session owns its node from the creation on; data of a node that outlives its
 * owners may have named another one until they were written last.
 */
export function sinceNode(node: ChildNode): HeldSince {
  const { ephemeralOwner, createdAt, modifiedAt } = node;
  if (ephemeralOwner !== 0n) return sinceCreation(node);
  return modifiedAt === undefined ? { earliest: createdAt } : until(createdAt, modifiedAt);
}

/** For a holder whose own data say that it holds: the last writing of them is the latest moment, a single one the very moment. */
export function sinceData({ createdAt, modifiedAt, version }: ChildNode): HeldSince {
  if (modifiedAt === undefined) return { earliest: createdAt };
  return version > 1 ? { earliest: createdAt, latest: modifiedAt } : { earliest: modifiedAt, latest: modifiedAt };
}

type Held = Pick<Member, 'node' | 'sequence'>;

/** What is known of a queue besides the holder's own node. */
export interface QueueTimes {
  rule: TurnRule;
  dialect: Pick<Dialect, 'id' | 'kindOf'>;
  members: readonly Held[];
  /** Of the directory: see `unchangedSince`. */
  unchangedSince: number | undefined;
}

/** Says of each holder of a queue in one directory since when it holds. */
export function startHeldSince(times: QueueTimes): (holder: Held) => HeldSince {
  const { rule } = times;
  if (rule.type === 'marked') return ({ node }) => sinceData(node);
  // Leases without the queue that guards their making: one of them may still wait.
  if (rule.type === 'everyone') return ({ node: { createdAt } }) => ({ earliest: createdAt });
  const settled = settledAt(times);
  const isFirstAtOnce = holdsWhenAlone(times);
  return ({ node, sequence }) => {
    if (sequence === 0 && isFirstAtOnce) return sinceCreation(node);
    return settled === undefined ? { earliest: node.createdAt } : until(node.createdAt, settled);
  };
}

/**
 * Whether the first child that a directory ever had holds at once, by its number 0. Of an unknown library, the number may be its own
 * choice.
 */
function holdsWhenAlone({ rule, dialect }: QueueTimes): boolean {
  const isConfirmedLater = rule.type === 'mutex' && rule.headUnconfirmed !== undefined;
  return dialect.kindOf === undefined && dialect.id !== 'generic' && !isConfirmedLater;
}

/** Since when all that decides the turns is as it is now: the children, and their data where those count. */
function settledAt({ dialect, members, unchangedSince: settled }: QueueTimes): number | undefined {
  if (settled === undefined || dialect.kindOf === undefined) return settled;
  let latest = settled;
  for (const { node } of members) {
    if (node.modifiedAt === undefined) return undefined;
    latest = Math.max(latest, node.modifiedAt);
  }
  return latest;
}

/** Clocks of leaders differ: a later transaction may carry an earlier time. */
function until(earliest: number, latest: number): HeldSince {
  return { earliest, latest: Math.max(earliest, latest) };
}

/**
 * Since when a lease of a semaphore holds whose leases are made one after the other, under a lock, and may then wait for a place
 * (Curator): its own creation is the earliest. By the creation of the next lease it held, since its maker had given up the lock by
 * then. Besides, all hold since leases and lock are both unchanged: the limit may be raised while both stay the same.
 *
 * @param next the oldest of the leases that are younger, held or not
 * @param settled since when both directories are unchanged, if that is known
 */
export function leaseSince(
  lease: Pick<ChildNode, 'createdAt'>,
  next: Pick<ChildNode, 'createdAt'> | undefined,
  settled: number | undefined,
): HeldSince {
  const earliest = lease.createdAt;
  const bounds = [next?.createdAt, settled].filter(bound => bound !== undefined);
  return bounds.length === 0 ? { earliest } : until(earliest, Math.min(...bounds));
}

/** Both intervals are right, so both together are: for what was read at different times. */
export function narrowed(one: HeldSince, other: HeldSince): HeldSince {
  const earliest = Math.max(one.earliest, other.earliest);
  const latest = Math.min(one.latest ?? Infinity, other.latest ?? Infinity);
  if (latest === Infinity) return { earliest };
  // By different clocks they may just miss each other.
  return earliest <= latest ? { earliest, latest } : { earliest: latest, latest };
}

/**
 * For how long a holder has held, at least and at most, ms. Without any knowledge it may have begun just now.
 *
 * @param now epoch ms of the server's clock
 */
export function heldFor(
  { heldSince, createdAt }: Pick<Contender, 'heldSince' | 'createdAt'>,
  now: number,
): { least: number; most: number } {
  const { earliest = createdAt, latest = now } = heldSince ?? {};
  return { least: Math.max(0, now - latest), most: Math.max(0, now - earliest) };
}
