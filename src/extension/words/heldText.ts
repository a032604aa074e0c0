import { heldFor } from '../../locks/heldSince.ts';
import { isLeaseOver, type Contender } from '../../locks/lockQueue.ts';
import { ageText, l10n } from './language.ts';

// Since when a contender holds or waits. How long it holds is known as an interval, so no text says more than that. Every `now` is
// epoch ms of the server's clock.

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** For how long it holds, if that can be said. Bounds that differ by less than the unit of the text are one. */
function heldSpan(contender: Contender, now: number): string | undefined {
  const { least, most } = heldFor(contender, now);
  if (most - least <= second) return ageText(most);
  return least < second ? undefined : rangeText(least, most);
}

/** With the unit once where both have the same; seconds up to two minutes. */
function rangeText(least: number, most: number): string {
  if (most < 120 * second) return l10n.t('{0}–{1} s', Math.floor(least / second), Math.floor(most / second));
  const [from, to] = [ageText(least), ageText(most)];
  if (from === to) return to;
  // The unit of each is that of `ageText`.
  if (least >= minute && most < hour)
    return l10n.t('{0}–{1} min', Math.floor(least / minute), Math.floor(most / minute));
  if (least >= hour && most < 2 * day) return l10n.t('{0}–{1} h', Math.floor(least / hour), Math.floor(most / hour));
  if (least >= 2 * day) return l10n.t('{0}–{1} d', Math.floor(least / day), Math.floor(most / day));
  return l10n.t('{0}–{1}', from, to);
}

function roleText({ role, kind }: Contender): string {
  if (role === 'waiter') return l10n.t('waits');
  return kind === 'candidate' ? l10n.t('leads') : l10n.t('holds');
}

/** How long it holds or waits, for a row: `held 5–64 s`, `waits 3 min`. */
export function standingText(contender: Contender, now: number): string {
  if (contender.isUnread === true) return roleText(contender);
  const queued = ageText(now - contender.createdAt);
  if (contender.role === 'waiter') return l10n.t('waits {0}', queued);
  if (isLeaseOver(contender, now)) return l10n.t('lease has ended');
  const isCandidate = contender.kind === 'candidate';
  const held = heldSpan(contender, now);
  if (held !== undefined) return isCandidate ? l10n.t('has led for {0}', held) : l10n.t('held {0}', held);
  return isCandidate
    ? l10n.t('leads · queued {0} ago, hand-over not seen', queued)
    : l10n.t('holds · queued {0} ago, hand-over not seen', queued);
}

/** The same as a line of its own. */
export function standingLine(contender: Contender, now: number): string {
  const queued = ageText(now - contender.createdAt);
  if (contender.role === 'waiter') return l10n.t('Has waited for: {0}', queued);
  if (isLeaseOver(contender, now)) return l10n.t('Its lease was given {0} ago', queued);
  const held = heldSpan(contender, now);
  return held === undefined
    ? l10n.t('Queued: {0} ago. The hand-over was not seen, so it may hold for less.', queued)
    : l10n.t('Held for: {0}', held);
}
