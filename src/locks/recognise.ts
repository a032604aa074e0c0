import { buildQueue } from './buildQueue.ts';
import type { QueueMembers } from './orderQueue.ts';
import { recogniseCuratorSemaphore } from './curatorSemaphore.ts';
import { generic } from './dialects/generic.ts';
import { groupChildren } from './groupChildren.ts';
import { hazard } from './hazards.ts';
import { recogniseKazooSemaphore } from './kazooSemaphore.ts';
import type { LockDirectory } from './lockDirectory.ts';
import type { LockQueue } from './lockQueue.ts';
import { recogniseLoneNodes, recogniseSelf } from './loneNodes.ts';

/**
 * Says what locks a directory holds, from what was read of it. Pure, synchronous and total: foreign names and data never
 * throw.
 *
 * A directory may hold several queues: named locks, single-node locks, dialects that do not see each other. When any queue is
 * returned, every child is in exactly one place: a contender, or a stranger of the first queue (in a semaphore of two
 * directories strangers are named relative to its path; `locks` and `leases` themselves are its parts, not strangers).
 * A directory without a contender gives [], an empty one too, except a semaphore whose layout is known even when empty.
 *
 * What is worked out is kept with the nodes: when they are looked at again among others, contenders that did not change are the
 * same objects.
 *
 * @returns most specific dialect first, named locks by name; `[]` when nothing is recognised
 */
export function recogniseQueues(directory: LockDirectory): LockQueue[] {
  const self = recogniseSelf(directory);
  if (self !== undefined) return [self];
  const semaphore = recogniseCuratorSemaphore(directory) ?? recogniseKazooSemaphore(directory);
  const rest =
    semaphore === undefined
      ? directory.children
      : directory.children.filter(({ name }) => !semaphore.claimed.has(name));
  const { queues: found, others } = groupChildren(directory.path, rest);
  const sequenced = found.map(members => buildQueue(directory.path, members, directory.children));
  addMixedHazards(found, sequenced);
  addDoubtfulNames(found, sequenced);
  const lone = recogniseLoneNodes(directory, others, sequenced.length > 0);
  const queues = [...(semaphore === undefined ? [] : [semaphore.queue]), ...sequenced, ...lone.queues];
  const strangers = lone.others.map(({ name }) => name);
  return queues.map((queue, at) => (at === 0 ? { ...queue, strangers: [...queue.strangers, ...strangers] } : queue));
}

/** Tells each queue about the contenders next to it that its library does not see. Named locks are apart on purpose. */
function addMixedHazards(members: readonly QueueMembers[], queues: readonly LockQueue[]): void {
  if (members.length < 2) return;
  const kinds = new Map<string, string[]>();
  const kindOf = (of: QueueMembers) => (of.lockName === undefined ? `${of.rank}\n${of.queueKey}` : String(of.rank));
  for (const each of members) {
    const names = kinds.get(kindOf(each)) ?? [];
    for (const { node } of each.members) names.push(node.name);
    kinds.set(kindOf(each), names);
  }
  if (kinds.size < 2) return;
  const others = new Map(
    Array.from(kinds.keys(), kind => [kind, Array.from(kinds, ([key, names]) => (key === kind ? [] : names)).flat()]),
  );
  for (const [at, each] of members.entries()) {
    queues[at]?.hazards.push(...hazard('mixed-dialects', others.get(kindOf(each)) ?? []));
  }
}

/** Of a library that nobody knows, what stands before the number may be the lock's name or the client's. */
function addDoubtfulNames(members: readonly QueueMembers[], queues: readonly LockQueue[]): void {
  const isDoubtful = ({ dialect, lockName }: QueueMembers) => dialect === generic && lockName !== undefined;
  if (members.filter(isDoubtful).length < 2) return;
  for (const [at, each] of members.entries()) {
    if (!isDoubtful(each)) continue;
    queues[at]?.hazards.push(
      ...hazard(
        'one-lock-or-several',
        each.members.map(({ name }) => name),
      ),
    );
  }
}
