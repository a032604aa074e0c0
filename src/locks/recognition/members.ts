import type { Interruptible } from '../../base/interruptible.ts';
import { compareText } from '../order.ts';
import type { Member, NameMatch } from '../dialect.ts';
import { curatorNamed, isProtected } from '../libraries/curator.ts';
import { generic } from '../libraries/generic.ts';
import { matchName } from '../libraries/registry.ts';
import type { ChildNode } from '../lockDirectory.ts';
import { nodeText, shorten } from '../nodeData.ts';
import { readSequence } from '../sequence.ts';
import { joinCountedQueues } from './mixedQueue.ts';
import { groupByQueue, keyOf, type QueueGroup } from './queueGroups.ts';

/**
 * Finds what a child is, by its name and what was read of it. That is done once and kept with the node: a node that was read again
 * is another object, so what is kept is never out of date. (A map from nodes would cost more than it saves.)
 *
 * @param directoryPath where the node lies
 * @returns undefined when no dialect recognises the name
 */
export function memberOf(directoryPath: string, node: ChildNode): Member | undefined {
  // A copy of a node is another node.
  if (node.member?.node === node) return node.member as Member;
  const found = matchName(node.name, { directoryPath, node });
  if (found === undefined) return undefined;
  const member = toMember(node, found);
  node.member = member;
  identifierOf(member);
  return member;
}

/** A child of which only the name has been worked out yet. */
export function toMember(node: ChildNode, found: NameMatch): Member {
  const member: Member = new NamedMember(node, found);
  const { client, isNeverWaitedFor } = found.match;
  if (client !== undefined) member.client = client;
  if (isNeverWaitedFor === true) member.isNeverWaitedFor = true;
  return member;
}

/** What the node or its name says already is not kept twice: a queue has up to 100,000 members. */
class NamedMember implements Member {
  readonly node: ChildNode;
  kind: Member['kind'];
  readonly sequence: number;
  private readonly suffixLength: number;
  readonly dialect: Member['dialect'];
  readonly rank: number;
  readonly match: Member['match'];
  identifier: string | undefined;
  contender: Member['contender'];

  constructor(node: ChildNode, { dialect, rank, match, reading }: NameMatch) {
    this.node = node;
    this.kind = match.kind;
    this.sequence = reading.sequence;
    this.suffixLength = reading.suffix.length;
    this.dialect = dialect;
    this.rank = rank;
    this.match = match;
    this.identifier = undefined;
    this.contender = undefined;
  }

  get name(): string {
    return this.node.name;
  }

  get suffix(): string {
    const { name } = this.node;
    return name.slice(name.length - this.suffixLength);
  }

  get czxid(): bigint {
    return this.node.czxid;
  }

  get ownerSession(): bigint {
    return this.node.ephemeralOwner;
  }
}

/** Who, from the node's data or its name; '' if neither holds an identifier. */
export function identifierOf(member: Member): string {
  const { node, dialect, match } = member;
  member.identifier ??= (dialect.identify?.(node) ?? nodeText(node)) || shorten(match.identifier ?? '');
  return member.identifier;
}

/**
 * Finds the contenders among the children of a directory and groups them by queue.
 *
 * @returns queues by dialect (most specific first), then by lock name; `others` are no contenders
 */
export function* groupChildren(
  directoryPath: string,
  children: readonly ChildNode[],
): Interruptible<{ groups: QueueGroup[]; others: ChildNode[] }> {
  const { byKey, others } = yield* groupByQueue(children, node => memberOf(directoryPath, node));
  settleSigns(byKey);
  dropProbes(byKey, others);
  joinCountedQueues(byKey);
  const groups = Array.from(byKey.values());
  groups.sort((a, b) => a.rank - b.rank || compareText(keyOf(a), keyOf(b)));
  return { groups, others };
}

/** `p-2147483647` belongs to `p` as a negative number if others use the prefix `p`; alone it is `p-` and positive. */
function settleSigns(groups: Map<string, QueueGroup>): void {
  for (const [key, group] of groups) {
    if (group.dialect !== generic || !keyOf(group).endsWith('-')) continue;
    const unsigned = groups.get(key.slice(0, -1));
    if (unsigned === undefined) continue;
    group.members = group.members.filter(member => {
      const negative = readSequence(member.name).find(reading => reading.stem === keyOf(unsigned));
      if (negative === undefined) return true;
      const { node, dialect, rank, match } = member;
      unsigned.members.push(toMember(node, { dialect, rank, match, reading: negative }));
      return false;
    });
    if (group.members.length === 0) groups.delete(key);
  }
}

/** Beside Curator's own recipes a protected node with another name is no lock: Spring Integration's connection probe. */
function dropProbes(groups: Map<string, QueueGroup>, others: ChildNode[]): void {
  const isCurator = (group: QueueGroup): boolean =>
    group.dialect !== curatorNamed &&
    group.members.some(({ name, suffix }) => isProtected(name.slice(0, -suffix.length)));
  const all = Array.from(groups.values());
  if (!all.some(group => group.dialect === curatorNamed) || !all.some(isCurator)) return;
  for (const [key, group] of groups) {
    if (group.dialect !== curatorNamed) continue;
    for (const { node } of group.members) others.push(node);
    groups.delete(key);
  }
}
