import { l10n } from 'vscode';
import { columnTexts, pageTexts } from '../../panelTexts.ts';
import type { PanelTexts } from '../../protocol.ts';
import { kindText } from '../words/contenderText.ts';

/** Every fixed text of the lock panel in the editor's language, with its placeholders. */
export function panelTexts(): PanelTexts {
  return {
    columns: translated(columnTexts),
    kinds: {
      exclusive: kindText('exclusive'),
      read: kindText('read'),
      write: kindText('write'),
      lease: kindText('lease'),
      candidate: kindText('candidate'),
    },
    page: translated(pageTexts),
  };
}

function translated<K extends string>(texts: Readonly<Record<K, string>>): Record<K, string> {
  const entries = Object.entries<string>(texts).map(([key, text]) => [key, l10n.t(text)]);
  return Object.fromEntries(entries) as Record<K, string>;
}
