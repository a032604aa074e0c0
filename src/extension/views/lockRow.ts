import { l10n } from 'vscode';
import { isHolderUnknown } from '../../locks/isHolderUnknown.ts';
import { isLeaseOver } from '../../locks/leaseEnd.ts';
import type { Contender, LockQueue } from '../../locks/lockQueue.ts';
import { colorIds, contextValues, type ContextValue } from '../platform/contributions.ts';
import { momentText } from '../words/ageText.ts';
import { dialectText } from '../words/dialectText.ts';
import { displayText } from '../../base/displayText.ts';
import { errorSentence } from '../words/errorText.ts';
import { hazardText } from '../words/hazardText.ts';
import { whoText } from '../words/whoText.ts';
import { lockSeverity, lockMarkText } from '../words/markText.ts';
import { noMarks, type LockMarks } from '../../app/clusters/marks.ts';
import type { LockNode } from '../../app/clusters/clusterModel.ts';
import { joined } from '../words/language.ts';
import type { Row } from './row.ts';

type Standing = 'unread' | 'unreadable' | 'free' | 'held' | 'contended' | 'nobody-holds';

interface Counts {
  holders: readonly Contender[];
  waiters: number;
}

function count(queue: LockQueue): Counts {
  const holders = queue.contenders.filter(contender => contender.role === 'holder');
  return { holders, waiters: queue.contenders.length - holders.length };
}

function standingOf(lock: LockNode): Standing {
  if (lock.queue === undefined) return lock.readError === undefined ? 'unread' : 'unreadable';
  const { holders, waiters } = count(lock.queue);
  if (holders.length === 0) return waiters === 0 && !isHolderUnknown(lock.queue) ? 'free' : 'nobody-holds';
  return waiters === 0 ? 'held' : 'contended';
}

function severalHoldersText(holders: readonly Contender[]): string {
  const kinds = new Set(holders.map(holder => holder.kind));
  if (kinds.size === 1 && kinds.has('read')) return l10n.t('{0} readers hold', holders.length);
  if (kinds.size === 1 && kinds.has('lease')) return l10n.t('{0} leases held', holders.length);
  return l10n.t('{0} hold', holders.length);
}

function holdersText(holders: readonly Contender[], isUnknown: boolean, now: number): string {
  const [first] = holders;
  if (first === undefined) return isUnknown ? l10n.t('who holds it is not known') : l10n.t('nobody holds it');
  if (holders.length > 1) return severalHoldersText(holders);
  if (isLeaseOver(first, now)) return l10n.t('lease of {0} has ended', whoText(first));
  if (first.kind === 'candidate') return l10n.t('led by {0}', whoText(first));
  if (first.kind === 'read') return l10n.t('read by {0}', whoText(first));
  return l10n.t('held by {0}', whoText(first));
}

function stateText(lock: LockNode, now: number): string {
  if (lock.queue === undefined) {
    if (lock.readError !== undefined) return l10n.t('cannot be read');
    return lock.counted === 1 ? l10n.t('1 contender') : l10n.t('{0} contenders', lock.counted);
  }
  const { holders, waiters } = count(lock.queue);
  const isUnknown = isHolderUnknown(lock.queue);
  if (lock.queue.contenders.length === 0 && !isUnknown) return l10n.t('free');
  const waiting = waiters === 0 ? '' : l10n.t('{0} waiting', waiters);
  return joined([holdersText(holders, isUnknown, now), waiting]);
}

/** How far the picture can be trusted; empty while it is current. */
function trustText(lock: LockNode, now: number): string {
  const { connection } = lock.cluster;
  if (connection.kind === 'uncertain') return l10n.t('uncertain');
  if (connection.kind === 'lost') return l10n.t('as of {0}', momentText(connection.lastContactAt, now));
  return lock.readError !== undefined && lock.queue !== undefined ? l10n.t('out of date') : '';
}

const looks: Record<Standing, { icon: string; color: string | undefined }> = {
  unread: { icon: 'lock', color: undefined },
  unreadable: { icon: 'error', color: 'list.errorForeground' },
  free: { icon: 'unlock', color: undefined },
  held: { icon: 'lock', color: colorIds.holder },
  contended: { icon: 'lock', color: colorIds.waiter },
  'nobody-holds': { icon: 'question', color: 'list.warningForeground' },
};

function look(lock: LockNode): { icon: string; color: string | undefined } {
  if (lock.cluster.connection.kind === 'lost') return { ...looks[standingOf(lock)], color: 'disabledForeground' };
  if (lock.queue !== undefined && lock.queue.hazards.length > 0) {
    return { icon: 'warning', color: 'list.warningForeground' };
  }
  return looks[standingOf(lock)];
}

function lockTooltip(lock: LockNode, now: number, trouble: string): string {
  const { queue } = lock;
  return joined(
    [
      displayText(lock.path, 1000),
      lock.lockName === undefined ? '' : l10n.t('Lock: {0}', displayText(lock.lockName)),
      l10n.t('State: {0}', joined([trustText(lock, now), stateText(lock, now)])),
      trouble === '' ? '' : `⚠ ${trouble}`,
      l10n.t('Names as by: {0}', dialectText(lock.dialect)),
      queue?.maxLeases === undefined ? '' : l10n.t('At most {0} may hold at once', queue.maxLeases),
      lock.live ? l10n.t('Kept live') : l10n.t('Not live: refresh to read it again'),
      lock.readError === undefined ? '' : errorSentence(lock.readError),
      ...(queue?.hazards.map(hazard => `⚠ ${hazardText(hazard.kind)}`) ?? []),
    ],
    '\n',
  );
}

function contextValueOf({ cluster }: LockNode): ContextValue {
  return cluster.profile.readOnly === true ? contextValues.lockReadOnly : contextValues.lock;
}

/**
 * Whether what the row says became untrue by time alone: a lease that says when it ends is the first of its queue. By the minute, as
 * marks are: the row needs both.
 */
export function leaseEndedBetween({ queue }: LockNode, before: number, now: number): boolean {
  const first = queue?.contenders[0];
  return first !== undefined && !isLeaseOver(first, minuteOf(before)) && isLeaseOver(first, minuteOf(now));
}

function minuteOf(moment: number): number {
  return moment - (moment % 60_000);
}

export function lockRow(lock: LockNode, now: number, marks: LockMarks = noMarks): Row {
  const trouble = lockMarkText(marks);
  const path = displayText(lock.path);
  const name = lock.lockName === undefined ? undefined : displayText(lock.lockName);
  const trust = trustText(lock, now);
  const hazards = lock.queue?.hazards.length ?? 0;
  const warnings = hazards === 0 ? '' : hazards === 1 ? l10n.t('1 warning') : l10n.t('{0} warnings', hazards);
  const dialect = dialectText(lock.dialect);
  return {
    label: name ?? path,
    description: joined([name === undefined ? '' : path, trust, trouble, stateText(lock, now), warnings, dialect]),
    tooltip: lockTooltip(lock, now, trouble),
    accessibleLabel: joined(
      [l10n.t('Lock {0}', joined([path, name], ' ')), trust, trouble, stateText(lock, now), warnings, dialect],
      ', ',
    ),
    ...look(lock),
    contextValue: contextValueOf(lock),
    parent: true,
    decoration: lock.cluster.connection.kind === 'lost' ? 'dimmed' : lockSeverity(marks),
  };
}
