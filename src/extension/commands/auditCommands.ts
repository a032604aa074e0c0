import { displayText } from '../../base/displayText.ts';
import { auditReport } from '../words/auditText.ts';
import type { DiagnosisParts } from './diagnosisParts.ts';
import { saveText } from '../dialogs/saveText.ts';
import { l10n } from '../words/language.ts';

/** Opens every destructive act of this installation as a text, the newest first. */
export async function showAuditList({ audit, texts }: DiagnosisParts): Promise<void> {
  await texts.showReport('audit-list', auditReport(await audit.entries()));
}

/** Writes the list as JSON to a file that the person chooses. */
export async function saveAuditList({ audit, reporter }: DiagnosisParts): Promise<void> {
  const question = { title: l10n.t('Save Audit List'), saveLabel: l10n.t('Save'), fileName: 'audit-list.json' };
  const entries = await audit.entries();
  const place = await saveText({ ...question, format: 'json' }, `${JSON.stringify(entries, undefined, 2)}\n`);
  if (place !== undefined) reporter.inform(l10n.t('Entries saved to {1}: {0}.', entries.length, displayText(place)));
}
