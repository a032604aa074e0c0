import { displayText } from '../base/displayText.ts';
import { sessionText } from '../base/sessionText.ts';
import type { Contender, LockQueue } from '../locks/lockQueue.ts';
import type { AttemptState } from './attempt.ts';
import type { ScenarioRecipe } from './scenario.ts';

/** An attempt of a session as the recipe itself sees it. */
export interface Attempted {
  readonly recipe: ScenarioRecipe['name'];
  readonly paths: readonly string[];
  readonly state: AttemptState;
  /** Of its nodes, while it holds. */
  readonly ownPaths: readonly string[];
}

/** A session of the scenario, or contenders of other programs, at one moment. */
export interface Member {
  /** Whether a contender is one of its own. */
  readonly owns: (contender: Contender, queue: LockQueue) => boolean;
  /** The newest last; absent for contenders of other programs, of which only the queue is known. */
  readonly attempts?: readonly Attempted[];
}

export type Members = ReadonlyMap<string, Member>;

/** One who holds a lock or waits for it. */
export interface Place {
  /** Absent for contenders that the scenario does not name. */
  readonly member?: string;
  /** The member, or what is known of a contender of another program, made harmless. */
  readonly shown: string;
  readonly role: 'holder' | 'waiter';
  readonly waitsFor?: Pick<Place, 'member' | 'shown'>;
  readonly isStale: boolean;
}

/**
 * Holders and waiters of one lock in grant order, by its queue. Who waits for a lock of one node has no node there: these come last, by
 * their recipes.
 *
 * @param queues of this path
 * @param stale paths of nodes
 */
export function placesOf(
  path: string,
  queues: readonly LockQueue[],
  members: Members,
  stale: ReadonlySet<string>,
): Place[] {
  const places = queues.flatMap(queue => placesIn(queue, members, stale));
  const [holder] = places.filter(({ role }) => role === 'holder');
  for (const [member, { attempts = [] }] of members) {
    const waiting = attempts.filter(one => one.recipe === 'exclusive' && isWaiting(one) && one.paths.includes(path));
    const place: Place = { member, shown: member, role: 'waiter', isStale: false };
    for (let count = waiting.length; count > 0; count--) {
      places.push(holder === undefined ? place : { ...place, waitsFor: holder });
    }
  }
  return places;
}

/** The member that a contender belongs to. */
export function memberOf(one: Contender, queue: LockQueue, members: Members): string | undefined {
  for (const [name, member] of members) if (member.owns(one, queue)) return name;
  return undefined;
}

function placesIn(queue: LockQueue, members: Members, stale: ReadonlySet<string>): Place[] {
  const byName = new Map(queue.contenders.map(one => [one.name, nameOf(one, queue, members)]));
  return queue.contenders.map(one => {
    const name = byName.get(one.name) ?? { shown: '?' };
    const before = one.waitsFor === undefined ? undefined : byName.get(one.waitsFor);
    return {
      ...name,
      role: one.role,
      isStale: stale.has(one.path),
      ...(before === undefined ? {} : { waitsFor: before }),
    };
  });
}

function nameOf(one: Contender, queue: LockQueue, members: Members): Pick<Place, 'member' | 'shown'> {
  const member = memberOf(one, queue, members);
  if (member !== undefined) return { member, shown: member };
  const owner = one.ownerSession === 0n ? 'no session' : sessionText(one.ownerSession);
  return { shown: `"${displayText(one.identifier === '' ? one.name : one.identifier, 60)}" (${owner})` };
}

function isWaiting({ state, ownPaths }: Attempted): boolean {
  return ownPaths.length === 0 && (state === 'waiting' || state === 'uncertain');
}
