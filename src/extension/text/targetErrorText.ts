import { l10n } from 'vscode';
import { RowGone } from '../commands/rowGone.ts';

/** Why a command was not carried out on what it was called for; `undefined` for any other error. */
export function targetErrorText(error: unknown): { what: string; next: string } | undefined {
  if (error instanceof RowGone) {
    return {
      what: l10n.t('This row is gone: its cluster was removed from the list.'),
      next: l10n.t('Add the cluster again, or choose a row in the Clusters view.'),
    };
  }
  return undefined;
}
