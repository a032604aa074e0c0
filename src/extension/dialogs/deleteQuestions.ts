import { l10n } from 'vscode';
import { displayText } from '../../base/displayText.ts';
import { askText, valueOf } from './quickInput.ts';

/**
 * Asks the user to type a name before a delete, where a click is not enough.
 *
 * @param name as the tree shows it, unseen characters as their codes
 * @throws CancelledError when it is not typed
 */
export async function askTypedName(title: string, name: string): Promise<void> {
  const shown = displayText(name);
  const answer = await askText({
    title,
    value: '',
    prompt: l10n.t('Type "{0}" to delete. Escape deletes nothing.', shown),
    placeholder: shown,
    validate: text => (text.trim() === name ? undefined : l10n.t('This is not "{0}".', shown)),
  });
  valueOf(answer);
}
