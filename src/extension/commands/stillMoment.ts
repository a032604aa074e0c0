import { isSure, type RecordedTime } from '../../app/clusters/recordedTime.ts';
import { NothingToDo } from '../platform/errorReporting.ts';
import { l10n } from '../words/language.ts';
import type { PastMoment } from '../words/pastMoment.ts';

/** The moment of a recording that a report or a file is about. */
export interface StillMoment extends PastMoment {
  time: RecordedTime;
}

/** What is read is of one moment, so a recording stops to play. @returns `undefined` for a live cluster */
export function stillMoment(time: RecordedTime | undefined): StillMoment | undefined {
  if (time === undefined) return undefined;
  if (time.speed > 0 || time.isFollowing) time.pause();
  const { moment, recording } = time;
  return { time, moment, isSure: isSure(recording, moment) };
}

/** @throws NothingToDo if the person went elsewhere meanwhile: what was read is then of several moments */
export function requireStill(past: StillMoment | undefined): void {
  if (past === undefined || past.time.moment.zxid === past.moment.zxid) return;
  throw new NothingToDo(l10n.t('The row has changed meanwhile. Choose the command again.'));
}
