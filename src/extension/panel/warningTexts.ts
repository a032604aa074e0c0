import { l10n } from 'vscode';
import type { LockQueue } from '../../locks/lockQueue.ts';
import type { LockMarks } from '../../app/clusters/marks.ts';
import { hazardText } from '../words/hazardText.ts';

/** One sentence for each hazard and each mark of a lock. */
export function warningTexts(queue: LockQueue, marks: LockMarks): string[] {
  const kinds = new Set(queue.hazards.map(({ kind }) => kind));
  const texts = [...kinds].map(kind => hazardText(kind));
  const { deadlocked, stale, maybeStale, longHeld } = marks;
  if (deadlocked > 0) texts.push(l10n.t('Sessions of this lock wait for each other for ever: a deadlock.'));
  if (hasEnded(queue, marks))
    texts.push(l10n.t('The lease has ended, as its own data say: perhaps nobody holds the lock.'));
  else if (stale > 0) texts.push(staleText(stale));
  else if (maybeStale > 0) texts.push(maybeStaleText(maybeStale));
  if (longHeld > 0) texts.push(l10n.t('It is held for longer than the setting says is usual.'));
  return texts;
}

/** A lease that says when it ends is alone in its queue. */
function hasEnded({ contenders: [only] }: LockQueue, marks: LockMarks): boolean {
  return only !== undefined && marks.of(only)?.stale.some(({ reason }) => reason === 'lease-expired') === true;
}

function staleText(count: number): string {
  return count === 1
    ? l10n.t('1 contender looks stale: its owner may be gone.')
    : l10n.t('{0} contenders look stale: their owners may be gone.', count);
}

function maybeStaleText(count: number): string {
  return count === 1 ? l10n.t('1 contender may be stale.') : l10n.t('{0} contenders may be stale.', count);
}
