import { sortEntries, type Dialect, type Entry } from './dialects/dialect.ts';
import type { NameMatch } from './dialects/registry.ts';
import type { ChildNode } from './lockDirectory.ts';
import type { TurnRule } from './turn.ts';

/** A child that a dialect knows. */
export interface KnownChild {
  node: ChildNode;
  found: NameMatch;
}

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
  const names = new Set(queue.members.map(({ node }) => node.name));
  const isShared = queue.members.some(({ found }) => found.match.kind === 'read');
  const own = queue.members.map(member => entryOf(member, dialect, isShared));
  const foreign = dialect.foreign.effect === 'ignored' ? [] : siblings.filter(({ name }) => !names.has(name));
  const ordered = arrange([...own, ...countedEntries(foreign, queue)], dialect);
  const hasChild = (name: string) => siblings.some(sibling => sibling.name === name);
  const rule = typeof dialect.rule === 'function' ? dialect.rule({ entries: ordered, hasChild }) : dialect.rule;
  return { ordered, foreign, rule };
}

function arrange(entries: Entry[], dialect: Dialect): Entry[] {
  return dialect.arrange?.(entries) ?? sortEntries(entries, dialect.compare);
}

function entryOf({ node, found }: KnownChild, dialect: Dialect, shared: boolean): Entry {
  const { match, reading } = found;
  const kind = found.dialect.kindOf?.(node) ?? match.kind;
  const entry: Entry = {
    name: node.name,
    // A lock that is also read is a write lock by another name (kazoo writes both the same).
    kind: shared && dialect.id === 'kazoo' && kind === 'exclusive' ? 'write' : kind,
    sequence: reading.sequence,
    suffix: reading.suffix,
    czxid: node.czxid,
    ownerSession: node.ephemeralOwner,
  };
  if (match.client !== undefined) entry.client = match.client;
  if (match.blocksNobody === true) entry.blocksNobody = true;
  if (dialect.isMarked !== undefined) entry.marked = dialect.isMarked(node);
  return entry;
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
