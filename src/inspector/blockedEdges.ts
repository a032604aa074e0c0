import type { WaitEdge, WaiterId, WaitPlace, WaitQueue } from './waitForGraph.ts';

/** What is left of a queue when everybody who can go on has gone. */
export interface BlockedQueue {
  queue: WaitQueue;
  isBlocked: (id: WaiterId) => boolean;
  /** Whether the wait of the place at this index has an end. */
  ends: (at: number) => boolean;
}

/**
 * The edges of a queue among those who are blocked for ever: from each of their waits without end to those before it that are
 * blocked too.
 *
 * Not all of them: each waiter gets an edge to the first blocked holder, and to everybody between itself and the nearest waiter
 * before it whose own edges lead on to the rest. What can be reached is the same as with all edges, and a queue of n waiters
 * gives in the order of n edges instead of n².
 */
export function blockedEdges({ queue, isBlocked, ends }: BlockedQueue): WaitEdge[] {
  const edges: WaitEdge[] = [];
  const blocked = [...queue.places.entries()]
    .filter(([, { id }]) => isBlocked(id))
    .map(([at, place]) => ({ at, place }));
  const holders = blocked.filter(({ place }) => place.contender.role === 'holder');
  for (const [index, { at, place }] of blocked.entries()) {
    if (!place.waits || ends(at)) continue;
    const holder = holders.find(other => other.at < at && blocks(other.place, place))?.place;
    const blockers = new Set(holder === undefined ? [] : [holder]);
    for (const before of nearest(blocked, index, ends)) blockers.add(before);
    for (const { id, contender } of blockers) {
      edges.push({ from: place.id, to: id, lock: queue.lock, waiter: place.contender, blocker: contender });
    }
  }
  return edges;
}

interface Indexed {
  at: number;
  place: WaitPlace;
}

/** Walks back from a waiter to the nearest one that leads on to all the rest. */
function nearest(blocked: readonly Indexed[], index: number, ends: (at: number) => boolean): WaitPlace[] {
  const found: WaitPlace[] = [];
  const waiter = blocked[index]?.place;
  if (waiter === undefined) return found;
  for (let before = index - 1; before >= 0; before--) {
    const other = blocked[before];
    if (other === undefined || !blocks(other.place, waiter)) continue;
    found.push(other.place);
    if (leadsOn(other.place, waiter) && !ends(other.at)) break;
  }
  return found;
}

function blocks(blocker: WaitPlace, waiter: WaitPlace): boolean {
  if (blocker.id === waiter.id) return false;
  return waiter.contender.kind === 'read' ? blocker.blocksReaders : blocker.blocksAnybody;
}

/** Whether this waiter waits for everybody the other one waits for: a reader does not wait for readers before it. */
function leadsOn(before: WaitPlace, waiter: WaitPlace): boolean {
  if (!before.waits) return false;
  return before.contender.kind !== 'read' || waiter.contender.kind === 'read';
}
