import { displayText } from '../../base/displayText.ts';
import type {
  BlockerClusterRow,
  BlockerLockRow,
  BlockerMessageRow,
  BlockerMoreRow,
  BlockerPartyRow,
  BlockerRow,
  BlockerWaitRow,
  ShownPlace,
} from '../../app/blockers/blockerRows.ts';
import { serverTime, type LockNode } from '../../app/clusters/clusterModel.ts';
import { labelOf } from '../../app/clusters/lockLabels.ts';
import { contenderSeverity, type ContenderMarks, type DeadlockMark, type LockMarks } from '../../app/clusters/marks.ts';
import { isSure } from '../../app/clusters/recordedTime.ts';
import { colorIds, contextValues, type ContextValue } from '../platform/contributions.ts';
import {
  behindText,
  blockerMessageText,
  circleText,
  costLines,
  costText,
  electionSentence,
  electionText,
  keepsText,
  knownAddress,
  lockPathText,
  memberWaitText,
  sessionLine,
  unknownHolderText,
  waitCountText,
} from '../words/blockerText.ts';
import { kindText, whoText } from '../words/contenderText.ts';
import { standingLine, standingText } from '../words/heldText.ts';
import { instantText, joined, l10n } from '../words/language.ts';
import { contenderMarkLines, contenderMarkText, deadlockCaveat, markText } from '../words/markText.ts';
import { deadlockLooks, type Row } from './row.ts';
import { directoryText } from './viewTexts.ts';

/** The time, and the marks of the locks. */
export interface BlockerLook {
  /** Epoch ms of this machine. */
  now: number;
  marksOf: (lock: LockNode) => LockMarks;
}

/** Names of locks in a tooltip; there may be thousands. */
const maxNamed = 20;

/** A row of the Blockers view, ready to be drawn. */
export function blockerRow(row: BlockerRow, look: BlockerLook): Row {
  switch (row.type) {
    case 'blockerCluster':
      return clusterRow(row);
    case 'blocker':
      return row.kind === 'cycle' ? cycleRow(row, look) : partyRow(row, look);
    case 'blockerLock':
      return lockRow(row, look);
    case 'blockerWait':
      return waitRow(row, look);
    case 'blockerMore':
      return moreRow(row);
    case 'blockerMessage':
      return messageRow(row, look);
  }
}

function plain(label: string, description: string, icon: string, parent = false): Row {
  return {
    label,
    description,
    tooltip: joined([label, description], '\n'),
    accessibleLabel: joined([label, description], ', '),
    icon,
    color: undefined,
    contextValue: contextValues.blockerOther,
    parent,
    decoration: undefined,
  };
}

function clusterRow(row: BlockerClusterRow): Row {
  const { profile, time } = row.cluster;
  const moment = time === undefined ? '' : instantText(time.moment.time);
  const isProduction = profile.environment === 'production';
  const description = joined([isProduction ? l10n.t('production') : '', moment, trustText(row, [])]);
  return {
    ...plain(displayText(profile.name), description, time === undefined ? 'server-environment' : 'history', true),
    decoration: isProduction ? 'production' : undefined,
  };
}

function moreRow({ next, remaining }: BlockerMoreRow): Row {
  const label = l10n.t('Show {0} more of {1}', next, remaining);
  return { ...plain(label, '', 'ellipsis'), contextValue: contextValues.blockerMore };
}

const messageIcons: Readonly<Record<BlockerMessageRow['message']['kind'], string>> = {
  uncertain: 'warning',
  lost: 'sync-ignored',
  connecting: 'debug-disconnect',
  'not-sure': 'question',
  'nothing-waits': 'info',
  'nothing-read': 'eye-closed',
  paused: 'debug-pause',
  unreadable: 'lock',
  'not-live': 'history',
  unread: 'eye-closed',
  'search-none': 'search',
  'search-running': 'search',
  'search-failed': 'search',
  'search-cut': 'search',
  'search-denied': 'search',
  'cycles-unknown': 'warning',
};

function messageRow({ message }: BlockerMessageRow, { now }: BlockerLook): Row {
  const [text, more] = blockerMessageText(message, now);
  return plain(text, more, messageIcons[message.kind]);
}

/** What the menus offer: a row that stands for a session or a lock names it. */
function contextValueOf({ session, lock }: { session: bigint | undefined; lock: LockNode | undefined }): ContextValue {
  if (session !== undefined) {
    return lock === undefined ? contextValues.blockerSession : contextValues.blockerSessionLock;
  }
  return lock === undefined ? contextValues.blockerOther : contextValues.blockerLock;
}

/** Why what a row says of some locks may not be so now; empty while they are current. */
function trustText({ cluster }: BlockerRow, locks: readonly LockNode[]): string {
  const { connection, time } = cluster;
  if (time !== undefined) return isSure(time.recording, time.moment) ? '' : l10n.t('not sure');
  if (connection.kind === 'uncertain') return l10n.t('uncertain');
  if (connection.kind === 'lost') return l10n.t('not current');
  return locks.some(({ live }) => !live) ? l10n.t('as last read') : '';
}

/** Of several nodes what is worst. */
function worstMarks(places: readonly ShownPlace[], { marksOf }: BlockerLook): ContenderMarks | undefined {
  const marked = places.flatMap(({ contender, lock }) => marksOf(lock).of(contender) ?? []);
  const byDeadlock = (wanted: DeadlockMark): ContenderMarks | undefined =>
    marked.find(({ deadlock }) => deadlock === wanted);
  return byDeadlock('lasting') ?? byDeadlock('possible') ?? marked.find(each => contenderSeverity(each)) ?? marked[0];
}

function lookOf(
  row: BlockerRow,
  icon: string,
  color: string,
  marks: ContenderMarks | undefined,
): Pick<Row, 'icon' | 'color' | 'decoration'> {
  const look = marks?.deadlock === undefined ? { icon, color } : deadlockLooks[marks.deadlock];
  if (row.cluster.connection.kind === 'lost') {
    return { icon: look.icon, color: 'disabledForeground', decoration: 'dimmed' };
  }
  return { ...look, decoration: contenderSeverity(marks) };
}

/** The same parts for the eye and for the ear. */
function spoken(label: string, parts: readonly string[]): Pick<Row, 'label' | 'description' | 'accessibleLabel'> {
  return { label, description: joined(parts), accessibleLabel: joined([label, ...parts], ', ') };
}

function partyRow(row: BlockerPartyRow, look: BlockerLook): Row {
  const { cluster, places, contender, ranked } = row;
  const now = serverTime(cluster, look.now);
  const marks = worstMarks(places, look);
  const locks = places.map(({ lock }) => lock);
  const address = knownAddress(cluster, contender);
  const election = electionText(locks);
  const parts = [
    trustText(row, locks),
    contenderMarkText(marks),
    ranked === undefined ? memberWaitText(row, now) : costText(ranked, now),
    keepsText(places),
    unknownHolderText(places),
    election,
    address,
  ];
  return {
    ...spoken(whoText(contender), parts),
    tooltip: joined(
      [
        l10n.t('Keeps others waiting: {0}', whoText(contender)),
        sessionLine(contender, address),
        ...(ranked === undefined ? [memberWaitText(row, now)] : costLines(ranked, now)),
        ...lockLines(places, now),
        ...contenderMarkLines(marks),
        election === '' ? '' : electionSentence(),
      ],
      '\n',
    ),
    ...lookOf(row, places[0]?.contender.role === 'waiter' ? 'clockface' : 'key', colorIds.holder, marks),
    contextValue: contextValueOf(row),
    parent: row.hasChildren,
  };
}

function lockLines(places: readonly ShownPlace[], now: number): string[] {
  const lines = places.slice(0, maxNamed).map(({ lock, contender }) =>
    // The lock's path, and since when it is held.
    joined([l10n.t('Lock: {0}', lockPathText(lock)), kindText(contender.kind), standingText(contender, now)]),
  );
  return places.length > maxNamed ? [...lines, l10n.t('and {0} more', places.length - maxNamed)] : lines;
}

/** A circle lasts only if all of it does: a part of it may have lasted before the rest was closed. */
function circleMark(places: readonly ShownPlace[], { marksOf }: BlockerLook): DeadlockMark {
  return places.every(({ contender, lock }) => marksOf(lock).of(contender)?.deadlock === 'lasting')
    ? 'lasting'
    : 'possible';
}

function cycleRow(row: BlockerPartyRow, look: BlockerLook): Row {
  const { cluster, places, ranked } = row;
  const now = serverTime(cluster, look.now);
  const deadlock = circleMark(places, look);
  const locks = places.map(({ lock }) => lock);
  const election = electionText(locks);
  const mark = markText(deadlock === 'lasting' ? 'deadlocked' : 'maybeDeadlocked');
  const behind = ranked === undefined || ranked.waiting === 0 ? '' : l10n.t('behind them: {0}', costText(ranked, now));
  return {
    ...spoken(circleText(row), [trustText(row, locks), mark, behind, election]),
    tooltip: joined(
      [
        circleText(row),
        mark,
        deadlockCaveat(),
        ...(ranked === undefined || ranked.waiting === 0 ? [] : costLines(ranked, now)),
        ...lockLines(places, now),
        election === '' ? '' : electionSentence(),
      ],
      '\n',
    ),
    ...lookOf(row, deadlockLooks.possible.icon, colorIds.waiter, { stale: [], longHeld: false, deadlock }),
    contextValue: contextValues.blockerOther,
    parent: true,
  };
}

function lockRow(row: BlockerLockRow, look: BlockerLook): Row {
  const { lock, contender, waits, cluster } = row;
  const now = serverTime(cluster, look.now);
  const label = labelOf(lock);
  const marks = look.marksOf(lock).of(contender);
  const election = electionText([lock]);
  const parts = [
    trustText(row, [lock]),
    contenderMarkText(marks),
    waitCountText(waits),
    standingText(contender, now),
    election,
    directoryText(label),
  ];
  return {
    ...spoken(displayText(label.name), parts),
    accessibleLabel: joined([l10n.t('Lock {0}', lockPathText(lock)), ...parts.slice(0, -1)], ', '),
    tooltip: joined(
      [
        lockPathText(lock),
        l10n.t('Kept by {0}', whoText(contender)),
        standingLine(contender, now),
        waitCountText(waits),
        ...contenderMarkLines(marks),
        election === '' ? '' : electionSentence(),
      ],
      '\n',
    ),
    ...lookOf(row, 'lock', colorIds.waiter, marks),
    contextValue: contextValues.blockerLock,
    parent: row.hasChildren,
  };
}

function waitRow(row: BlockerWaitRow, look: BlockerLook): Row {
  const { contender, waitsIn, keeps, isRepeat, cluster } = row;
  const now = serverTime(cluster, look.now);
  const marks = look.marksOf(waitsIn).of(contender);
  const address = knownAddress(cluster, contender);
  const [kept] = keeps;
  const parts = [
    trustText(row, [waitsIn]),
    isRepeat ? l10n.t('see above, in this chain already') : '',
    contenderMarkText(marks),
    behindText(row),
    standingText(contender, now),
    keepsText(keeps),
    keeps.length === 1 && kept !== undefined && !isRepeat ? waitCountText(kept.waits) : '',
    electionText([waitsIn]),
    address,
  ];
  return {
    ...spoken(whoText(contender), parts),
    tooltip: waitTooltip(row, { now, marks, address }),
    ...lookOf(row, isRepeat ? 'reply' : 'clockface', colorIds.waiter, marks),
    contextValue: contextValueOf(row),
    parent: row.hasChildren,
  };
}

function waitTooltip(
  { contender, waitsIn, keeps }: BlockerWaitRow,
  known: { now: number; marks: ContenderMarks | undefined; address: string },
): string {
  const { now, marks, address } = known;
  return joined(
    [
      l10n.t('Waits: {0}', whoText(contender)),
      sessionLine(contender, address),
      joined([l10n.t('Lock: {0}', lockPathText(waitsIn)), kindText(contender.kind)]),
      contender.isUnread === true ? '' : standingLine(contender, now),
      displayText(contender.path, 1000),
      keeps.length === 0 ? '' : l10n.t('It held these before it began to wait, and others wait for them:'),
      ...lockLines(keeps, now),
      ...contenderMarkLines(marks),
      electionText([waitsIn]) === '' ? '' : electionSentence(),
    ],
    '\n',
  );
}
