import * as vscode from 'vscode';

// All that the words take from VS Code. The program `zklock`, which speaks English only, is bundled with
// src/zklock/englishLanguage.ts in its place.

/** A text of ours in the language of the editor. */
export function translated(message: string, values: readonly (string | number)[]): string {
  return vscode.l10n.t(message, ...values);
}

/** The editor's language for Intl, not that of the machine's process; `undefined` (that of the process) if Intl knows it not. */
export function locale(): string | undefined {
  try {
    return Intl.getCanonicalLocales(vscode.env.language)[0];
  } catch {
    // A language pack may call itself anything.
    return undefined;
  }
}
