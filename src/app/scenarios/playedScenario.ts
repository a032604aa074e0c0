import type { EndCause, Hold, Moment, Wait } from '../../history/hold.ts';
import { during, type Span } from '../../history/whatHappened.ts';
import { isSingleNode } from '../../locks/libraries/singleNode.ts';
import type { DialectId } from '../../locks/lockQueue.ts';
import { sandboxWord, type ScenarioRecipe } from '../../scenario/scenario.ts';
import { asLibrary, isWritable, recipeWords, ScenarioWriter, sessionName } from './scenarioWriter.ts';

/** The past of one lock. */
export interface PlayedLock {
  readonly path: string;
  readonly lockName?: string | undefined;
  readonly dialect: DialectId;
  readonly holds: readonly Hold[];
  readonly waits: readonly Wait[];
}

/** Contenders that one scenario may have; of more only a shorter span can be read. */
export const mostPlayed = 200;

/** One contender, from its node's creation to its end. */
interface Place {
  readonly lock: string;
  readonly dialect: DialectId;
  readonly recipe: ScenarioRecipe;
  /** 0n: none keeps the node alive. */
  readonly owner: bigint;
  readonly queued: Moment;
  /** When it held. */
  readonly held: readonly { readonly from: Moment; readonly to: Moment | undefined }[];
  readonly end?: { readonly at: Moment; readonly cause: EndCause };
}

/** A contender with the name of its session. */
type Named = Place & { readonly name: string };

/**
 * What a recording saw of some locks, as a scenario for the sandbox: who queued in which order, who released and whose session ended. Each
 * session of the recording is one of the scenario; one that stood in a queue twice has a second name. After every hand-over stands who
 * holds and who waits.
 *
 * @param end the last moment of the recording
 * @returns how many contenders there were, where none or more than `mostPlayed` were of the span or a path cannot be written
 */
export function playedScenario(
  locks: readonly PlayedLock[],
  span: Span,
  end: Moment,
  comment: string,
): { text: string } | { contenders: number } {
  const places = locks
    .flatMap(lock => placesOf(lock, span, end))
    .sort((one, other) => compare(one.queued, other.queued));
  const paths = places.map(({ lock }) => lock);
  if (places.length === 0 || places.length > mostPlayed || !paths.every(isWritable))
    return { contenders: places.length };
  const writer = new ScenarioWriter(paths, comment, [`cluster: ${sandboxWord}`]);
  new Replay(nameAll(places), writer).write();
  return { text: writer.text };
}

function placesOf(lock: PlayedLock, span: Span, end: Moment): Place[] {
  const { path, lockName, dialect } = lock;
  const isHere = (one: Hold | Wait): boolean => one.lockName === lockName;
  const [holds, waits] = [lock.holds.filter(isHere), lock.waits.filter(isHere)];
  const inSpan = [...during(holds, span, end), ...during(waits, span, end)];
  const isOfHolds = new Set<Hold | Wait>(holds);
  const at = lockName === undefined ? path : `${path}/${lockName}`;
  const maxLeases = mostAtOnce(holds);
  const nodes = Map.groupBy(inSpan, ({ name, czxid }) => `${name}\0${czxid}`);
  return [...nodes.values()].flatMap(each => {
    const [one] = each;
    if (one === undefined) return [];
    const held = each
      .filter(record => isOfHolds.has(record))
      .flatMap(({ from, to }) => (from !== undefined && compare(from, span.to) <= 0 ? [{ from, to }] : []));
    const recipe = recipeOf(one.kind, isSingleNode({ path, dialect }), maxLeases);
    const { ownerSession: owner, queued } = one;
    return [{ lock: at, dialect, recipe, owner, queued, held, ...endOf(each, span) }];
  });
}

/** When and how its node went, within the span. What was overtaken is still there. */
function endOf(records: readonly (Hold | Wait)[], span: Span): Pick<Place, 'end'> {
  if (records.some(({ to }) => to === undefined)) return {};
  const ends = records.flatMap(({ to, ended = 'unknown' }) => (to === undefined ? [] : [{ at: to, cause: ended }]));
  const last = ends.sort((one, other) => compare(one.at, other.at)).at(-1);
  return last === undefined || last.cause === 'overtaken' || compare(last.at, span.to) > 0 ? {} : { end: last };
}

function recipeOf(kind: Hold['kind'], isOneNode: boolean, maxLeases: number): ScenarioRecipe {
  if (isOneNode) return { name: 'exclusive' };
  if (kind === 'lease') return { name: 'semaphore', maxLeases };
  return { name: kind === 'read' || kind === 'write' ? kind : 'mutex' };
}

/** How many leases a semaphore has, as far as it was seen. */
function mostAtOnce(holds: readonly Hold[]): number {
  const isOpen = (hold: Hold, { from }: Hold): boolean =>
    compare(hold.from, from) <= 0 && (hold.to === undefined || compare(hold.to, from) > 0);
  return Math.max(1, ...holds.slice(0, mostPlayed).map(begun => holds.filter(hold => isOpen(hold, begun)).length));
}

/** Where only the time of one of them is known, by their times. */
function compare(one: Moment, other: Moment): number {
  return one.zxid === 0n || other.zxid === 0n ? one.time - other.time : Number(one.zxid - other.zxid);
}

function nameAll(places: readonly Place[]): Named[] {
  const bySession = new Map<bigint, string[]>();
  const named: Named[] = [];
  let [sessions, left] = [0, 0];
  for (const place of places) {
    const isBusy = (name: string): boolean =>
      named.some(
        other =>
          other.name === name &&
          other.lock === place.lock &&
          (other.end === undefined || compare(other.end.at, place.queued) > 0),
      );
    const known = bySession.get(place.owner) ?? [];
    const free = place.owner === 0n ? undefined : known.find(name => !isBusy(name));
    const name = free ?? (place.owner === 0n ? `Left${++left}` : sessionName(sessions++));
    if (free === undefined) bySession.set(place.owner, [...known, name]);
    named.push({ ...place, name });
  }
  return named;
}

/** Goes through the moments of a past and writes what happened at each. */
class Replay {
  private readonly places: readonly Named[];
  private readonly writer: ScenarioWriter;
  private readonly ended = new Set<string>();
  /** Locks with changes since it was written who holds them. */
  private readonly changed = new Set<string>();

  constructor(places: readonly Named[], writer: ScenarioWriter) {
    this.places = places;
    this.writer = writer;
  }

  write(): void {
    let before: Moment | undefined;
    for (const moment of this.moments()) {
      const isNow = (at: Moment | undefined): boolean => at !== undefined && compare(at, moment) === 0;
      const ending = this.places.filter(({ end }) => isNow(end?.at));
      if (before !== undefined) this.expectAt(before, new Set(ending.map(({ lock }) => lock)));
      for (const place of ending) this.end(place);
      for (const place of this.places) if (isNow(place.queued)) this.queue(place);
      const handed = this.places.filter(({ held, queued }) => !isNow(queued) && held.some(({ from }) => isNow(from)));
      if (handed.length > 0) this.expectAt(moment, new Set([...handed, ...ending].map(({ lock }) => lock)));
      before = moment;
    }
    if (before !== undefined) this.expectAt(before, new Set(this.changed));
  }

  private moments(): Moment[] {
    const all = this.places.flatMap(({ queued, held, end }) => [
      queued,
      ...held.map(({ from }) => from),
      ...(end === undefined ? [] : [end.at]),
    ]);
    all.sort(compare);
    return all.filter((moment, at) => {
      const before = all[at - 1];
      return before === undefined || compare(before, moment) !== 0;
    });
  }

  private queue({ name, lock, recipe, dialect, owner }: Named): void {
    const as = asLibrary(dialect, recipe.name, [lock]);
    if (owner === 0n && recipe.name === 'mutex') this.writer.stepAt(`${name}: leave`, [lock], as);
    else this.writer.stepAt(`${name}: acquire ${recipeWords(recipe)}`, [lock], as);
    this.changed.add(lock);
  }

  private end({ name, lock, owner, end }: Named): void {
    this.changed.add(lock);
    if (this.ended.has(name)) return;
    const isDeleted = owner === 0n || end?.cause === 'deleted by another session';
    if (isDeleted) this.writer.stepAt(`delete ${name}`, [lock]);
    else if (end?.cause === 'released' || end?.cause === 'unknown') this.writer.stepAt(`${name}: release`, [lock]);
    else {
      // With it go all its places, at every lock.
      this.ended.add(name);
      this.writer.step(`expire ${name}`);
    }
  }

  /** Who holds and who waits then, of those locks that have changed. */
  private expectAt(moment: Moment, locks: ReadonlySet<string>): void {
    const claims = [...locks].filter(lock => this.changed.delete(lock)).flatMap(lock => this.claimsAt(moment, lock));
    this.writer.expect(claims);
  }

  private claimsAt(moment: Moment, lock: string): string[] {
    const there = this.places.filter(
      place =>
        place.lock === lock &&
        compare(place.queued, moment) <= 0 &&
        (place.end === undefined || compare(place.end.at, moment) > 0),
    );
    const isHolder = ({ held }: Place): boolean =>
      held.some(({ from, to }) => compare(from, moment) <= 0 && (to === undefined || compare(to, moment) > 0));
    const [holders, waiters] = [there.filter(isHolder), there.filter(place => !isHolder(place))];
    const list = (places: readonly Named[], word: string, between: string): string =>
      places.length === 0 ? `no ${word}` : `${word} ${places.map(({ name }) => name).join(` ${between} `)}`;
    if (there.length === 0) return [this.writer.claim('empty', lock)];
    return [list(holders, 'holders', 'and'), list(waiters, 'waiters', 'then')].map(each =>
      this.writer.claim(each, lock),
    );
  }
}
