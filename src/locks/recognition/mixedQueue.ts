import { isMember, mutexRule, type Dialect, type Member } from '../dialect.ts';
import { goNumberOf, goZookeeper } from '../libraries/clientLibraries.ts';
import { curatorMutex } from '../libraries/curator.ts';
import { kazoo } from '../libraries/kazoo.ts';
import type { ChildNode } from '../lockDirectory.ts';
import type { Contender } from '../lockQueue.ts';
import type { Entry } from '../order.ts';
import type { Side, TurnRule } from '../turn.ts';
import type { Named, QueueGroup } from './queueGroups.ts';

// Libraries that share a queue without the same rule (docs/dialects.md, section 3.1). go-zookeeper counts every child that has a
// number, kazoo's contenders too. kazoo counts those of others only where its program names them (`extra_lock_patterns`), which the
// tree does not show: its contenders are shown as if it did, and those that hold if it does not are in doubt.

/** Puts kazoo's contenders into go-zookeeper's queue. Where Curator stands beside them, which counts both in its own way, all stay apart. */
export function joinCountedQueues<N extends Named>(groups: Map<string, QueueGroup<N>>): void {
  if (groups.size < 2) return;
  const all = Array.from(groups);
  const go = all.find(([, { dialects }]) => dialects.has(goZookeeper))?.[1];
  const beside = all.find(([, { dialect }]) => dialect === kazoo);
  if (go === undefined || beside === undefined || go.dialects.has(curatorMutex)) return;
  const [key, { members }] = beside;
  for (const member of members) go.members.push(member);
  go.dialects.add(kazoo);
  groups.delete(key);
}

/** The rule of a group in which each library goes by its own, where that differs from the rule of the group. */
export function mixedRule({ dialects }: Pick<QueueGroup, 'dialects'>, rule: TurnRule): TurnRule {
  if (dialects.size < 2 || !dialects.has(goZookeeper)) return rule;
  const own = (dialect: Dialect) => (entry: Entry) => isMember(entry) && entry.dialect === dialect;
  const sides: Side[] = [{ rule: ruleOf(goZookeeper), isOwn: own(goZookeeper), sees: hasGoNumber }];
  if (dialects.has(kazoo)) sides.push({ rule: ruleOf(kazoo), isOwn: own(kazoo), sees: isMember, mayMissOthers: true });
  return { type: 'mixed', sides: [...sides, { rule: mutexRule, isOwn: () => true, sees: () => true }] };
}

function hasGoNumber({ name }: Entry): boolean {
  return goNumberOf(name) !== undefined;
}

function ruleOf({ rule }: Dialect): TurnRule {
  return typeof rule === 'object' ? rule : mutexRule;
}

/** @returns the names of kazoo's contenders that may hold: if they do not count those of go-zookeeper */
export function inDoubt({ dialects }: Pick<QueueGroup, 'dialects'>, contenders: readonly Contender[]): string[] {
  if (!dialects.has(goZookeeper) || !dialects.has(kazoo)) return [];
  return contenders.filter(({ mayHold }) => mayHold === true).map(({ name }) => name);
}

/**
 * Finds the children because of which every attempt of go-zookeeper fails, and marks the contenders that have failed already: they
 * listed the children after they were created. One that is older may hold.
 *
 * @returns their names
 */
export function settleFailed({ dialects, members }: QueueGroup, siblings: readonly ChildNode[]): string[] {
  if (!dialects.has(goZookeeper)) return [];
  const failing =
    members.length === siblings.length ? [] : siblings.filter(({ name }) => goNumberOf(name) === undefined);
  const [first] = failing
    .filter(({ isUnread }) => isUnread !== true)
    .map(({ czxid }) => czxid)
    .sort(byValue);
  for (const member of members) if (member.dialect === goZookeeper) setFailed(member, first);
  return failing.map(({ name }) => name);
}

function setFailed(member: Member, since: bigint | undefined): void {
  const hasFailed = since !== undefined && member.czxid > since;
  if (hasFailed || member.hasFailed === true) member.hasFailed = hasFailed;
}

function byValue(one: bigint, other: bigint): number {
  return one < other ? -1 : 1;
}
