import { l10n } from 'vscode';
import { dateTimeText, timeOfDayText } from './localeText.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** A span of time in one unit, rounded down: `12 s`, `3 min`, `5 h`, `2 d`. Negative spans (clocks differ) are `0 s`. */
export function ageText(spanMs: number): string {
  const seconds = Math.max(0, Math.floor(spanMs / 1000));
  if (seconds < minute) return l10n.t('{0} s', seconds);
  if (seconds < hour) return l10n.t('{0} min', Math.floor(seconds / minute));
  if (seconds < 2 * day) return l10n.t('{0} h', Math.floor(seconds / hour));
  return l10n.t('{0} d', Math.floor(seconds / day));
}

/** A moment of today by the clock (`14:03:59`), of another day with its date; local time. */
export function momentText(epochMs: number, now: number): string {
  const sameDay = new Date(epochMs).toDateString() === new Date(now).toDateString();
  return sameDay ? timeOfDayText(epochMs) : dateTimeText(epochMs);
}
