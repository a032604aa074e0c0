import { l10n } from 'vscode';

/** Whole sentences, one after the other, with the blank between them that the language wants or none; empty ones are left out. */
export function sentences(...parts: readonly string[]): string {
  return parts
    .filter(part => part !== '')
    .reduce((left, right) => (left === '' ? right : l10n.t('{0} {1}', left, right)), '');
}

/** Words or facts of one sentence, with the comma of the language. */
export function listed(parts: readonly string[]): string {
  return parts.reduce((left, right) => (left === '' ? right : l10n.t('{0}, {1}', left, right)), '');
}

/** The parts that are neither missing nor empty, with `separator` between them. */
export function joined(parts: readonly (string | undefined)[], separator = ' · '): string {
  return parts.filter(part => part !== undefined && part !== '').join(separator);
}
