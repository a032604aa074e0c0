import type { Moment } from '../../history/hold.ts';
import { holdsCsv, holdsJson } from '../../history/holdFile.ts';
import type { LockName } from '../../history/lockHistory.ts';
import type { TimeSpan } from '../../historyProtocol.ts';
import type { RecordedTime } from '../clusters/recordedTime.ts';
import type { RecordedFacts } from './panelWords.ts';
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

/** What goes through all holds, computed once for each length of the recording. */
interface Gathered extends LockRecord {
  /** What it was computed from: a recording that is followed grows. */
  end: bigint;
  path: string;
  span: TimeSpan;
  shownHolds: RecordedHold[];
  shownWaits: RecordedWait[];
  starts: number[];
}

/** What a recording says of one lock, for the timeline and for files. */
export class RecordOfLock {
  private readonly time: RecordedTime;
  private readonly lock: () => LockName;
  private readonly window = new TimelineWindow();
  private gathered: Gathered | undefined;
  private last: { of: Gathered; record: RecordedHistory } | undefined;

  /** @param lock by the path of its queue, which may be another one than that of its row */
  constructor(time: RecordedTime, lock: () => LockName) {
    this.time = time;
    this.lock = lock;
  }

  /**
   * @param asked the part of the time that the page asks for
   * @param moment that the queue is of
   */
  facts(asked: TimeSpan | undefined, moment: Moment): RecordedFacts {
    const gathered = this.gather();
    const { span, shownHolds, starts } = gathered;
    const shown = this.window.of(asked, { span, at: moment.time, holds: shownHolds });
    return { time: this.time, moment, record: this.recordIn(gathered, shown), starts };
  }

  /** All holds and waits of the lock as a file. @param cluster name of the recording */
  text(format: 'json' | 'csv', cluster: string): string {
    const { holds, waits } = this.gather();
    if (format === 'csv') return holdsCsv(holds, waits);
    const { from, to, sureFrom, gaps, problems } = this.time.recording;
    return holdsJson({ recording: cluster, from, to, sureFrom, gaps, problems }, holds, waits);
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

  private gather(): Gathered {
    const { recording } = this.time;
    const { from, to } = recording;
    const { path, lockName } = this.lock();
    if (this.gathered?.end === to.zxid && this.gathered.path === path) return this.gathered;
    const isOfLock = (stay: { lockName?: string }): boolean => lockName === undefined || stay.lockName === lockName;
    const holds = recording.holds(path).filter(isOfLock);
    const waits = recording.waits(path).filter(isOfLock);
    // The clock of a later leader may be behind.
    const span = { from: Math.min(from.time, to.time), to: Math.max(from.time, to.time) };
    const shownHolds = withGaps(holds, recording.gaps);
    const shownWaits = allWaits({ holds, waits });
    this.gathered = { holds, waits, path, end: to.zxid, span, shownHolds, shownWaits, starts: startsIn(holds, span) };
    return this.gathered;
  }
}
