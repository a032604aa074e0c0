import { isHolderUnknown, isLeaseOver, type Contender, type LockQueue } from '../../locks/lockQueue.ts';
import { whoText } from './contenderText.ts';
import { joined, l10n } from './language.ts';

function severalHoldersText(holders: readonly Contender[]): string {
  const kinds = new Set(holders.map(holder => holder.kind));
  if (kinds.size === 1 && kinds.has('read')) return l10n.t('{0} readers hold', holders.length);
  if (kinds.size === 1 && kinds.has('lease')) return l10n.t('{0} leases held', holders.length);
  return l10n.t('{0} hold', holders.length);
}

function holdersText(holders: readonly Contender[], isUnknown: boolean, now: number): string {
  const [first] = holders;
  if (first === undefined) return isUnknown ? l10n.t('holder not known') : l10n.t('no holder');
  if (holders.length > 1) return severalHoldersText(holders);
  if (isLeaseOver(first, now)) return l10n.t('lease of {0} has ended', whoText(first));
  if (first.kind === 'candidate') return l10n.t('led by {0}', whoText(first));
  if (first.kind === 'read') return l10n.t('read by {0}', whoText(first));
  return l10n.t('held by {0}', whoText(first));
}

/** Who holds and how many wait, in a few words. @param now epoch ms of the server's clock */
export function queueText(queue: LockQueue, now: number): string {
  const holders = queue.contenders.filter(contender => contender.role === 'holder');
  const waiters = queue.contenders.length - holders.length;
  const isUnknown = isHolderUnknown(queue);
  if (queue.contenders.length === 0 && !isUnknown) return l10n.t('free');
  const waiting = waiters === 0 ? '' : l10n.t('{0} waiting', waiters);
  return joined([holdersText(holders, isUnknown, now), waiting]);
}
