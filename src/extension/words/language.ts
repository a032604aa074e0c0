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
