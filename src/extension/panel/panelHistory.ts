import type { RecordedFacts } from '../../app/panel/panelWords.ts';
import { waitingSince, type RecordedHold, type RecordedWait } from '../../app/panel/recordedHistory.ts';
import { isSure } from '../../app/clusters/recordedTime.ts';
import { shownName } from '../../base/shownName.ts';
import { sessionText, zxidText } from '../../base/sessionText.ts';
import type { History, SeenHold } from '../../history/historyRecorder.ts';
import type { Moment } from '../../history/hold.ts';
import { gapLimit, type Hold, type RecordedStay, type TimeBar, type Wait } from '../../historyProtocol.ts';
import type { PanelSnapshot } from '../../protocol.ts';
import type { Gap } from '../../replay/recording.ts';
import { whoText } from '../words/contenderText.ts';
import { l10n } from '../words/language.ts';
import { gapCauseText } from '../words/recordingText.ts';

/** The timeline of a lock, and the time bar of a recording. */
export function shownHistory(history: History | RecordedFacts): Pick<PanelSnapshot, 'history' | 'time'> {
  if ('record' in history) return { history: recordedTimeline(history), time: timeBar(history) };
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

function recordedTimeline({ record, time }: RecordedFacts): PanelSnapshot['history'] {
  const { shown } = record;
  return {
    openedAt: shown.from,
    shown,
    isPaused: false,
    events: 0,
    dropped: 0,
    holds: record.holds.map(recordedHold),
    leftOut: record.leftOut,
    waits: record.waits.map(recordedWait),
    waitsLeftOut: record.waitsLeftOut,
    lengths: record.lengths,
    unwatched: spansOf(time.recording.gaps.filter(({ from, to }) => from.time <= shown.to && to.time >= shown.from)),
    figures: record.figures,
  };
}

function spansOf(gaps: readonly Gap[]): { from: number; until: number }[] {
  return gaps.slice(0, gapLimit).map(({ from, to }) => ({ from: from.time, until: Math.max(from.time, to.time) }));
}

function recordedHold(hold: RecordedHold): Hold {
  const { ended, gapMs } = hold;
  return {
    ...stayOf(hold, hold.from),
    ...(gapMs === undefined ? {} : { gapMs }),
    ...(ended === undefined ? {} : { ended }),
  };
}

function recordedWait(wait: RecordedWait): Wait {
  const { ended } = wait;
  return { ...stayOf(wait, waitingSince(wait)), ...(ended === undefined ? {} : { ended }) };
}

function stayOf(stay: RecordedHold | RecordedWait, from: Moment): Omit<Wait, 'ended'> & { recorded: RecordedStay } {
  const { name, kind, isFromBefore, to, endedBy, ownerSession, czxid, queued } = stay;
  return {
    name: shownName(name),
    who: whoText(stay),
    kind,
    from: from.time,
    isFromBefore: isFromBefore === true,
    // The clock of another leader may be behind: no end comes before its beginning.
    ...(to === undefined ? {} : { until: Math.max(from.time, to.time) }),
    ...(endedBy === undefined ? {} : { endedBy: enderText(endedBy) }),
    recorded: {
      zxid: zxidText(from.zxid),
      czxid: String(czxid),
      session: ownerSession === 0n ? l10n.t('not ephemeral') : sessionText(ownerSession),
      queued: queued.time,
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
