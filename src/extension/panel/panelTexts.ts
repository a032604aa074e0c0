import { columnTexts, pageTexts } from '../../panelTexts.ts';
import { allMarks, type Mark, type PanelTexts } from '../../protocol.ts';
import { kindText } from '../words/contenderText.ts';
import { markText } from '../words/markText.ts';
import { l10n } from '../words/language.ts';

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
    marks: Object.fromEntries(allMarks.map(mark => [mark, shownMarkText(mark)])) as PanelTexts['marks'],
    page: translated(pageTexts),
  };
}

/** What the page and its filter call a mark. */
export function shownMarkText(mark: Mark): string {
  return mark === 'own' ? l10n.t('test lock of this window') : markText(mark);
}

function translated<K extends string>(texts: Readonly<Record<K, string>>): Record<K, string> {
  const entries = Object.entries<string>(texts).map(([key, text]) => [key, l10n.t(text)]);
  return Object.fromEntries(entries) as Record<K, string>;
}
