import type { RecordedFacts, SeenFacts } from '../../app/panel/panelWords.ts';
import { waitingSince, type RecordedHold, type RecordedWait } from '../../app/panel/recordedHistory.ts';
import { isSure } from '../../app/clusters/recordedTime.ts';
import { shownName } from '../../base/shownName.ts';
import { sessionText, zxidText } from '../../base/sessionText.ts';
import type { History, SeenHold } from '../../history/historyRecorder.ts';
import type { Moment } from '../../history/hold.ts';
import {
  gapLimit,
  type Hold,
  type RecordedStay,
  type TimeBar,
  type TimeSpan,
  type Wait,
} from '../../historyProtocol.ts';
import type { PanelSnapshot } from '../../protocol.ts';
import type { Gap } from '../../replay/recording.ts';
import { whoText } from '../words/contenderText.ts';
import { l10n } from '../words/language.ts';
import { gapCauseText } from '../words/recordingText.ts';

/** The timeline of a lock, and the time bar of a recording. */
export function shownHistory(history: History | RecordedFacts | SeenFacts): Pick<PanelSnapshot, 'history' | 'time'> {
  if ('time' in history) {
    const { gaps } = history.time.recording;
    return { history: recordedTimeline({ ...history, gaps }, 0), time: timeBar(history) };
  }
  if ('record' in history) return { history: seenTimeline(history) };
  return { history: { ...history, holds: history.holds.map(seenHold), waits: [], waitsLeftOut: 0 } };
}

/** Why a hold ended a window cannot see. */
function seenHold(hold: SeenHold): Hold {
  const { name, kind, from, isFromBefore = false, to, gapMs } = hold;
  return {
    name: shownName(name),
    who: whoText(hold),
    kind,
    from: from.time,
    isFromBefore,
    ...(to === undefined ? {} : { until: to.time }),
    ...(gapMs === undefined ? {} : { gapMs }),
  };
}

/** What the recorder of this window has seen: its times are those of the servers' clock, the page's that of this machine. */
function seenTimeline(facts: SeenFacts): PanelSnapshot['history'] {
  return { ...recordedTimeline(facts, facts.aheadMs), whole: moved(facts.whole, facts.aheadMs) };
}

function moved({ from, to }: TimeSpan, ms: number): TimeSpan {
  return { from: from + ms, to: to + ms };
}

/** @param ahead ms to be added to all times */
function recordedTimeline(
  { record, gaps, whole }: Pick<SeenFacts, 'record' | 'gaps' | 'whole'>,
  ahead: number,
): PanelSnapshot['history'] {
  const { shown } = record;
  const unknown = gaps
    // What is known ends where the last one begins.
    .map(gap => (gap.lastsAtEnd === true && gap === gaps.at(-1) ? { ...gap, to: { ...gap.to, time: whole.to } } : gap))
    .filter(({ from, to }) => from.time <= shown.to && to.time >= shown.from);
  return {
    openedAt: shown.from + ahead,
    shown: moved(shown, ahead),
    isPaused: false,
    events: 0,
    dropped: 0,
    holds: record.holds.map(hold => recordedHold(hold, ahead)),
    leftOut: record.leftOut,
    waits: record.waits.map(wait => recordedWait(wait, ahead)),
    waitsLeftOut: record.waitsLeftOut,
    lengths: record.lengths.map(({ at, contenders }) => ({ at: at + ahead, contenders })),
    unwatched: spansOf(unknown, ahead),
    figures: record.figures,
  };
}

function spansOf(gaps: readonly Gap[], ahead = 0): { from: number; until: number }[] {
  return gaps
    .slice(0, gapLimit)
    .map(({ from, to }) => ({ from: from.time + ahead, until: Math.max(from.time, to.time) + ahead }));
}

function recordedHold(hold: RecordedHold, ahead: number): Hold {
  const { ended, gapMs } = hold;
  return {
    ...stayOf(hold, hold.from, ahead),
    ...(gapMs === undefined ? {} : { gapMs }),
    ...(ended === undefined ? {} : { ended }),
  };
}

function recordedWait(wait: RecordedWait, ahead: number): Wait {
  const { ended } = wait;
  return { ...stayOf(wait, waitingSince(wait), ahead), ...(ended === undefined ? {} : { ended }) };
}

function stayOf(
  stay: RecordedHold | RecordedWait,
  from: Moment,
  ahead: number,
): Omit<Wait, 'ended'> & { recorded: RecordedStay } {
  const { name, kind, isFromBefore, isEndUnseen, to, endedBy, ownerSession, czxid, queued } = stay;
  return {
    name: shownName(name),
    who: whoText(stay),
    kind,
    from: from.time + ahead,
    isFromBefore: isFromBefore === true,
    ...(isEndUnseen === true ? { isEndUnseen } : {}),
    // The clock of another leader may be behind: no end comes before its beginning.
    ...(to === undefined ? {} : { until: Math.max(from.time, to.time) + ahead }),
    ...(endedBy === undefined ? {} : { endedBy: enderText(endedBy) }),
    recorded: {
      zxid: zxidText(from.zxid),
      czxid: String(czxid),
      session: ownerSession === 0n ? l10n.t('not ephemeral') : sessionText(ownerSession),
      queued: queued.time + ahead,
    },
  };
}

/** Who deleted a node of another session. @param session 0n: the server */
function enderText(session: bigint): string {
  return session === 0n ? l10n.t('the server') : l10n.t('session {0}', sessionText(session));
}

function timeBar({ time, moment, starts }: RecordedFacts): TimeBar {
  const { from, to, gaps, sureFrom } = time.recording;
  return {
    from: Math.min(from.time, to.time),
    to: Math.max(from.time, to.time),
    at: moment.time,
    zxid: zxidText(moment.zxid),
    speed: time.speed,
    isFollowing: time.isFollowing,
    ...(time.kind === 'incident' ? { isFixed: true } : {}),
    sureFrom: sureFrom.time,
    isSure: isSure(time.recording, moment),
    gaps: spansOf(gaps).map(({ from: start, until }, index) => ({
      from: start,
      to: until,
      why: gaps[index] === undefined ? '' : gapCauseText(gaps[index].why),
    })),
    starts,
  };
}
