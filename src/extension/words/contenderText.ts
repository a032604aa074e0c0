import * as vscode from 'vscode';
import { dialectLabels, type Contender, type DialectId } from '../../locks/lockQueue.ts';
import { displayText } from '../../base/displayText.ts';
import { sessionText } from '../../base/sessionText.ts';
import type { Language } from './language.ts';

/** Who a contender is: its identifier, else its session, else its node's name. */
export function whoText(contender: Contender): string {
  if (contender.identifier.trim() !== '') return displayText(contender.identifier, 60);
  if (contender.ownerSession !== 0n) return vscode.l10n.t('session {0}', sessionText(contender.ownerSession));
  return displayText(contender.name, 60);
}

const kindTexts: Readonly<Record<Contender['kind'], () => string>> = {
  exclusive: () => vscode.l10n.t('exclusive'),
  read: () => vscode.l10n.t('read'),
  write: () => vscode.l10n.t('write'),
  lease: () => vscode.l10n.t('lease'),
  candidate: () => vscode.l10n.t('candidate'),
};

/** The kind of access that a contender requests, in a word. */
export function kindText(kind: Contender['kind']): string {
  return kindTexts[kind]();
}

/** The library or naming scheme of a queue. */
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
