import type { IntentOutcome, PanelWords } from '../../app/panel/panelWords.ts';
import { byKind } from '../../base/byKind.ts';
import { kindText } from '../words/contenderText.ts';
import { errorSentence, logText } from '../words/errorText.ts';
import { l10n } from '../words/language.ts';
import { copiedTexts } from './lockTable.ts';
import { buildSnapshot } from './panelSnapshot.ts';
import { panelStatus, recordedStatus } from './panelStatus.ts';
import { panelTexts } from './panelTexts.ts';

const outcomeOf = byKind<IntentOutcome, ReturnType<PanelWords['outcome']>>({
  done: () => ({ outcome: 'done' }),
  cancelled: () => ({ outcome: 'cancelled' }),
  copied: () => ({ outcome: 'done', text: l10n.t('Copied.') }),
  saved: ({ file }) => ({ outcome: 'done', text: l10n.t('The history was saved to {0}.', file) }),
  'owners-found': ({ known, contenders }) =>
    known === 0 && contenders > 0
      ? {
          outcome: 'failed',
          text: l10n.t('No server reported the address of an owner. Explain Lock lists the servers that were asked.'),
        }
      : {
          outcome: 'done',
          text: l10n.t('Contenders with a known owner: {0} of {1}.', known, contenders),
        },
  'node-gone': () => ({ outcome: 'failed', text: l10n.t('This node is no longer in the queue.') }),
  'cycle-gone': () => ({ outcome: 'failed', text: l10n.t('This lock is no longer part of a deadlock.') }),
  'no-session': () => ({ outcome: 'failed', text: l10n.t('No session is known that owns this node.') }),
  'no-step': () => ({ outcome: 'failed', text: l10n.t('There is none in this direction.') }),
  failed: ({ error }) => ({ outcome: 'failed', text: errorSentence(error) }),
});

/** The words of the lock panel. */
export const panelWords: PanelWords = {
  texts: panelTexts,
  kind: kindText,
  status: panelStatus,
  recordedStatus,
  snapshot: buildSnapshot,
  outcome: outcomeOf,
  copied: copiedTexts,
  logEntry: logText,
};
