import { forEachInParts, type Interruptible } from '../../base/interruptible.ts';
import type { Dialect, Member, NameMatch } from '../dialect.ts';
import { queueKeyOf } from '../libraries/registry.ts';

/** What decides in which queue something is. */
export type Named = Pick<NameMatch, 'dialect' | 'rank' | 'match'>;

/** Names, or members, that see each other: one queue. */
export interface QueueGroup<N extends Named = Member> extends Named {
  members: N[];
  /** Of all members. */
  dialects: Set<Dialect>;
}

/**
 * Reads names or children and puts those together that see each other, in one pass. The most specific dialect of a group decides
 * for all.
 *
 * @returns by queue key; `others` are no contenders
 */
export function* groupByQueue<T, N extends Named>(
  all: readonly T[],
  read: (each: T) => N | undefined,
): Interruptible<{ byKey: Map<string, QueueGroup<N>>; others: T[] }> {
  const byKey = new Map<string, QueueGroup<N>>();
  const others: T[] = [];
  let last: N | undefined;
  let lastGroup: QueueGroup<N> | undefined;
  // Nearly always there is one group. A list that grows leaves twice its memory behind, so the first has room for all.
  let first: QueueGroup<N> | undefined;
  let count = 0;
  const room = new Array<N>(all.length);
  yield* forEachInParts(all, each => {
    const found = read(each);
    if (found === undefined) others.push(each);
    // Neighbours are nearly always of one queue: no key is made for each.
    else {
      if (last?.dialect !== found.dialect || last.match.queueKey !== found.match.queueKey) {
        lastGroup = groupOf(byKey, found);
        first ??= lastGroup;
        last = found;
      }
      if (lastGroup === first) room[count++] = found;
      else lastGroup?.members.push(found);
    }
  });
  room.length = count;
  if (first !== undefined) first.members = room;
  return { byKey, others };
}

function groupOf<N extends Named>(groups: Map<string, QueueGroup<N>>, each: N): QueueGroup<N> {
  const { dialect, rank, match } = each;
  const key = queueKeyOf(each);
  const group = groups.get(key) ?? { dialect, rank, match, members: [], dialects: new Set() };
  groups.set(key, group);
  group.dialects.add(dialect);
  if (rank < group.rank) Object.assign(group, { rank, dialect, match });
  return group;
}

/** What separates queues of one dialect. */
export function keyOf({ match }: Named): string {
  return match.queueKey ?? '';
}
