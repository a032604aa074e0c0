import { l10n } from 'vscode';
import type { AuditEntry } from '../../app/deletes/auditList.ts';

/**
 * The list as a text to read, the newest act first.
 *
 * @param clean makes foreign text harmless; it leaves no line breaks
 */
export function auditDocument(entries: readonly AuditEntry[], clean: (text: string) => string, empty: string): string {
  if (entries.length === 0) return `${empty}\n`;
  const lines = [...entries].reverse().map(entry => {
    const { at, who, action, cluster, path, czxid, owner, outcome } = entry;
    const done = l10n.t('{0}: {1}', actionText(action, clean), outcomeText(outcome, clean));
    const owned = owner === 'none' ? l10n.t('no session') : l10n.t('owner session {0}', clean(owner));
    const facts = [clean(cluster), `czxid ${clean(czxid)}`, owned, l10n.t('by {0}', clean(who))];
    return [`${clean(at)}  ${done}`, `    ${clean(path)}`, `    ${facts.join(' · ')}`].join('\n');
  });
  return `${lines.join('\n')}\n`;
}

/** Entries of other versions may have other actions. */
function actionText(action: string, clean: (text: string) => string): string {
  switch (action) {
    case 'force delete':
      return l10n.t('force delete');
    case 'delete stale':
      return l10n.t('delete stale');
    case 'remove empty lock':
      return l10n.t('remove empty lock');
    case 'request revoke':
      return l10n.t('ask holder to release');
    default:
      return clean(action);
  }
}

/** The usual outcomes in words; refusals and failures stay as in the log, so that the two can be compared. */
function outcomeText(outcome: string, clean: (text: string) => string): string {
  switch (outcome) {
    case 'deleted':
      return l10n.t('deleted');
    case 'already gone':
      return l10n.t('already gone');
    case 'changed':
      return l10n.t('not done: it had changed');
    case 'unknown':
      return l10n.t('unknown: the answer was lost');
    case 'requested':
      return l10n.t('asked');
    case 'already requested':
      return l10n.t('asked before');
    default:
      return clean(outcome);
  }
}
