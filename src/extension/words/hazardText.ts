import { l10n } from 'vscode';
import type { Hazard } from '../../locks/lockQueue.ts';

const texts: Record<Hazard['kind'], () => string> = {
  'duplicate-sequence': () => l10n.t('Several contenders have the same sequence number: their order is not certain.'),
  'negative-sequence': () =>
    l10n.t('The sequence counter has overflowed: numbers are negative and libraries disagree about the order.'),
  'sequence-nearly-exhausted': () =>
    l10n.t('The sequence counter is nearly used up; after 2,147,483,647 the order breaks.'),
  'strangers-block': () => l10n.t('A node that is not a contender is in the way: some libraries wait for it or fail.'),
  'mutual-wait': () => l10n.t('Contenders wait for each other: none of them gets the lock.'),
  'mixed-dialects': () =>
    l10n.t('Several libraries use this directory and may not see each other: two clients may hold the lock at once.'),
  'one-lock-or-several': () =>
    l10n.t('These may be several locks, or one lock whose contenders have individual names: then only one holds it.'),
  'not-ephemeral': () =>
    l10n.t('A contender is not ephemeral: no session keeps it alive, and it stays when its owner dies.'),
  'same-session-twice': () =>
    l10n.t(
      'One session has several contenders here: it may wait for itself, unless a reader behind its own write lock holds already (Curator up to 5.4).',
    ),
  'limit-unknown': () => l10n.t('The limit is not stored in the tree: the holders are a guess.'),
  'order-differs-from-creation': () =>
    l10n.t('The order of the names is not the order of creation: a contender may have been overtaken.'),
  unreadable: () => l10n.t('These credentials do not allow reading some nodes: one of them may be the holder.'),
};

/** Why the queue may not be what its contenders believe, in one sentence. */
export function hazardText(kind: Hazard['kind']): string {
  return texts[kind]();
}
