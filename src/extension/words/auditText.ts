import { l10n } from 'vscode';
import type { AuditEntry } from '../../app/deletes/auditList.ts';
import type { Clean } from './language.ts';

/** The list as a text to read, the newest act first. */
export function auditDocument(entries: readonly AuditEntry[], clean: Clean, empty: string): string {
  if (entries.length === 0) return `${empty}\n`;
  const lines = [...entries].reverse().map(entry => {
    const { at, who, action, cluster, path, czxid, owner, outcome } = entry;
    const act = actionTexts.get(action)?.() ?? clean(action);
    const done = l10n.t('{0}: {1}', act, outcomeTexts.get(outcome)?.() ?? clean(outcome));
    const owned = owner === 'none' ? l10n.t('no session') : l10n.t('owner session {0}', clean(owner));
    const facts = [clean(cluster), `czxid ${clean(czxid)}`, owned, l10n.t('by {0}', clean(who))];
    return [`${clean(at)}  ${done}`, `    ${clean(path)}`, `    ${facts.join(' · ')}`].join('\n');
  });
  return `${lines.join('\n')}\n`;
}

/** Entries of other versions may have other actions, which stay as they are. */
const actionTexts = new Map<string, () => string>([
  ['force delete', () => l10n.t('force delete')],
  ['delete stale', () => l10n.t('delete stale')],
  ['remove empty lock', () => l10n.t('remove empty lock')],
  ['request revoke', () => l10n.t('ask holder to release')],
]);

/** The usual outcomes; refusals and failures stay as in the log, so that the two can be compared. */
const outcomeTexts = new Map<string, () => string>([
  ['deleted', () => l10n.t('deleted')],
  ['already gone', () => l10n.t('already gone')],
  ['changed', () => l10n.t('not done: it had changed')],
  ['unknown', () => l10n.t('unknown: the answer was lost')],
  ['requested', () => l10n.t('asked')],
  ['already requested', () => l10n.t('asked before')],
]);
