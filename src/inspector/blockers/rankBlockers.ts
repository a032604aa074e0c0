import { forEachInParts, type Interruptible } from '../../base/interruptible.ts';
import { stronglyConnected } from '../../base/stronglyConnected.ts';
import type { LockQueue } from '../../locks/lockQueue.ts';
import { acrossLocks, type WaiterId } from '../waitForGraph.ts';
import {
  keptBackBy,
  type BlockerIndex,
  type Party,
  type QueuePlace,
  type Source,
  type Wait,
  type WaitLine,
} from './blockerIndex.ts';

/** Who keeps others waiting while nothing is known to keep it: the beginning of a chain, or a circle of waits. */
export interface RankedBlocker {
  /** `root`: one session or node, which waits for no other with what it holds. `cycle`: sessions that wait for each other. */
  kind: 'root' | 'cycle';
  /** One for a root; of a cycle its members. */
  members: readonly WaiterId[];
  /** What others wait for: of a cycle all that is part of it. */
  places: readonly QueuePlace[];
  /** Sessions, and nodes without one, that wait behind it, each once: in its queues and through chains. Of a cycle without its members. */
  waiting: number;
  /** Those of them that wait in a queue of `places`. */
  direct: number;
  since: SinceWhen;
  /** Chains were not followed to their end: there may be more. */
  isAtLeast: boolean;
}

/** All blockers of an index. */
export interface Ranking {
  /** The costliest first. */
  blockers: RankedBlocker[];
  /** `false`: there are so many chains that they were not followed to their end, so no circle is known. */
  areCyclesKnown: boolean;
}

/** Since when several sessions have waited, epoch ms of the server's clock; those whose node may not be read are not in it. */
export interface SinceWhen {
  count: number;
  sum: number;
  /** Infinity without any. */
  earliest: number;
}

/** The waiting time of all behind a blocker in ms. @param now epoch ms of the server's clock */
export function summedWaitMs({ since }: RankedBlocker, now: number): number {
  return Math.max(0, since.count * now - since.sum);
}

/** The longest wait behind a blocker in ms. @param now epoch ms of the server's clock */
export function longestWaitMs({ since }: RankedBlocker, now: number): number {
  return Math.max(0, now - since.earliest);
}

/** Waits that are followed for all chains of one ranking; what is beyond is counted in its own queues only. */
const mostSteps = 1_000_000;
/** A turn takes about so many steps. */
const stepsPerTurn = 20_000;
/** So many are looked for in a list without a set of it. */
const fewTies = 8;

/**
 * Ranks the blockers of all queues of an index, the costliest first: by the number that waits, members of a cycle included, then by
 * the sum of their waits, then by the longest one. The index must not change meanwhile.
 *
 * A chain goes on from a wait to what its session held before it began to wait (`acrossLocks`): a thread that waits takes no
 * lock. So a session whose later lock others wait for is a root, though another thread of it waits. Each root is followed by
 * breadth-first search; roots with the same list of waits behind them share one search.
 */
export function* rankBlockers(index: BlockerIndex): Interruptible<Ranking> {
  const ties: Ties = new Map();
  const roots = yield* rootsOf(index, ties);
  const search = new Search(index, ties);
  const found: RankedBlocker[] = [];
  for (const group of sharingLists(roots)) {
    // Those of one group have the same list of waits.
    const [[, shared]] = group;
    const reach = yield* search.follow(shared);
    for (const [party, sources] of group) {
      found.push(search.blocker('root', [party], sources, reach));
      if (search.isTurnOver()) yield;
    }
    if (search.isTurnOver()) yield;
  }
  const areCyclesKnown = !search.isOutOfSteps;
  for (const cycle of firstCycles(index, search)) {
    const reach = yield* search.follow(cycle);
    found.push(search.blocker('cycle', [...new Set(cycle.map(({ party }) => party))], cycle, reach));
    if (search.isTurnOver()) yield;
  }
  return { blockers: found.sort(byCost), areCyclesKnown };
}

/** The members of a cycle wait, too. */
function allWho(blocker: RankedBlocker): number {
  return blocker.waiting + (blocker.kind === 'cycle' ? blocker.members.length : 0);
}

function byCost(one: RankedBlocker, other: RankedBlocker): number {
  if (allWho(one) !== allWho(other)) return allWho(other) - allWho(one);
  if (one.kind !== other.kind) return one.kind === 'cycle' ? -1 : 1;
  if (one.since.count !== other.since.count) return other.since.count - one.since.count;
  if (one.since.sum !== other.since.sum) return one.since.sum - other.since.sum;
  if (one.since.earliest !== other.since.earliest) return one.since.earliest - other.since.earliest;
  return (one.members[0] ?? '') < (other.members[0] ?? '') ? -1 : 1;
}

type Root = readonly [party: Party, sources: readonly Source[]];

/** Of each queue the waits in it that keep back what their party has elsewhere, with that. */
type Ties = Map<LockQueue, { wait: Wait; source: Source }[]>;

/** The sources that no wait of their own party keeps back. @param ties gets what the others are kept back by */
function* rootsOf(index: BlockerIndex, ties: Ties): Interruptible<Root[]> {
  const roots: [Party, Source[]][] = [];
  /** The place in `roots` of each party by its number, plus one. */
  const places = new Int32Array(index.partyLimit);
  yield* forEachInParts(index.sources(), source => {
    const { party } = source;
    if (party.waits.length > 0 && isKeptBack(source, ties)) return;
    const place = places[party.number] ?? 0;
    if (place > 0) roots[place - 1]?.[1].push(source);
    else places[party.number] = roots.push([party, [source]]);
  });
  return roots;
}

function isKeptBack(source: Source, ties: Ties): boolean {
  let isKept = false;
  for (const wait of source.party.waits) {
    if (!acrossLocks(source, wait)) continue;
    isKept = true;
    const known = ties.get(wait.queue);
    if (known === undefined) ties.set(wait.queue, [{ wait, source }]);
    else known.push({ wait, source });
  }
  return isKept;
}

/** Roots with one and the same list of waits behind them together: holders of leases, readers. */
function sharingLists(roots: readonly Root[]): Iterable<readonly [Root, ...Root[]]> {
  const keyOf = ([party, [first, ...others]]: Root): object =>
    first !== undefined && others.every(({ behind }) => behind === first.behind) ? first.behind : party;
  // A group has one at least.
  return Map.groupBy(roots, keyOf).values() as Iterable<[Root, ...Root[]]>;
}

/** Circles that nothing outside of them keeps waiting: no root leads to them. */
function firstCycles(index: BlockerIndex, search: Search): Source[][] {
  // A circle behind one that was not followed to its end would seem to begin there.
  if (search.isOutOfSteps) return [];
  const left = index.sources().filter(source => !search.hasReached(source));
  const following = new Map<readonly Wait[], Source[]>();
  const next = ({ behind }: Source): Source[] => {
    const known = following.get(behind) ?? behind.flatMap(keptBackBy);
    following.set(behind, known);
    return known;
  };
  const cycles = stronglyConnected(left, next);
  const cycleOf = new Map(cycles.flatMap(cycle => cycle.map(source => [source, cycle] as const)));
  const behindOthers = new Set<Source[]>();
  for (const source of left) {
    for (const other of next(source)) {
      const cycle = cycleOf.get(other);
      if (cycle !== undefined && cycle !== cycleOf.get(source)) behindOthers.add(cycle);
    }
  }
  return cycles.filter(cycle => !behindOthers.has(cycle));
}

/** Who waits behind some sources: how many, and since when. The notes of the search name them, until the next one. */
interface Reach {
  search: number;
  count: number;
  /** So many of them wait in the lists where the search began. */
  direct: number;
  sum: SinceWhen;
  /** All lists that were looked at. */
  lists: readonly Step[];
  isWhole: boolean;
}

/** A list of waits. */
interface Step {
  readonly waits: readonly Wait[];
  readonly line: WaitLine;
  /** The lists of what those who wait in it keep from others; absent until it is followed. */
  next?: readonly Step[];
  /** The search that came to it last. */
  search: number;
}

/** Follows the chains of one ranking. */
class Search {
  private readonly notes: Notes;
  private readonly ties: Ties;
  private readonly steps = new Map<readonly Wait[], Step>();
  private taken = 0;
  private takenBefore = 0;

  constructor(index: BlockerIndex, ties: Ties) {
    this.notes = new Notes(index.partyLimit);
    this.ties = ties;
  }

  get isOutOfSteps(): boolean {
    return this.taken > mostSteps;
  }

  hasReached({ behind }: Source): boolean {
    return (this.steps.get(behind)?.search ?? 0) > 0;
  }

  /** @returns whether so much was done since it was last asked that others should have their turn */
  isTurnOver(): boolean {
    if (this.taken - this.takenBefore < stepsPerTurn) return false;
    this.takenBefore = this.taken;
    return true;
  }

  /** @param reach of these sources, before any other search */
  blocker(
    kind: RankedBlocker['kind'],
    members: readonly Party[],
    sources: readonly Source[],
    reach: Reach,
  ): RankedBlocker {
    const { count, direct, isWhole } = reach;
    const inside = members.map(({ number }) => number).filter(number => this.notes.isMet(number, reach));
    this.taken++;
    return {
      kind,
      members: members.map(({ id }) => id).sort(),
      places: sources.map(({ contender, queue }) => ({ contender, queue })),
      waiting: count - inside.length,
      direct: direct - inside.filter(number => this.notes.metAt(number) < direct).length,
      since: inside.length === 0 ? reach.sum : this.sumWithout(inside, reach),
      isAtLeast: !isWhole,
    };
  }

  private sumWithout(inside: readonly number[], reach: Reach): SinceWhen {
    const { notes } = this;
    const left = { ...reach.sum };
    const since = inside.map(number => notes.since(number)).filter(at => at !== 0);
    left.count -= since.length;
    left.sum -= since.reduce((sum, at) => sum + at, 0);
    if (!since.includes(reach.sum.earliest)) return left;
    const gone = new Set(inside);
    left.earliest = Infinity;
    for (const number of reach.lists.flatMap(({ line }) => line.parties)) {
      const at = gone.has(number) ? 0 : notes.since(number);
      if (at !== 0 && at < left.earliest) left.earliest = at;
      this.taken++;
    }
    return left;
  }

  *follow(sources: readonly Source[]): Interruptible<Reach> {
    const search = this.notes.begin();
    const lists: Step[] = [];
    const reachList = (step: Step): void => {
      if (step.search === search) return;
      step.search = search;
      lists.push(step);
    };
    sources.forEach(source => reachList(this.stepOf(source)));
    const last = lists.at(-1);
    const reach = { search, count: 0, direct: 0, sum: { count: 0, sum: 0, earliest: Infinity }, lists, isWhole: true };
    for (const step of lists) {
      this.notes.meet(step.line, reach);
      this.taken += step.waits.length;
      if (step === last) reach.direct = reach.count;
      if (this.isTurnOver()) yield;
      if (this.isOutOfSteps) {
        reach.isWhole = false;
        continue;
      }
      this.following(step).forEach(reachList);
    }
    return reach;
  }

  private stepOf({ behind, line }: Source): Step {
    const known = this.steps.get(behind);
    if (known !== undefined) return known;
    const step: Step = { waits: behind, line, search: 0 };
    this.steps.set(behind, step);
    return step;
  }

  private following(step: Step): readonly Step[] {
    if (step.next === undefined) {
      const { waits } = step;
      // A list is of one queue, and begins where its sources stand.
      const ties = waits[0] === undefined ? undefined : this.ties.get(waits[0].queue);
      step.next = ties === undefined ? [] : this.stepsBehind(ties, waits);
      this.taken += waits.length;
    }
    this.taken += step.next.length;
    return step.next;
  }

  private stepsBehind(ties: readonly { wait: Wait; source: Source }[], waits: readonly Wait[]): readonly Step[] {
    const known = ties.length > fewTies ? new Set(waits) : undefined;
    const steps = new Set<Step>();
    for (const { wait, source } of ties) {
      if (known?.has(wait) ?? waits.includes(wait)) steps.add(this.stepOf(source));
    }
    return [...steps];
  }
}

/** What a search notes of each party, by its number: valid until the next search of the same ranking. */
class Notes {
  private readonly searches: Int32Array;
  private readonly places: Int32Array;
  private readonly sinces: Float64Array;
  private last = 0;

  constructor(limit: number) {
    this.searches = new Int32Array(limit);
    this.places = new Int32Array(limit);
    this.sinces = new Float64Array(limit);
  }

  /** @returns the number of a search that begins */
  begin(): number {
    return ++this.last;
  }

  isMet(party: number, { search }: Reach): boolean {
    return this.searches[party] === search;
  }

  /** Its place among those that were met. */
  metAt(party: number): number {
    return this.places[party] ?? 0;
  }

  /** Since when it waits, epoch ms; 0 where that is not known. */
  since(party: number): number {
    return this.sinces[party] ?? 0;
  }

  /** Counts those that the search had not met, and since when each has waited: in several places, since the first of them. */
  meet({ parties, since }: WaitLine, reach: Reach): void {
    const { sum } = reach;
    for (let at = 0; at < parties.length; at++) {
      const party = parties[at] ?? 0;
      const from = since[at] ?? 0;
      const before = this.isMet(party, reach) ? this.since(party) : this.note(party, reach);
      if (from === 0 || (before !== 0 && from >= before)) continue;
      if (before === 0) sum.count++;
      sum.sum += from - before;
      this.sinces[party] = from;
      if (from < sum.earliest) sum.earliest = from;
    }
  }

  private note(party: number, reach: Reach): 0 {
    this.searches[party] = reach.search;
    this.places[party] = reach.count++;
    this.sinces[party] = 0;
    return 0;
  }
}
