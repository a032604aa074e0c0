import type { Contender } from '../../../locks/lockQueue.ts';
import type { History, Hold } from '../../../protocol.ts';
import { whoText } from '../../words/whoText.ts';
import { shownName } from '../../../base/shownName.ts';
import { ClockSkew } from './clockSkew.ts';
import { HandOvers } from './handOvers.ts';
import { HistoryClock, type WallAndSteadyClock } from './historyClock.ts';
import { HistoryEvents, type HistoryEvent } from './historyEvents.ts';
import { HistorySamples } from './historySamples.ts';
import { Holds } from './holds.ts';
import { LengthCurve } from './lengthCurve.ts';
import { movedBy } from './movedBy.ts';

const eventLimit = 1_000;
const spanLimit = 200;

/**
 * Remembers what was seen of one lock since its panel was opened: who held from when to when, how long nobody did, how long
 * the holders had waited, how long the queue was. Nothing is claimed of the time in which nothing was watched: a hold that
 * ended meanwhile ends, without a figure, when it was last seen; the next one has no gap.
 *
 * Nodes are told apart by path and czxid. A gap is the time between a hold that was seen to end and the one that takes over
 * from it. A wait begins with the creation of the node, corrected by the skew of the clocks.
 */
export class HistoryRecorder {
  private readonly clock: HistoryClock;
  private readonly eventList = new HistoryEvents(eventLimit);
  private readonly samples = new HistorySamples(eventLimit);
  private readonly lengths = new LengthCurve();
  private readonly skew = new ClockSkew();
  private readonly handOvers = new HandOvers();
  private readonly holds = new Holds();
  private unwatched: History['unwatched'];
  private openedAt: number;
  private isWatching = false;
  private isPaused = false;

  constructor(clocks: WallAndSteadyClock) {
    this.clock = new HistoryClock(clocks);
    this.openedAt = this.clock.now();
    this.unwatched = [{ from: this.openedAt }];
  }

  /** Whether changes are taken in: they cannot be while it is paused. */
  get isWatched(): boolean {
    return this.isWatching;
  }

  get events(): readonly HistoryEvent[] {
    const { step } = this.clock;
    return this.eventList.all.map(event => ({ ...event, at: event.at + step }));
  }

  /** Takes in the queue as it is now. The first call after a time without watching ends that time. */
  observe(contenders: readonly Contender[]): void {
    if (this.isPaused) return;
    const at = this.clock.now();
    const isContinuous = this.isWatching;
    const lastSeenAt = this.unwatched.at(-1)?.from ?? at;
    if (!isContinuous) this.beginWatching(at, contenders.length);
    this.skew.note(contenders, at, isContinuous);
    this.lengths.note(contenders.length, at);
    this.noteHolds(contenders, { at, isContinuous, lastSeenAt });
  }

  /** From now on changes are not seen: the panel is hidden, the session is gone, or the person pauses. */
  stopWatching(): void {
    if (!this.isWatching) return;
    const at = this.clock.now();
    this.isWatching = false;
    this.handOvers.interrupt();
    this.unwatched.push({ from: at });
    if (this.unwatched.length > spanLimit) this.unwatched.shift();
    this.eventList.add({ at, kind: 'not-watching' });
  }

  /** After `false` the next `observe` goes on. */
  pause(paused: boolean): void {
    if (paused) this.stopWatching();
    this.isPaused = paused;
  }

  /** Forgets everything; what is held now counts as held from before at the next `observe`. */
  clear(): void {
    const at = this.clock.now();
    this.eventList.clear();
    this.samples.clear();
    this.lengths.clear();
    this.holds.clear();
    this.handOvers.clear();
    this.openedAt = at;
    this.isWatching = false;
    this.unwatched = [{ from: at }];
  }

  /** What the page shows of it. */
  get shown(): History {
    return movedBy(this.clock.step, {
      openedAt: this.openedAt,
      isPaused: this.isPaused,
      events: this.eventList.all.length,
      dropped: this.eventList.dropped,
      ...this.holds.sent,
      lengths: this.lengths.thinned,
      unwatched: this.unwatched,
      figures: { handOvers: this.handOvers.count, longestQueue: this.lengths.longest, ...this.samples.figures },
    });
  }

  private beginWatching(at: number, queueLength: number): void {
    this.isWatching = true;
    const span = this.unwatched.at(-1);
    if (span !== undefined) span.until = at;
    // The history begins with the first look: a page needs a moment to load, and a mark for that tells nothing.
    if (this.eventList.all.length === 0) this.openedAt = at;
    if (span?.from === at || this.openedAt === at) this.unwatched.pop();
    this.eventList.add({ at, kind: 'watching', queueLength });
  }

  private noteHolds(
    contenders: readonly Contender[],
    { at, isContinuous, lastSeenAt }: { at: number; isContinuous: boolean; lastSeenAt: number },
  ): void {
    const holders = holdersOf(contenders);
    this.endHolds(holders, isContinuous ? at : lastSeenAt, isContinuous, contenders.length);
    for (const contender of holders.values()) {
      if (!this.holds.has(contender.path)) this.begin(contender, at, isContinuous, contenders.length);
    }
  }

  private endHolds(
    holders: ReadonlyMap<string, Contender>,
    until: number,
    wasSeen: boolean,
    queueLength: number,
  ): void {
    for (const hold of this.holds.open) {
      const { contender, shown } = hold;
      if (holders.get(contender.path)?.czxid === contender.czxid) continue;
      this.holds.end(hold, until);
      if (wasSeen) this.handOvers.end(contender.kind, until);
      const isWhole = wasSeen && !shown.isFromBefore;
      const heldMs = isWhole ? { heldMs: until - shown.from } : {};
      if (isWhole) this.samples.add('hold', until - shown.from);
      this.eventList.add({ at: until, kind: wasSeen ? 'released' : 'ended-unseen', contender, queueLength, ...heldMs });
    }
  }

  private begin(contender: Contender, at: number, wasSeen: boolean, queueLength: number): void {
    const { name, kind } = contender;
    const isHeld = this.holds.areOpen;
    const { gapMs, ...wait } = wasSeen ? this.measure(contender, at, isHeld) : {};
    const gap = gapMs === undefined ? {} : { gapMs };
    const shown: Hold = {
      name: shownName(name),
      who: whoText(contender),
      kind,
      from: at,
      isFromBefore: !wasSeen,
      // What is drawn is the time without any holder.
      ...(isHeld ? {} : gap),
    };
    this.holds.begin({ contender, shown });
    this.eventList.add({ at, kind: wasSeen ? 'held' : 'held-before', contender, queueLength, ...gap, ...wait });
  }

  /** The spans that end with the beginning of a hold. */
  private measure(contender: Contender, at: number, isHeld: boolean): { gapMs?: number; waitMs?: number } {
    const waitMs = this.skew.since(contender, at);
    this.samples.add('wait', waitMs);
    const freeSince = this.handOvers.begin(contender.kind, isHeld);
    if (freeSince === undefined) return { waitMs };
    this.samples.add('gap', at - freeSince);
    return { gapMs: at - freeSince, waitMs };
  }
}

function holdersOf(contenders: readonly Contender[]): Map<string, Contender> {
  const holders = new Map<string, Contender>();
  for (const contender of contenders) if (contender.role === 'holder') holders.set(contender.path, contender);
  return holders;
}
