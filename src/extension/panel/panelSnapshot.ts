import { deadlockOf, markNames, type LockMarks, type MarkName } from '../../app/clusters/marks.ts';
import { startAheadOf } from '../../app/panel/aheadOf.ts';
import type { SnapshotFacts } from '../../app/panel/panelWords.ts';
import { displayText } from '../../base/displayText.ts';
import { shownName } from '../../base/shownName.ts';
import { isLeaseOver, type Contender, type LockQueue } from '../../locks/lockQueue.ts';
import {
  pictureLimit,
  type Mark,
  type PanelSnapshot,
  type Picture,
  type PictureContender,
  type ShownContender,
  type Warning,
} from '../../protocol.ts';
import { dialectText, whoText } from '../words/contenderText.ts';
import { l10n, sentences } from '../words/language.ts';
import { deadlockCaveat, hazardText, markText } from '../words/markText.ts';
import { shownCycles } from './panelCycles.ts';
import { buildAnswer } from './panelAnswer.ts';
import { aheadText, buildTable, type TableFacts } from './lockTable.ts';
import { shownHistory } from './panelHistory.ts';

/** What the page shows now. Texts are built only for what is on screen; the rest of the queue is counted. */
export function buildSnapshot(facts: SnapshotFacts): PanelSnapshot {
  const { queue, marks, view, profile, now, aheadMs, order, owners, history } = facts;
  const marksOf = (contender: Contender): Mark[] => [
    ...markNames(marks.of(contender)),
    ...(facts.isOwn(contender) ? (['own'] as const) : []),
  ];
  const shown = (contender: Contender): ShownContender => ({
    name: shownName(contender.name),
    czxid: String(contender.czxid),
    isHolder: contender.role === 'holder',
    marks: marksOf(contender),
    ...(contender.isUnread === true ? { isUnread: true } : {}),
  });
  const times = { now: now - aheadMs, aheadMs };
  const ahead = startAheadOf(queue.contenders);
  const table: TableFacts = { order, addresses: owners.addresses, shown, marksOf, ahead, ...times };
  return {
    revision: facts.revision,
    takenAt: now,
    status: facts.status,
    lock: {
      path: displayText(queue.path, 1000),
      name: displayText(facts.name),
      cluster: displayText(profile.name),
      isProduction: profile.environment === 'production',
      isReadOnly: profile.readOnly === true,
      isRemoved: facts.isRemoved,
      dialect: dialectText(queue.dialect),
      warnings: lockWarnings(queue, marks, now),
    },
    cycles: shownCycles(marks.cycles, queue),
    ...buildAnswer(queue, { owners, shown, ...times }),
    picture: buildPicture(queue, view.pictureCount, marks, table),
    table: buildTable(queue.contenders, view, table),
    ...shownHistory(history),
  };
}

/** The first `wanted` contenders of the queue, and of those further back only the ones that are part of a deadlock. */
function buildPicture(queue: LockQueue, wanted: number, marks: LockMarks, { shown, ahead }: TableFacts): Picture {
  const { contenders } = queue;
  const head = Math.min(wanted, pictureLimit, contenders.length);
  const drawn: PictureContender[] = [];
  const last = deadlockOf(marks) === undefined ? head : contenders.length;
  for (let at = 0; at < last && drawn.length < pictureLimit; at++) {
    const contender = contenders[at];
    if (contender === undefined || (at >= head && marks.of(contender)?.deadlock === undefined)) continue;
    const found = ahead(contender, at);
    const waitsFor = found === undefined ? {} : { ahead: aheadText(found) };
    drawn.push({ ...shown(contender), ...pictured(contender), ...waitsFor, position: at + 1 });
  }
  const folded = contenders.length - drawn.length;
  return {
    contenders: drawn,
    folded,
    canUnfold: folded > 0 && drawn.length < pictureLimit,
    ...slotsOf(queue),
  };
}

function pictured(contender: Contender): Pick<PictureContender, 'kind' | 'who' | 'waitsFor'> {
  const { kind, waitsFor } = contender;
  return { kind, who: whoText(contender), waitsFor: waitsFor === undefined ? undefined : shownName(waitsFor) };
}

/** The limit comes from the tree: an absurd one draws no slots. */
function slotsOf({ maxLeases = 0 }: LockQueue): { slots?: number } {
  return maxLeases > 0 && maxLeases <= pictureLimit ? { slots: maxLeases } : {};
}

/** One for each kind of hazard and each mark of a lock. @param now epoch ms */
export function lockWarnings(queue: LockQueue, marks: LockMarks, now: number): Warning[] {
  const kinds = new Set(queue.hazards.map(({ kind }) => kind));
  const texts = [...kinds].map(kind => hazardText(kind));
  // A lease with an end time is alone in its queue.
  if (queue.contenders[0] !== undefined && isLeaseOver(queue.contenders[0], now)) {
    texts.push(l10n.t('The lease has ended, as its own data say: perhaps no client holds the lock.'));
  }
  return [...markWarnings(marks), ...texts.map(text => ({ text }))];
}

/** Each with the filter that finds its contenders: the words of the mark. */
function markWarnings(marks: LockMarks): Warning[] {
  const { stale, maybeStale, longHeld } = marks;
  const found = (mark: MarkName, text: string): Warning => ({ text, filter: markText(mark) });
  return [
    ...(deadlockOf(marks) === undefined ? [] : [found('deadlocked', deadlockWarning(marks))]),
    ...(stale > 0 ? [found('stale', staleWarning(stale))] : []),
    ...(maybeStale > 0 ? [found('maybeStale', maybeStaleWarning(maybeStale))] : []),
    ...(longHeld > 0 ? [found('longHeld', l10n.t('It is held for longer than the limit in the settings.'))] : []),
  ];
}

function deadlockWarning({ deadlocked }: LockMarks): string {
  const text =
    deadlocked > 0
      ? l10n.t(
          'Sessions of this lock wait for each other, and nothing has changed for longer than the limit in the settings: a deadlock.',
        )
      : l10n.t('Sessions of this lock wait for each other: this may be a deadlock.');
  return sentences(text, deadlockCaveat());
}

function staleWarning(stale: number): string {
  return stale === 1
    ? l10n.t('1 contender looks stale: its owner may be gone.')
    : l10n.t('{0} contenders look stale: their owners may be gone.', stale);
}

function maybeStaleWarning(count: number): string {
  return count === 1 ? l10n.t('1 contender may be stale.') : l10n.t('{0} contenders may be stale.', count);
}
