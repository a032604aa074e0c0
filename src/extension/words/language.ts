import * as vscode from 'vscode';

/**
 * Formats a text with its values: `vscode.l10n` in the language of the editor, `english` for the log and the API.
 *
 * Parameters of this type are called `l10n`, so that `npm run l10n` finds the texts given to `l10n.t`.
 */
export interface Language {
  t(message: string, ...values: (string | number)[]): string;
}

export const english: Language = {
  t: (message, ...values) =>
    message.replaceAll(/\{(\d+)\}/g, (place, index: string) => String(values[Number(index)] ?? place)),
};

/** Whole sentences, one after the other, separated as the language does it; empty ones are left out. */
export function sentencesIn(l10n: Language, parts: readonly string[]): string {
  return parts
    .filter(part => part !== '')
    .reduce((left, right) => (left === '' ? right : l10n.t('{0} {1}', left, right)), '');
}

/** As `sentencesIn`, in the language of the editor. */
export function sentences(...parts: readonly string[]): string {
  return sentencesIn(vscode.l10n, parts);
}

/** Words or facts of one sentence, with the comma of the language. */
export function listed(parts: readonly string[], l10n: Language = vscode.l10n): string {
  return parts.reduce((left, right) => (left === '' ? right : l10n.t('{0}, {1}', left, right)), '');
}

/** The parts that are neither missing nor empty, with `separator` between them. */
export function joined(parts: readonly (string | undefined)[], separator = ' · '): string {
  return parts.filter(part => part !== undefined && part !== '').join(separator);
}

/** Makes foreign text (names, identifiers, addresses) harmless; it leaves no line breaks and no control characters. */
export type Clean = (text: string) => string;

/** The path of a lock, and its name where one directory holds several. */
export function lockText({ path, lockName }: { path: string; lockName?: string }, clean: Clean): string {
  return lockName === undefined ? clean(path) : `${clean(path)} (${clean(lockName)})`;
}

/** The editor's language for Intl, not that of the machine's process; `undefined` (that of the process) if Intl knows it not. */
function locale(): string | undefined {
  try {
    return Intl.getCanonicalLocales(vscode.env.language)[0];
  } catch {
    // A language pack may call itself anything.
    return undefined;
  }
}

/** A number with the groups of the editor's language: `12,345`. */
export function numberText(value: number): string {
  return value.toLocaleString(locale());
}

/** A moment, in epoch ms, as day and time of day; local time. */
export function dateTimeText(epochMs: number): string {
  return new Date(epochMs).toLocaleString(locale());
}

/** A moment, in epoch ms, as time of day; local time. */
export function timeOfDayText(epochMs: number): string {
  return new Date(epochMs).toLocaleTimeString(locale());
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** A span of time in one unit, rounded down: `12 s`, `3 min`, `5 h`, `2 d`. Negative spans (clocks differ) are `0 s`. */
export function ageText(spanMs: number): string {
  const seconds = Math.max(0, Math.floor(spanMs / 1000));
  if (seconds < minute) return vscode.l10n.t('{0} s', seconds);
  if (seconds < hour) return vscode.l10n.t('{0} min', Math.floor(seconds / minute));
  if (seconds < 2 * day) return vscode.l10n.t('{0} h', Math.floor(seconds / hour));
  return vscode.l10n.t('{0} d', Math.floor(seconds / day));
}

/** A moment of today by the clock (`14:03:59`), of another day with its date; local time. */
export function momentText(epochMs: number, now: number): string {
  const sameDay = new Date(epochMs).toDateString() === new Date(now).toDateString();
  return sameDay ? timeOfDayText(epochMs) : dateTimeText(epochMs);
}
