import { acrossLocks, waiterId } from '../../src/inspector/waitForGraph.ts';
import type { RankedBlocker } from '../../src/inspector/blockers/rankBlockers.ts';
import type { Contender, LockQueue } from '../../src/locks/lockQueue.ts';

/** What a ranking says of one blocker, without the order of places. */
export interface PlainBlocker {
  kind: RankedBlocker['kind'];
  members: readonly string[];
  places: readonly string[];
  waiting: number;
  direct: number;
  since: RankedBlocker['since'];
}

/** A blocker of the product in the form of the reference. */
export function plainBlocker({ kind, members, places, waiting, direct, since }: RankedBlocker): PlainBlocker {
  const paths = places.map(({ contender }) => contender.path).sort();
  return { kind, members: members.toSorted(), places: paths, waiting, direct, since };
}

/** In one order, whatever they cost. */
export function byMembers(blockers: readonly PlainBlocker[]): PlainBlocker[] {
  const key = ({ kind, members }: PlainBlocker) => `${kind} ${members.join(' ')}`;
  return blockers.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}

interface Place {
  contender: Contender;
  queue: LockQueue;
  party: string;
}

/** Every edge of every queue, and every path along them: the slow way to the same ranking. */
export class NaiveBlockers {
  private readonly places: readonly Place[];
  private readonly waits: readonly Place[];
  private readonly held: readonly Place[];
  /** All that wait for a place in its queue, directly or not. */
  private readonly behind = new Map<Place, Set<Place>>();

  constructor(queues: readonly LockQueue[]) {
    this.places = queues.flatMap(queue =>
      queue.contenders
        .filter(({ kind }) => kind !== 'candidate')
        .map(contender => ({ contender, queue, party: waiterId(contender) })),
    );
    const { places } = this;
    this.waits = places.filter(wait => places.some(each => blocks(each, wait) && each.party !== wait.party));
    for (const place of places) this.behind.set(place, this.waitsFor(place));
    this.held = places.filter(place => this.isHeld(place));
  }

  ranking(): PlainBlocker[] {
    const roots = this.held.filter(place => !this.waits.some(wait => isKept(place, wait)));
    const fromRoots = new Set(this.everyKept(roots));
    const byParty = [...Map.groupBy(roots, ({ party }) => party).values()];
    const cycles = this.cycles().filter(cycle => !cycle.some(place => fromRoots.has(place)));
    const first = cycles.filter(cycle =>
      this.held.every(place => cycle.includes(place) || !this.everyKept([place]).includes(cycle[0]!)),
    );
    return [
      ...byParty.map(places => this.blocker('root', places)),
      ...first.map(cycle => this.blocker('cycle', cycle)),
    ];
  }

  /** Sessions and nodes that wait behind some places, in any number of steps. */
  waitingBehind(places: readonly Place[]): Map<string, number> {
    const since = new Map<string, number>();
    const reached = new Set([...places, ...this.everyKept(places)].flatMap(place => [...this.behind.get(place)!]));
    for (const { party, contender } of reached) {
      const [before = 0, at] = [since.get(party), contender.createdAt];
      since.set(party, before === 0 ? at : at === 0 ? before : Math.min(before, at));
    }
    return since;
  }

  private blocker(kind: PlainBlocker['kind'], places: readonly Place[]): PlainBlocker {
    const members = [...new Set(places.map(({ party }) => party))].sort();
    const since = this.waitingBehind(places);
    const direct = new Set(places.flatMap(place => [...this.behind.get(place)!].map(({ party }) => party)));
    for (const member of members) {
      since.delete(member);
      direct.delete(member);
    }
    const known = [...since.values()].filter(at => at > 0);
    const sum = known.reduce((all, at) => all + at, 0);
    return {
      kind,
      members,
      places: places.map(({ contender }) => contender.path).sort(),
      waiting: since.size,
      direct: direct.size,
      since: { count: known.length, sum, earliest: Math.min(...known) },
    };
  }

  private waitsFor(place: Place): Set<Place> {
    const found = new Set<Place>();
    const front = [place];
    for (const each of front) {
      for (const wait of this.waits) {
        if (found.has(wait) || !blocks(each, wait)) continue;
        found.add(wait);
        front.push(wait);
      }
    }
    return found;
  }

  /** Others wait for it while it waits for none; of a semaphore with holders, a waiter keeps no lease from others. */
  private isHeld(place: Place): boolean {
    const { contender, queue, party } = place;
    if (this.waits.includes(place)) return false;
    if (![...this.behind.get(place)!].some(wait => wait.party !== party)) return false;
    const isSemaphore = queue.contenders.some(({ kind }) => kind === 'lease');
    return !isSemaphore || mayHold(contender) || !queue.contenders.some(mayHold);
  }

  private keptBehind(place: Place): Place[] {
    return this.held.filter(each => [...this.behind.get(place)!].some(wait => isKept(each, wait)));
  }

  /** Places that are kept from their release by some places, in one step or more. */
  private everyKept(places: readonly Place[]): Place[] {
    const found = new Set(places.flatMap(place => this.keptBehind(place)));
    for (const place of found) for (const next of this.keptBehind(place)) found.add(next);
    return [...found];
  }

  private cycles(): Place[][] {
    const after = new Map(this.held.map(place => [place, new Set(this.everyKept([place]))]));
    const left = new Set(this.held);
    return this.held.flatMap(place => {
      const circle = [...left].filter(other => other === place || isMutual(after, place, other));
      if (!left.has(place) || circle.length < 2) return [];
      for (const each of circle) left.delete(each);
      return [circle];
    });
  }
}

function isMutual(after: ReadonlyMap<Place, ReadonlySet<Place>>, one: Place, other: Place): boolean {
  return after.get(one)!.has(other) && after.get(other)!.has(one);
}

/** Readers wait for those before them that are none, all others for everyone. */
function blocks(before: Place, wait: Place): boolean {
  if (before.queue !== wait.queue || wait.contender.role === 'holder' || wait.contender.mayHold === true) return false;
  const { contenders } = before.queue;
  if (contenders.indexOf(before.contender) >= contenders.indexOf(wait.contender)) return false;
  return wait.contender.kind !== 'read' || before.contender.kind !== 'read';
}

/** Whether the thread of a wait may be the one that has a place. */
function isKept(place: Place, wait: Place): boolean {
  return place.party === wait.party && acrossLocks(place, wait);
}

function mayHold(contender: Contender): boolean {
  return contender.kind !== 'candidate' && (contender.role === 'holder' || contender.mayHold === true);
}
