import { knownChild } from './knownChild.ts';
import type { QueueMembers } from './orderQueue.ts';
import { curatorNamed, unprotected } from './dialects/curator.ts';
import { compareText, newlyKnown, type KnownChild } from './dialects/dialect.ts';
import { generic } from './dialects/generic.ts';
import { isSameQueue, queueKeyOf } from './dialects/registry.ts';
import type { ChildNode } from './lockDirectory.ts';
import { readSequence } from './sequence.ts';

/** The children of a directory by queue; `others` fit no dialect. */
export interface Groups {
  queues: QueueMembers[];
  others: ChildNode[];
}

/**
 * Matches every child and puts those together that see each other.
 *
 * @returns queues by dialect (most specific first), then by lock name
 */
export function groupChildren(directoryPath: string, children: readonly ChildNode[]): Groups {
  const groups = new Map<string, QueueMembers>();
  const others: ChildNode[] = [];
  let last: KnownChild | undefined;
  let lastGroup: QueueMembers | undefined;
  children.forEach(node => {
    const child = knownChild(directoryPath, node);
    if (child === undefined) others.push(node);
    // Neighbours are nearly always of one queue: no key is made for each.
    else if (last !== undefined && isSameQueue(last, child)) lastGroup?.members.push(child);
    else {
      lastGroup = addTo(groups, child);
      last = child;
    }
  });
  settleSigns(groups);
  dropProbes(groups, others);
  const queues = Array.from(groups.values());
  queues.sort((a, b) => a.rank - b.rank || compareText(a.queueKey, b.queueKey));
  return { queues, others };
}

function addTo(groups: Map<string, QueueMembers>, child: KnownChild): QueueMembers {
  const { dialect, rank, match } = child;
  const key = queueKeyOf(child);
  const { lockName } = match;
  const group = groups.get(key) ?? { dialect, rank, queueKey: match.queueKey ?? '', lockName, members: [] };
  groups.set(key, group);
  group.members.push(child);
  if (rank < group.rank) Object.assign(group, { rank, dialect, lockName });
  return group;
}

/** `p-2147483647` belongs to `p` as a negative number if others use the prefix `p`; alone it is `p-` and positive. */
function settleSigns(groups: Map<string, QueueMembers>): void {
  for (const [key, group] of groups) {
    if (group.dialect !== generic || !group.queueKey.endsWith('-')) continue;
    const unsigned = groups.get(key.slice(0, -1));
    if (unsigned === undefined) continue;
    group.members = group.members.filter(child => {
      const negative = readSequence(child.name).find(reading => reading.stem === unsigned.queueKey);
      if (negative === undefined) return true;
      unsigned.members.push(newlyKnown(child.node, { ...child, reading: negative }));
      return false;
    });
    if (group.members.length === 0) groups.delete(key);
  }
}

/** Beside Curator's own recipes a protected node with another name is no lock: Spring Integration's connection probe. */
function dropProbes(groups: Map<string, QueueMembers>, others: ChildNode[]): void {
  const isCurator = (group: QueueMembers) =>
    group.dialect !== curatorNamed &&
    group.members.some(({ name, suffix }) => unprotected(name.slice(0, -suffix.length)) !== undefined);
  const all = Array.from(groups.values());
  if (!all.some(group => group.dialect === curatorNamed) || !all.some(isCurator)) return;
  for (const [key, group] of groups) {
    if (group.dialect !== curatorNamed) continue;
    for (const { node } of group.members) others.push(node);
    groups.delete(key);
  }
}
