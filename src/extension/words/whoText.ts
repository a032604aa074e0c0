import { l10n } from 'vscode';
import type { Contender } from '../../locks/lockQueue.ts';
import { displayText } from '../../base/displayText.ts';
import { sessionText } from '../../base/sessionText.ts';

/** Who a contender is: its identifier, else its session, else its node's name. */
export function whoText(contender: Contender): string {
  if (contender.identifier.trim() !== '') return displayText(contender.identifier, 60);
  if (contender.ownerSession !== 0n) return l10n.t('session {0}', sessionText(contender.ownerSession));
  return displayText(contender.name, 60);
}
