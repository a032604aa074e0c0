import type { AuditEntry } from '../../app/deletes/auditFolder.ts';
import { foreign, type Report } from '../../base/report.ts';
import { l10n } from './language.ts';

/** The list to read, the newest act first. */
export function auditReport(entries: readonly AuditEntry[]): Report {
  const items = [...entries].reverse().map(entry => {
    const { at, who, action, cluster, path, czxid, owner, outcome } = entry;
    const act = actionTexts.get(action)?.() ?? foreign(action);
    const done = l10n.t('{0}: {1}', act, outcomeTexts.get(outcome)?.() ?? foreign(outcome));
    const owned = owner === 'none' ? l10n.t('no session') : l10n.t('owner session {0}', foreign(owner));
    const facts = [foreign(cluster), `czxid ${foreign(czxid)}`, owned, l10n.t('by {0}', foreign(who))];
    return { text: `${foreign(at)} ${done}`, below: [foreign(path), facts.join(' · ')] };
  });
  if (items.length === 0) return { headline: l10n.t('No deletes or revoke requests so far.'), blocks: [] };
  return {
    headline: l10n.t('Deletes and revoke requests of this installation: {0}', items.length),
    blocks: [{ kind: 'list', items }],
  };
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
