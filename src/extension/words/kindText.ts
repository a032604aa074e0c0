import { l10n } from 'vscode';
import type { Contender } from '../../locks/lockQueue.ts';

/** What a contender wants of its lock, in a word. */
export function kindText(kind: Contender['kind']): string {
  switch (kind) {
    case 'exclusive':
      return l10n.t('exclusive');
    case 'read':
      return l10n.t('read');
    case 'write':
      return l10n.t('write');
    case 'lease':
      return l10n.t('lease');
    case 'candidate':
      return l10n.t('candidate');
  }
}
