import * as vscode from 'vscode';
import { dialectLabels, type DialectId } from '../../locks/lockQueue.ts';
import type { Language } from './language.ts';

/** Whose naming scheme a queue follows. */
export function dialectText(dialect: DialectId, l10n: Language = vscode.l10n): string {
  switch (dialect) {
    case 'generic':
      return l10n.t('unknown library');
    case 'rw-letters':
      return l10n.t('R-/W- names');
    case 'named-lock':
      return l10n.t('named lock');
    case 'session-named':
      return l10n.t('names with session id');
    case 'exclusive-node':
      return l10n.t('single node');
    default:
      return dialectLabels[dialect];
  }
}
