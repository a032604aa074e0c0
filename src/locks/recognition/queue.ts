import { forEachInParts, type Interruptible } from '../../base/interruptible.ts';
import { isMember, mutexRule } from '../dialect.ts';
import { findingHazards, hazard } from '../hazards.ts';
import { startHeldSince } from '../heldSince.ts';
import type { ChildNode } from '../lockDirectory.ts';
import type { Contender, LockQueue } from '../lockQueue.ts';
import { holderOf, waiterOf } from './contenders.ts';
import { keyOf, type QueueGroup } from './queueGroups.ts';
import { inDoubt, mixedRule, settleFailed } from './mixedQueue.ts';
import { sortEntries, type Entry } from '../order.ts';
import { startTurns, type TurnRule } from '../turn.ts';

/** A queue in the order of its library, with the rule that says whose turn it is. */
export interface QueueOrder {
  /** In grant order, with the foreign children that take a place in it. */
  entries: readonly Entry[];
  rule: TurnRule;
  /** Children that are no members but that the library sees. */
  foreign: ChildNode[];
  /** Names of children because of which every new attempt fails. */
  failing: string[];
}

/**
 * Puts the members of one queue in grant order.
 *
 * @param siblings every child of that directory; those that are no members are foreign to this queue
 */
export function* orderQueue(group: QueueGroup, siblings: readonly ChildNode[]): Interruptible<QueueOrder> {
  const { dialect } = group;
  const { rule: ownRule = mutexRule } = dialect;
  yield* settleKinds(group);
  const foreign = dialect.foreign === undefined ? [] : foreignTo(group, siblings);
  const failing = settleFailed(group, siblings);
  const counted = countedEntries(foreign, group);
  const entries: readonly Entry[] = counted.length === 0 ? group.members : [...group.members, ...counted];
  yield;
  const ordered = dialect.arrange?.([...entries]) ?? sortEntries(entries, dialect.compare, dialect.ties);
  yield;
  const hasChild = (name: string) => siblings.some(sibling => sibling.name === name);
  const rule = typeof ownRule === 'function' ? ownRule({ entries: ordered, hasChild }) : ownRule;
  return { entries: ordered, foreign, failing, rule: mixedRule(group, rule) };
}

/** Sets what only the node's data, or the rest of the queue, says about a member. */
function* settleKinds({ dialect, dialects, members }: QueueGroup): Interruptible<void> {
  const hasWriters = Array.from(dialects).some(({ writesAsExclusive }) => writesAsExclusive === true);
  const isShared = hasWriters && members.some(({ match }) => match.kind === 'read');
  yield* forEachInParts(members, member => {
    const kind = member.dialect.kindOf?.(member.node) ?? member.match.kind;
    member.kind = isShared && kind === 'exclusive' && member.dialect.writesAsExclusive === true ? 'write' : kind;
    if (dialect.isMarked !== undefined) member.marked = dialect.isMarked(member.node);
  });
}

function foreignTo({ members }: QueueGroup, siblings: readonly ChildNode[]): ChildNode[] {
  if (members.length === siblings.length) return [];
  const names = new Set(members.map(({ name }) => name));
  return siblings.filter(({ name }) => !names.has(name));
}

/** Foreign children that take a place in the library's order. They block entries that must be first, not readers. */
function countedEntries(foreign: readonly ChildNode[], group: QueueGroup): Entry[] {
  const rule = group.dialect.foreign;
  if (rule === undefined || rule.effect === 'fails') return [];
  return foreign.flatMap(({ name, czxid, ephemeralOwner }) => {
    const suffix = rule.suffixOf(name, keyOf(group));
    if (suffix === undefined) return [];
    const sequence = /^[+-]?\d{1,15}$/.test(suffix) ? Number(suffix) : 0;
    return [{ name, kind: 'read', sequence, suffix, czxid, ownerSession: ephemeralOwner }];
  });
}

/**
 * Turns the members of one queue into contenders: their order, whose turn it is, and the hazards.
 *
 * @param path the queue's directory
 * @param siblings every child of that directory; those that are no members are foreign to this queue
 * @param unchangedSince of that directory, if it is known
 */
export function* buildQueue(
  path: string,
  group: QueueGroup,
  siblings: readonly ChildNode[],
  unchangedSince?: number,
): Interruptible<LockQueue> {
  const { dialect } = group;
  const order = yield* orderQueue(group, siblings);
  const turnOf = startTurns(order.rule);
  const heldSince = startHeldSince({ ...group, rule: order.rule, unchangedSince });
  // Of its final length at once: a list that grows leaves twice its memory behind.
  const contenders = new Array<Contender>(order.entries.length);
  let count = 0;
  yield* forEachInParts(order.entries, entry => {
    const turn = turnOf(entry);
    if (isMember(entry)) contenders[count++] = turn.holds ? holderOf(entry, heldSince(entry)) : waiterOf(entry, turn);
  });
  contenders.length = count;
  const waiters = dialect.isLimitUnknown === true ? contenders.filter(({ role }) => role === 'waiter') : undefined;
  const hazards = [
    ...(yield* findingHazards(contenders, dialect)),
    ...hazard('strangers-block', blockingStrangers(order, group)),
    ...hazard('sight-unknown', inDoubt(group, contenders)),
    ...(waiters === undefined ? [] : [{ kind: 'limit-unknown' as const, names: waiters.map(({ name }) => name) }]),
  ];
  const { lockName } = group.match;
  const named = lockName === undefined ? {} : { lockName };
  return { path, ...named, dialect: dialect.id, contenders, strangers: [], hazards };
}

function blockingStrangers({ entries, foreign, failing }: QueueOrder, { dialect }: QueueGroup): string[] {
  const rule = dialect.foreign;
  if (rule?.effect === 'fails') {
    return foreign.map(node => node.name).filter(name => rule.unless?.test(name) !== true);
  }
  if (foreign.length === 0) return failing;
  const last = entries.findLastIndex(isMember);
  const before = entries.slice(0, last).flatMap(entry => (isMember(entry) ? [] : [entry.name]));
  return [...new Set([...failing, ...before])];
}
