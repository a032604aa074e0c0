import { isHolderUnknown } from '../../locks/lockQueue.ts';
import type { ClusterProfile } from '../../app/clusters/clusterProfile.ts';
import { isSure } from '../../app/clusters/recordedTime.ts';
import { colorIds, contextValues, type ContextValue } from '../platform/contributions.ts';
import { instantText, joined, l10n, momentText } from '../words/language.ts';
import { dialectText } from '../words/contenderText.ts';
import { queueText } from '../words/queueText.ts';
import { unusualText } from '../words/usualText.ts';
import { displayText } from '../../base/displayText.ts';
import { errorSentence } from '../words/errorText.ts';
import { deadlockCaveat, hazardText, lockMarkText } from '../words/markText.ts';
import { deadlockOf, lockSeverity, noMarks, type DeadlockMark, type LockMarks } from '../../app/clusters/marks.ts';
import { serverTime, type LockNode } from '../../app/clusters/clusterModel.ts';
import { labelOf } from '../../app/clusters/lockLabels.ts';
import { deadlockLooks, type Row } from './row.ts';
import { directoryText } from './viewTexts.ts';

type Look = Pick<Row, 'icon' | 'color'>;

/** Who holds and how many wait, as text and as icon. */
function standingOf({ queue, readError, counted, cluster }: LockNode, now: number): Look & { text: string } {
  if (queue === undefined) {
    if (readError !== undefined)
      return { text: l10n.t('cannot be read'), icon: 'error', color: 'list.errorForeground' };
    if (cluster.time !== undefined) return { text: l10n.t('not read at this moment'), icon: 'lock', color: undefined };
    const text = counted === 1 ? l10n.t('1 contender') : l10n.t('{0} contenders', counted);
    return { text, icon: 'lock', color: undefined };
  }
  const text = queueText(queue, now);
  const holders = queue.contenders.filter(contender => contender.role === 'holder');
  const isFree = queue.contenders.length === 0 && !isHolderUnknown(queue);
  if (isFree) return { text, icon: 'unlock', color: undefined };
  const waiters = queue.contenders.length - holders.length;
  if (holders.length === 0) return { text, icon: 'question', color: 'list.warningForeground' };
  return { text, icon: 'lock', color: waiters === 0 ? colorIds.holder : colorIds.waiter };
}

/** A lost session, a deadlock or a hazard shows before the standing. */
function lookOf({ cluster, queue }: LockNode, standing: Look, deadlock: DeadlockMark | undefined): Look {
  const look = deadlock === undefined ? standing : deadlockLooks[deadlock];
  if (cluster.connection.kind === 'lost') return { icon: look.icon, color: 'disabledForeground' };
  const hasHazards = queue !== undefined && queue.hazards.length > 0;
  return hasHazards && deadlock === undefined ? { icon: 'warning', color: 'list.warningForeground' } : look;
}

/** Why the shown queue may be outdated; empty while it is current. */
function trustText(lock: LockNode, now: number): string {
  const { connection, time } = lock.cluster;
  if (time !== undefined && !isSure(time.recording, time.moment)) return l10n.t('not sure');
  if (connection.kind === 'uncertain') return l10n.t('uncertain');
  if (connection.kind === 'lost') return l10n.t('as of {0}', momentText(connection.lastContactAt, now));
  const isOld = lock.readError !== undefined || lock.isLate === true;
  return isOld && lock.queue !== undefined ? l10n.t('out of date') : '';
}

function freshText({ live, queue, cluster: { time } }: LockNode): string {
  if (time !== undefined) return queue === undefined ? '' : l10n.t('As it was at {0}', instantText(time.moment.time));
  return live ? l10n.t('Kept live') : l10n.t('Not live: refresh to read it again');
}

function lockTooltip(lock: LockNode, state: string, marks: LockMarks): string {
  const trouble = lockMarkText(marks);
  const isDeadlocked = deadlockOf(marks) !== undefined;
  const { queue } = lock;
  return joined(
    [
      displayText(lock.path, 1000),
      lock.lockName === undefined ? '' : l10n.t('Lock: {0}', displayText(lock.lockName)),
      l10n.t('State: {0}', state),
      trouble === '' ? '' : `⚠ ${trouble}`,
      isDeadlocked ? deadlockCaveat() : '',
      l10n.t('Naming scheme: {0}', dialectText(lock.dialect)),
      queue?.maxLeases === undefined ? '' : l10n.t('At most {0} may hold at once', queue.maxLeases),
      freshText(lock),
      lock.readError === undefined ? '' : errorSentence(lock.readError),
      ...(queue?.hazards.map(hazard => `⚠ ${hazardText(hazard.kind)}`) ?? []),
    ],
    '\n',
  );
}

function warningsText({ queue }: LockNode): string {
  const hazards = queue?.hazards.length ?? 0;
  if (hazards === 0) return '';
  return hazards === 1 ? l10n.t('1 warning') : l10n.t('{0} warnings', hazards);
}

function contextValueOf({ readOnly, isRecording }: ClusterProfile): ContextValue {
  if (isRecording === true) return contextValues.lockRecorded;
  return readOnly === true ? contextValues.lockReadOnly : contextValues.lock;
}

/** The row of a lock. @param now epoch ms */
export function lockRow(lock: LockNode, now: number, marks: LockMarks = noMarks): Row {
  const { connection, profile } = lock.cluster;
  const trouble = lockMarkText(marks);
  const label = labelOf(lock);
  const path = joined([displayText(lock.path), displayText(lock.lockName ?? '')], ' ');
  const trust = trustText(lock, now);
  const time = serverTime(lock, now);
  const standing = standingOf(lock, time);
  const unusual = unusualText(lock.cluster.usual?.of(lock, time) ?? {});
  const parts = [trust, trouble, standing.text, unusual, warningsText(lock), dialectText(lock.dialect)];
  return {
    label: displayText(label.name),
    description: joined([...parts, directoryText(label)]),
    tooltip: lockTooltip(lock, joined([trust, standing.text, unusual]), marks),
    accessibleLabel: joined([l10n.t('Lock {0}', path), ...parts], ', '),
    ...lookOf(lock, standing, deadlockOf(marks)),
    contextValue: contextValueOf(profile),
    parent: true,
    decoration: connection.kind === 'lost' ? 'dimmed' : lockSeverity(marks),
  };
}
