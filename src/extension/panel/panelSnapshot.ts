import { l10n } from 'vscode';
import type { ClusterProfile } from '../../app/clusters/clusterProfile.ts';
import type { LockMarks } from '../../app/clusters/marks.ts';
import { displayText } from '../../base/displayText.ts';
import { shownName } from '../../base/shownName.ts';
import type { History } from '../../history/historyRecorder.ts';
import type { SeenHold } from '../../history/seenHolds.ts';
import { isLeaseOver, type Contender, type LockQueue } from '../../locks/lockQueue.ts';
import {
  pictureLimit,
  type Hold,
  type PanelSnapshot,
  type PanelStatus,
  type PanelView,
  type Picture,
  type PictureContender,
  type ShownContender,
} from '../../protocol.ts';
import { dialectText, whoText } from '../words/contenderText.ts';
import { deadlockCaveat, deadlockOf, hazardText, looksStale } from '../words/markText.ts';
import { shownCycles } from './panelCycles.ts';
import { buildTable, type Addresses, type TableOrder } from './lockTable.ts';

/** Everything that a snapshot is built from. */
export interface SnapshotFacts {
  revision: number;
  /** Epoch ms of this machine. */
  now: number;
  /** How far the clock of this machine is ahead of the servers', ms. */
  aheadMs: number;
  status: PanelStatus;
  profile: Pick<ClusterProfile, 'name' | 'environment' | 'readOnly'>;
  isRemoved: boolean;
  /** The lock's name. Foreign text. */
  name: string;
  queue: LockQueue;
  marks: LockMarks;
  view: PanelView;
  history: History;
  order: TableOrder;
  addresses: Addresses;
  isOwn(contender: Contender): boolean;
}

/** What the page shows now. Texts are built only for what is on screen; the rest of the queue is counted. */
export function buildSnapshot(facts: SnapshotFacts): PanelSnapshot {
  const { queue, marks, view, profile, now, aheadMs, order, addresses, history } = facts;
  const shown = (contender: Contender): ShownContender => ({
    name: shownName(contender.name),
    czxid: String(contender.czxid),
    isHolder: contender.role === 'holder',
    isStale: looksStale(marks.of(contender)),
    isOwn: facts.isOwn(contender),
    ...(contender.isUnread === true ? { isUnread: true } : {}),
  });
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
      warnings: warningTexts(queue, marks, now),
    },
    cycles: shownCycles(marks.cycles, queue),
    totals: totalsOf(queue),
    picture: buildPicture(queue, view.pictureCount, marks, shown),
    table: buildTable(queue.contenders, view, { order, addresses, shown, now: now - aheadMs, aheadMs }),
    history: { ...history, holds: history.holds.map(shownHold) },
  };
}

function totalsOf({ contenders, strangers }: LockQueue): PanelSnapshot['totals'] {
  let holders = 0;
  for (const { role } of contenders) if (role === 'holder') holders++;
  return {
    contenders: contenders.length,
    holders,
    waiters: contenders.length - holders,
    strangers: strangers.length,
  };
}

function shownHold({ contender, ...span }: SeenHold): Hold {
  return { name: shownName(contender.name), who: whoText(contender), kind: contender.kind, ...span };
}

/** The first `wanted` contenders of the queue, and of those further back only the ones that are part of a deadlock. */
function buildPicture(
  queue: LockQueue,
  wanted: number,
  marks: LockMarks,
  shown: (contender: Contender) => ShownContender,
): Picture {
  const { contenders } = queue;
  const head = Math.min(wanted, pictureLimit, contenders.length);
  const drawn: PictureContender[] = [];
  const last = deadlockOf(marks) === undefined ? head : contenders.length;
  for (let at = 0; at < last && drawn.length < pictureLimit; at++) {
    const contender = contenders[at];
    const deadlock = contender && marks.of(contender)?.deadlock;
    if (contender === undefined || (at >= head && deadlock === undefined)) continue;
    drawn.push({ ...shown(contender), ...pictured(contender), position: at + 1, deadlock });
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

/** One sentence for each kind of hazard and each mark of a lock. */
export function warningTexts(queue: LockQueue, marks: LockMarks, now: number): string[] {
  const kinds = new Set(queue.hazards.map(({ kind }) => kind));
  const texts = [...kinds].map(kind => hazardText(kind));
  if (deadlockOf(marks) !== undefined) texts.push(`${deadlockWarning(marks)} ${deadlockCaveat()}`);
  // A lease with an end time is alone in its queue.
  if (queue.contenders[0] !== undefined && isLeaseOver(queue.contenders[0], now)) {
    texts.push(l10n.t('The lease has ended, as its own data say: perhaps no client holds the lock.'));
  }
  const stale = staleWarning(marks);
  if (stale !== undefined) texts.push(stale);
  if (marks.longHeld > 0) texts.push(l10n.t('It is held for longer than the limit in the settings.'));
  return texts;
}

function deadlockWarning({ deadlocked }: LockMarks): string {
  return deadlocked > 0
    ? l10n.t(
        'Sessions of this lock wait for each other, and nothing has changed for longer than the limit in the settings: a deadlock.',
      )
    : l10n.t('Sessions of this lock wait for each other: this may be a deadlock.');
}

function staleWarning({ stale, maybeStale }: LockMarks): string | undefined {
  if (stale === 1) return l10n.t('1 contender looks stale: its owner may be gone.');
  if (stale > 0) return l10n.t('{0} contenders look stale: their owners may be gone.', stale);
  if (maybeStale === 1) return l10n.t('1 contender may be stale.');
  return maybeStale > 0 ? l10n.t('{0} contenders may be stale.', maybeStale) : undefined;
}
