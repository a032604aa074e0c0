import { displayText } from '../../base/displayText.ts';
import { timeFormat } from '../../panelTexts.ts';
import { locale, translated } from './editorLanguage.ts';

/**
 * Formats a text with its values: `l10n` in the language of the editor, `english` for the log.
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

function inLanguageOfEditor(message: string, ...values: (string | number)[]): string {
  return translated(
    message,
    values.map(value => (typeof value === 'number' ? numberText(value) : value)),
  );
}

/** In the language of the editor, with its format of numbers. Every text of the extension comes from here. */
export const l10n: Language = { t: inLanguageOfEditor };

/** The same, by a name that parameters do not hide. */
export const inEditor: Language = { t: inLanguageOfEditor };

/** Whole sentences, one after the other, separated as the language does it; empty ones are left out. */
export function sentencesIn(l10n: Language, parts: readonly string[]): string {
  return parts
    .filter(part => part !== '')
    .reduce((left, right) => (left === '' ? right : l10n.t('{0} {1}', left, right)), '');
}

/** As `sentencesIn`, in the language of the editor. */
export function sentences(...parts: readonly string[]): string {
  return sentencesIn(inEditor, parts);
}

/** Words or facts of one sentence, with the comma of the language. */
export function listed(parts: readonly string[], l10n: Language = inEditor): string {
  return parts.reduce((left, right) => (left === '' ? right : l10n.t('{0}, {1}', left, right)), '');
}

/** The parts that are neither missing nor empty, with `separator` between them. */
export function joined(parts: readonly (string | undefined)[], separator = ' · '): string {
  return parts.filter(part => part !== undefined && part !== '').join(separator);
}

/** A word that cannot be taken for words of ours: some scripts write whole sentences without a blank. */
const plainWord = /^[!#-~\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]+$/u;

/**
 * Foreign text (an identifier, a node's name, a path) where it stands among words of ours: in quotes unless it is one plain word,
 * so that it cannot go on as a sentence of ours. Quotes within it become single ones.
 */
export function nameText(foreign: string, maxLength = 60, l10n: Language = inEditor): string {
  const shown = displayText(foreign, maxLength);
  return plainWord.test(shown) ? shown : l10n.t('"{0}"', shown.replaceAll(/["“”„«»「」]/gu, "'"));
}

/** Makes foreign text (names, identifiers, addresses) harmless; it leaves no line breaks and no control characters. */
export type Clean = (text: string) => string;

/** The path of a lock, and its name where one directory holds several. */
export function lockText({ path, lockName }: { path: string; lockName?: string }, clean: Clean): string {
  return lockName === undefined ? clean(path) : `${clean(path)} (${clean(lockName)})`;
}

/** A number with the groups of the editor's language: `12,345`. */
export function numberText(value: number): string {
  // Most numbers are small, and Intl is slow.
  return Number.isInteger(value) && Math.abs(value) < 1_000 ? String(value) : value.toLocaleString(locale());
}

/** A moment, in epoch ms, as day and time of day; local time. */
export function dateTimeText(epochMs: number): string {
  return `${new Date(epochMs).toLocaleDateString(locale())} ${timeOfDayText(epochMs)}`;
}

/** A moment, in epoch ms, as time of day; local time. */
export function timeOfDayText(epochMs: number): string {
  return new Date(epochMs).toLocaleTimeString(locale(), timeFormat);
}

/** A moment, in epoch ms, as hour and minute; local time. */
export function shortTimeText(epochMs: number): string {
  const { hour, minute, hourCycle } = timeFormat;
  return new Date(epochMs).toLocaleTimeString(locale(), { hour, minute, hourCycle });
}

/** A moment of a recording, in epoch ms, exact: day, time of day and milliseconds; local time. */
export function instantText(epochMs: number): string {
  return `${new Date(epochMs).toLocaleDateString(locale())} ${exactTimeText(epochMs)}`;
}

/** The same without the day. */
export function exactTimeText(epochMs: number): string {
  return new Date(epochMs).toLocaleTimeString(locale(), { ...timeFormat, fractionalSecondDigits: 3 });
}

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

/** A span that may be shorter than a second, such as a timeout: `400 ms`, else as `ageText`. */
export function spanText(spanMs: number): string {
  return spanMs < 1_000 ? l10n.t('{0} ms', spanMs) : ageText(spanMs);
}

/** A moment of today by the clock (`14:03:59`), of another day with its date; local time. */
export function momentText(epochMs: number, now: number): string {
  const sameDay = new Date(epochMs).toDateString() === new Date(now).toDateString();
  return sameDay ? timeOfDayText(epochMs) : dateTimeText(epochMs);
}
