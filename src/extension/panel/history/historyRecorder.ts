import type { Contender } from '../../../locks/lockQueue.ts';
import type { History, Hold } from '../../../protocol.ts';
import { whoText } from '../../text/whoText.ts';
import { shownName } from '../shownName.ts';
import { ClockSkew } from './clockSkew.ts';
import { HistoryEvents, type HistoryEvent } from './historyEvents.ts';
import { HistorySamples } from './historySamples.ts';
import { LengthCurve } from './lengthCurve.ts';

const eventLimit = 1_000;
const sentHolds = 100;
const spanLimit = 200;

interface OpenHold {
  contender: Contender;
  shown: Hold;
}

/**
 * Remembers what was seen of one lock since its panel was opened: who held from when to when, how long nobody did, how long
 * the holders had waited, how long the queue was. Nothing is claimed of the time in which nothing was watched: a hold that
 * ended meanwhile ends, without a figure, when it was last seen; the next one has no gap.
 *
 * Nodes are told apart by path and czxid. A hold that began after another was seen to end is a hand-over. All times are
 * epoch ms of this machine's clock; a wait begins with the creation of the node, corrected by the skew of the clocks.
 */
export class HistoryRecorder {
  private readonly eventList = new HistoryEvents(eventLimit);
  private readonly samples = new HistorySamples(eventLimit);
  private readonly lengths = new LengthCurve();
  private readonly skew = new ClockSkew();
  private readonly open = new Map<string, OpenHold>();
  private holds: Hold[] = [];
  private unwatched: History['unwatched'];
  private openedAt: number;
  private isWatching = false;
  private isPaused = false;
  private handOvers = 0;
  /** Since when nobody holds, if that was seen to begin. */
  private freeSince: number | undefined;

  constructor(openedAt: number) {
    this.openedAt = openedAt;
    this.unwatched = [{ from: openedAt }];
  }

  /** Whether changes are taken in: they cannot be while it is paused. */
  get isWatched(): boolean {
    return this.isWatching;
  }

  get events(): readonly HistoryEvent[] {
    return this.eventList.all;
  }

  /** Takes in the queue as it is now. The first call after a time without watching ends that time. */
  observe(contenders: readonly Contender[], at: number): void {
    if (this.isPaused) return;
    const isContinuous = this.isWatching;
    const lastSeenAt = this.unwatched.at(-1)?.from ?? at;
    if (!isContinuous) this.beginWatching(at, contenders.length);
    this.skew.note(contenders, at, isContinuous);
    this.lengths.note(contenders.length, at);
    this.noteHolds(contenders, { at, isContinuous, lastSeenAt });
  }

  /** From now on changes are not seen: the panel is hidden, the session is gone, or the person pauses. */
  stopWatching(at: number): void {
    if (!this.isWatching) return;
    this.isWatching = false;
    this.freeSince = undefined;
    this.unwatched.push({ from: at });
    if (this.unwatched.length > spanLimit) this.unwatched.shift();
    this.eventList.add({ at, kind: 'not-watching' });
  }

  /** After `false` the next `observe` goes on. */
  pause(paused: boolean, at: number): void {
    if (paused) this.stopWatching(at);
    this.isPaused = paused;
  }

  /** Forgets everything; what is held now counts as held from before at the next `observe`. */
  clear(at: number): void {
    this.eventList.clear();
    this.samples.clear();
    this.lengths.clear();
    this.open.clear();
    this.holds = [];
    this.handOvers = 0;
    this.freeSince = undefined;
    this.openedAt = at;
    this.isWatching = false;
    this.unwatched = [{ from: at }];
  }

  /** What the page shows of it. */
  get shown(): History {
    return {
      openedAt: this.openedAt,
      isPaused: this.isPaused,
      events: this.eventList.all.length,
      dropped: this.eventList.dropped,
      holds: this.holds.slice(-sentHolds),
      lengths: this.lengths.thinned,
      unwatched: this.unwatched.map(span => ({ ...span })),
      figures: { handOvers: this.handOvers, longestQueue: this.lengths.longest, ...this.samples.figures },
    };
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
    const ended = this.endHolds(holders, isContinuous ? at : lastSeenAt, isContinuous, contenders.length);
    const gapMs = isContinuous ? this.gapAt(at, ended) : undefined;
    for (const contender of holders.values()) {
      if (!this.open.has(contender.path)) this.begin(contender, at, { isContinuous, gapMs, length: contenders.length });
    }
    if (this.open.size > 0 || !isContinuous) this.freeSince = undefined;
    else if (ended > 0) this.freeSince = at;
  }

  /** @returns how many holds ended */
  private endHolds(
    holders: ReadonlyMap<string, Contender>,
    until: number,
    wasSeen: boolean,
    queueLength: number,
  ): number {
    let ended = 0;
    for (const [path, { contender, shown }] of this.open) {
      if (holders.get(path)?.czxid === contender.czxid) continue;
      ended++;
      this.open.delete(path);
      shown.until = until;
      const isWhole = wasSeen && !shown.isFromBefore;
      const heldMs = isWhole ? { heldMs: until - shown.from } : {};
      if (isWhole) this.samples.add('hold', until - shown.from);
      this.eventList.add({ at: until, kind: wasSeen ? 'released' : 'ended-unseen', contender, queueLength, ...heldMs });
    }
    return ended;
  }

  /** How long nobody held before a hold that begins now; `undefined` if it follows none. */
  private gapAt(at: number, ended: number): number | undefined {
    if (this.freeSince !== undefined) return at - this.freeSince;
    return ended > 0 ? 0 : undefined;
  }

  private begin(
    contender: Contender,
    at: number,
    { isContinuous, gapMs, length }: { isContinuous: boolean; gapMs: number | undefined; length: number },
  ): void {
    const { name, path, kind } = contender;
    const gap = gapMs === undefined ? {} : { gapMs };
    const shown: Hold = {
      name: shownName(name),
      who: whoText(contender),
      kind,
      from: at,
      isFromBefore: !isContinuous,
      ...gap,
    };
    this.open.set(path, { contender, shown });
    this.holds.push(shown);
    if (this.holds.length > eventLimit) this.holds.shift();
    if (gapMs !== undefined) {
      this.handOvers++;
      this.samples.add('gap', gapMs);
    }
    const wait = isContinuous ? { waitMs: this.skew.since(contender, at) } : {};
    if (wait.waitMs !== undefined) this.samples.add('wait', wait.waitMs);
    const event = isContinuous ? 'held' : 'held-before';
    this.eventList.add({ at, kind: event, contender, queueLength: length, ...gap, ...wait });
  }
}

function holdersOf(contenders: readonly Contender[]): Map<string, Contender> {
  const holders = new Map<string, Contender>();
  for (const contender of contenders) if (contender.role === 'holder') holders.set(contender.path, contender);
  return holders;
}
