import { atOnce } from '../../base/interruptible.ts';
import { holdsCsv, holdsJson } from '../../history/holdFile.ts';
import type { LockName } from '../../history/lockHistory.ts';
import type { TimeSpan } from '../../historyProtocol.ts';
import type { Recording } from '../../replay/recording.ts';
import {
  allWaits,
  recordedHistory,
  startsIn,
  withGaps,
  type LockRecord,
  type RecordedHistory,
  type RecordedHold,
  type RecordedWait,
} from './recordedHistory.ts';
import { TimelineWindow } from './timelineWindow.ts';

/** Where holds and waits come from: a recording, or what the recorder of this window has seen. */
type KnownPast = Pick<Recording, 'from' | 'to' | 'gaps' | 'holds' | 'waits'> &
  Partial<Pick<Recording, 'sureFrom' | 'problems'>>;

export interface RecordSource {
  past: KnownPast;
  /** Another one after it has grown. */
  version: unknown;
  /** Epoch ms of the server's clock up to which time is shown. */
  until: number;
}

/** What is known of a lock in a part of the time. */
export interface RecordPart {
  /** All of the time that is known, epoch ms of the server's clock. */
  whole: TimeSpan;
  record: RecordedHistory;
  /** How many holds begin in each of equal parts of all the time. */
  starts: number[];
}

/** What goes through all holds, computed once for each length of the recording. */
interface Gathered extends LockRecord {
  /** What it was computed from: a recording that is followed grows. */
  version: unknown;
  path: string;
  span: TimeSpan;
  shownHolds: RecordedHold[];
  shownWaits: RecordedWait[];
  starts: number[];
}

/** What a source says of one lock, for the timeline and for files. */
export class RecordOfLock {
  private readonly source: () => RecordSource;
  private readonly lock: () => LockName;
  private readonly window = new TimelineWindow();
  private gathered: Gathered | undefined;
  private last: { of: Gathered; record: RecordedHistory } | undefined;

  /** @param lock by the path of its queue, which may be another one than that of its row */
  constructor(source: () => RecordSource, lock: () => LockName) {
    this.source = source;
    this.lock = lock;
  }

  /**
   * All times are epoch ms of the server's clock.
   *
   * @param asked the part of the time that the page asks for
   * @param at the moment that the queue is of
   */
  part(asked: TimeSpan | undefined, at: number): RecordPart {
    const source = this.source();
    const gathered = this.gather(source);
    const { span, shownHolds, starts } = gathered;
    const whole = { from: span.from, to: Math.max(span.to, source.until) };
    const shown = this.window.of(asked, { span: whole, at, holds: shownHolds });
    return { whole, record: this.recordIn(gathered, shown), starts };
  }

  /** All holds and waits of the lock as a file. @param cluster name of the recording */
  text(format: 'json' | 'csv', cluster: string): string {
    const source = this.source();
    const { holds, waits } = this.gather(source);
    if (format === 'csv') return atOnce(holdsCsv(holds, waits));
    const { from, to, sureFrom = from, gaps, problems = [] } = source.past;
    return atOnce(holdsJson({ recording: cluster, from, to, sureFrom, gaps, problems }, holds, waits));
  }

  private recordIn(of: Gathered, shown: TimeSpan): RecordedHistory {
    const { last } = this;
    if (last?.of === of && last.record.shown.from === shown.from && last.record.shown.to === shown.to) {
      return last.record;
    }
    const record = recordedHistory({ holds: of.shownHolds, waits: of.shownWaits }, shown);
    this.last = { of, record };
    return record;
  }

  private gather({ past, version }: RecordSource): Gathered {
    const { from, to } = past;
    const { path, lockName } = this.lock();
    const { gathered } = this;
    if (gathered !== undefined && gathered.version === version && gathered.path === path) return gathered;
    const isOfLock = (stay: { lockName?: string }): boolean => lockName === undefined || stay.lockName === lockName;
    const holds = past.holds(path).filter(isOfLock);
    const waits = past.waits(path).filter(isOfLock);
    // The clock of a later leader may be behind.
    const span = { from: Math.min(from.time, to.time), to: Math.max(from.time, to.time) };
    const shownHolds = withGaps(holds, past.gaps);
    const shownWaits = allWaits({ holds, waits });
    this.gathered = { holds, waits, path, version, span, shownHolds, shownWaits, starts: startsIn(holds, span) };
    return this.gathered;
  }
}
