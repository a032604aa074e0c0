import { namedLock } from './dialects/namedLock.ts';
import { generic } from './dialects/generic.ts';
import { newlyKnown, type KnownChild, type NameMatch } from './dialects/dialect.ts';
import { matchName, queueKeyOf } from './dialects/registry.ts';
import type { ChildNode } from './lockDirectory.ts';
import { namedOnly } from './namedOnly.ts';
import { orderQueue } from './orderQueue.ts';
import type { TurnContender, TurnRule } from './turn.ts';

/** Where Curator's semaphores at a path keep their leases. */
const CURATOR_LEASES = 'leases';

/** The queue that one contender is in, as far as names tell. */
export interface NamedQueue {
  /** In grant order, with foreign children that take a place in it. */
  contenders: readonly TurnContender[];
  rule: TurnRule;
  /** A newcomer may be sorted in front of those who wait already: list again before deciding. */
  allowsOvertaking: boolean;
  /**
   * Contenders of other libraries in the same directory which this one's would not see, or which would not see it; and the
   * directory of a semaphore's leases, whose holders see nothing beside it.
   */
  contradictions: readonly string[];
}

/**
 * Reads a listing the way the library does that made `ownName`: what a recipe needs to know whose turn it is.
 *
 * @returns `undefined` if `ownName` is not in the listing, or is no contender's name
 */
export function queueOfNames(directoryPath: string, names: readonly string[], ownName: string): NamedQueue | undefined {
  const own = names.includes(ownName) ? matchName(ownName, { directoryPath }) : undefined;
  if (own === undefined) return undefined;
  const ownKey = queueKeyOf(own);
  const members: KnownChild[] = [];
  const contradictions: string[] = [];
  const siblings: ChildNode[] = [];
  for (const name of names) {
    const node = namedOnly(directoryPath, name);
    siblings.push(node);
    const found = matchName(name, { directoryPath });
    if (found === undefined) {
      if (name === CURATOR_LEASES) contradictions.push(name);
      continue;
    }
    if (queueKeyOf(found) === ownKey) members.push(newlyKnown(node, found));
    else if (contradicts(own, found)) contradictions.push(name);
  }
  const { dialect, rank, match } = own;
  const queue = { dialect, rank, queueKey: match.queueKey ?? '', lockName: match.lockName, members };
  const { ordered, rule } = orderQueue(queue, siblings);
  return { contenders: ordered, rule, allowsOvertaking: dialect.sharesNumber !== undefined, contradictions };
}

/** Named locks share a directory on purpose, and a number at the end of a name alone makes no lock. */
function contradicts(own: NameMatch, other: NameMatch): boolean {
  if (other.dialect === generic) return false;
  return !(own.dialect === namedLock && other.dialect === namedLock);
}
