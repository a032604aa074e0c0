import type { Event } from '../../base/event.ts';
import type { Moment } from '../../history/hold.ts';
import type { LockName } from '../../history/lockHistory.ts';
import type { Gap, Instant, Recording } from '../../replay/recording.ts';

/** What the files of a recording are: transaction logs of servers, those of the recorder, or an incident file. */
export const sourceKinds = ['logs', 'journal', 'incident'] as const;
export type SourceKind = (typeof sourceKinds)[number];

/** What `step` goes to: a moment where a hold begins, or where a session ends that held or waited. */
export type Step = 'hand-over' | 'session end';

/** The moment that the rows and panels of one recording show. */
export interface RecordedTime {
  readonly recording: Recording;
  readonly kind: SourceKind;
  /** Where its files are, or its file. Absolute. Foreign text. */
  readonly folder: string;
  /** `zxid`: the last transaction at or before it. `time` may be later than that transaction's, up to the end of the recording. */
  readonly moment: Moment;
  /** Times real time; 0: not playing. */
  readonly speed: number;
  /** Whether what a running server adds is read, and the moment stays at the end. */
  readonly isFollowing: boolean;
  /** Another moment, another speed, or a longer recording. */
  readonly onMove: Event<undefined>;
  /** Stops to play and to follow. Outside of the recording: its first or last moment. */
  moveTo(instant: Instant): void;
  /**
   * Goes to the nearest such moment before or behind the present one.
   *
   * @param lock only what is of that lock
   * @returns whether there is one; if not, the moment stays. True also where something else was done meanwhile: then that counts
   */
  step(what: Step, direction: 1 | -1, lock?: LockName): Promise<boolean>;
  /** @param speed times real time; at the end of the recording it pauses */
  play(speed: number): void;
  pause(): void;
  /** Whether the tail of the files is read again and again, as a running server writes them. */
  follow(isWanted: boolean): void;
  /** Reads once what was added to the files. A moment that was the end stays the end, another one stays. Failures are logged. */
  readOn(): Promise<void>;
}

/** The gap that a moment is in: what was there then is not known for certain. */
export function gapAt({ gaps }: Pick<Recording, 'gaps'>, { zxid, time }: Moment): Gap | undefined {
  return gaps.find(({ from, to, why, lastsAtEnd }) => {
    // Files that are missing begin behind a moment that is known; without a snapshot the first moment is in doubt, too.
    const isKnownAtStart = why !== 'no snapshot' && why !== 'fuzzy snapshot';
    const hasBegun = zxid > from.zxid || (zxid === from.zxid && (!isKnownAtStart || time > from.time));
    return hasBegun && (zxid < to.zxid || (lastsAtEnd === true && zxid === to.zxid));
  });
}

/** Whether what is shown at a moment is proven by the files: not in a gap, and not before the picture is complete. */
export function isSure(recording: Pick<Recording, 'gaps' | 'sureFrom'>, moment: Moment): boolean {
  return moment.zxid >= recording.sureFrom.zxid && gapAt(recording, moment) === undefined;
}
