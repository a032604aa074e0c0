import type { Interruptible } from '../base/interruptible.ts';
import type { Moment } from '../history/hold.ts';
import type { JournalEntry } from './entry.ts';
import { JournalPast } from './journalPast.ts';
import { JournalState } from './journalState.ts';

/** Entries that are applied between two interruptions. */
const appliedAtOnce = 64;

/** Reads entries into what they say of now, and of every moment. */
export class JournalReading {
  readonly past = new JournalPast();
  readonly state: JournalState;
  private changed = new Set<string>(['/']);
  /** Since when nothing is seen, as of the last entry. */
  private gap: Moment | undefined;

  constructor() {
    this.state = new JournalState({
      onChange: path => {
        this.changed.add(path);
      },
    });
  }

  /** Must be done to its end before anything else is applied. */
  *apply(entries: readonly JournalEntry[]): Interruptible<void> {
    for (const [at, entry] of entries.entries()) {
      yield* this.state.applying(entry);
      yield* this.keep();
      if (at % appliedAtOnce === 0) yield;
    }
  }

  /** Entries are missing here. What follows is still known, so this is a gap without length. */
  *doubt(): Interruptible<void> {
    const { state, past } = this;
    yield* state.doubting('damaged');
    if (!state.isFollowing) return;
    past.beginGap(state.to);
    yield* this.keepChanged();
    past.endGap(undefined);
  }

  /** Before all was known for the first time there is nothing to show. */
  private *keep(): Interruptible<void> {
    const { state, past } = this;
    if (!state.hasBegun) return;
    const gap = state.isFollowing ? undefined : state.gapSince;
    const isOver = this.gap !== undefined && gap !== this.gap;
    if (gap !== undefined && this.gap === undefined) past.beginGap(gap);
    // A gap is over at a moment of its own.
    if (isOver || this.changed.size > 0 || this.isNewMoment) yield* this.keepChanged();
    if (isOver) past.endGap(gap);
    this.gap = gap;
  }

  private get isNewMoment(): boolean {
    const { moments } = this.past;
    return moments.count === 0 || moments.get(moments.count - 1).zxid !== this.state.to.zxid;
  }

  private *keepChanged(): Interruptible<void> {
    const { state, changed } = this;
    this.changed = new Set();
    yield* this.past.keep(
      state.to,
      changed,
      path => state.read(path),
      path => state.node(path) === undefined,
    );
  }
}
