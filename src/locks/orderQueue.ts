import type { Dialect, Entry, KnownChild } from './dialects/dialect.ts';
import type { ChildNode } from './lockDirectory.ts';
import { sortEntries } from './sortEntries.ts';
import type { TurnRule } from './turn.ts';

/** Children of one directory that see each other. */
export interface QueueMembers {
  dialect: Dialect;
  rank: number;
  queueKey: string;
  lockName: string | undefined;
  members: KnownChild[];
}

/** A queue as its library sees it. */
export interface OrderedQueue {
  /** In grant order, with the foreign children that take a place in it. */
  ordered: Entry[];
  /** Children that are no members but may matter to the library. */
  foreign: ChildNode[];
  rule: TurnRule;
}

/**
 * Puts the members of one queue in grant order.
 *
 * @param siblings every child of that directory; those that are no members are foreign to this queue
 */
export function orderQueue(queue: QueueMembers, siblings: readonly ChildNode[]): OrderedQueue {
  const { dialect } = queue;
  settleKinds(queue);
  const foreign = dialect.foreign.effect === 'ignored' ? [] : foreignTo(queue, siblings);
  const entries: Entry[] = [...queue.members, ...countedEntries(foreign, queue)];
  const ordered = dialect.arrange?.(entries) ?? sortEntries(entries, dialect.compare);
  const hasChild = (name: string) => siblings.some(sibling => sibling.name === name);
  const rule = typeof dialect.rule === 'function' ? dialect.rule({ entries: ordered, hasChild }) : dialect.rule;
  return { ordered, foreign, rule };
}

/** What only the node's data, or the rest of the queue, says about a member. */
function settleKinds({ dialect, members }: QueueMembers): void {
  // A lock that is also read is a write lock by another name (kazoo writes both the same).
  const isShared = dialect.id === 'kazoo' && members.some(({ match }) => match.kind === 'read');
  members.forEach(child => {
    child.kind = kindOf(child, isShared);
    if (dialect.isMarked !== undefined) child.marked = dialect.isMarked(child.node);
  });
}

function kindOf({ node, dialect, match }: KnownChild, isShared: boolean): Entry['kind'] {
  const kind = dialect.kindOf?.(node) ?? match.kind;
  return isShared && kind === 'exclusive' ? 'write' : kind;
}

/** The children of the directory that are no members. */
function foreignTo({ members }: QueueMembers, siblings: readonly ChildNode[]): ChildNode[] {
  if (members.length === siblings.length) return [];
  const names = new Set(members.map(({ name }) => name));
  return siblings.filter(({ name }) => !names.has(name));
}

/** Foreign children that take a place in the library's order. They block whoever must be first, not readers. */
function countedEntries(foreign: readonly ChildNode[], queue: QueueMembers): Entry[] {
  const rule = queue.dialect.foreign;
  if (rule.effect !== 'counted') return [];
  return foreign.map(node => {
    const suffix = rule.suffixOf(node.name, queue.queueKey);
    const sequence = /^-?\d{1,15}$/.test(suffix) ? Number(suffix) : 0;
    return { name: node.name, kind: 'read', sequence, suffix, czxid: node.czxid, ownerSession: node.ephemeralOwner };
  });
}
