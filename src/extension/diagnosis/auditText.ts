import type { DeleteTarget } from '../../inspector/forceDelete.ts';
import type { ClusterProfile } from '../clusters/clusterProfile.ts';
import { sessionText } from '../text/sessionText.ts';
import type { AuditAction, AuditEntry } from './auditList.ts';

/** One act as the audit list keeps it: ids as ZooKeeper's own logs write them. */
export function actOf(
  action: AuditAction,
  { name, connectString }: Pick<ClusterProfile, 'name' | 'connectString'>,
  { path, czxid, ownerSession }: DeleteTarget,
  outcome: string,
): Omit<AuditEntry, 'at' | 'who'> {
  const owner = ownerSession === undefined || ownerSession === 0n ? 'none' : sessionText(ownerSession);
  return { action, cluster: name, connectString, path, czxid: sessionText(czxid), owner, outcome };
}

/**
 * The list as a text to read, the newest act first.
 *
 * @param clean makes foreign text harmless; it leaves no line breaks
 */
export function auditDocument(entries: readonly AuditEntry[], clean: (text: string) => string, empty: string): string {
  if (entries.length === 0) return `${empty}\n`;
  const lines = [...entries].reverse().map(entry => {
    const { at, who, action, cluster, path, czxid, owner, outcome } = entry;
    const rows = [
      `${clean(at)}  ${clean(action)}: ${clean(outcome)}`,
      `    ${clean(path)}`,
      `    ${[cluster, `czxid ${czxid}`, `owner ${owner}`, `by ${who}`].map(clean).join(' · ')}`,
    ];
    return rows.join('\n');
  });
  return `${lines.join('\n')}\n`;
}
