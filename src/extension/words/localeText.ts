import { env } from 'vscode';

/** The editor's language for Intl, not that of the machine's process; `undefined` (that of the process) if Intl knows it not. */
function locale(): string | undefined {
  try {
    return Intl.getCanonicalLocales(env.language)[0];
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
