import { l10n } from 'vscode';
import type { ClusterProfile } from '../../app/clusters/clusterProfile.ts';
import type { ClusterStore } from '../../app/clusters/clusterStore.ts';
import type { ErrorReporter } from '../platform/errorReporting.ts';
import { displayText } from '../../base/displayText.ts';
import { clusterFileText } from '../../app/profiles/clusterFile.ts';

/** What exporting works with; tests put their own in. */
export interface ExportParts {
  store: Pick<ClusterStore, 'profiles'>;
  reporter: Pick<ErrorReporter, 'inform' | 'warn'>;
  /** @throws CancelledError when it is closed */
  askClusters(title: string, profiles: readonly ClusterProfile[]): Promise<readonly ClusterProfile[]>;
  /** Asks for a place and writes. @returns its name, or `undefined` when the dialog was closed */
  save(title: string, text: string): Promise<string | undefined>;
}

function hasFiles({ tls }: ClusterProfile): boolean {
  return tls?.caFile !== undefined || tls?.keyFile !== undefined;
}

function outcomeText(count: number, place: string, exported: readonly ClusterProfile[]): string {
  return exported.some(profile => hasFiles(profile))
    ? l10n.t(
        'Clusters written to {1}, without passwords: {0}. The paths of certificate files are left out: they are of use on this machine only.',
        count,
        displayText(place),
      )
    : l10n.t('Clusters written to {1}, without passwords: {0}.', count, displayText(place));
}

/** Writes the clusters that the person chooses to a file for others; see `clusterFileText` for what it never holds. */
export async function exportClusters(parts: ExportParts): Promise<void> {
  const { store, reporter } = parts;
  const title = l10n.t('Export Clusters');
  const chosen = await parts.askClusters(title, store.profiles);
  if (chosen.length === 0) return;
  const { text, leftOut } = clusterFileText(chosen);
  const exported = chosen.filter(profile => !leftOut.includes(profile));
  const place = exported.length === 0 ? undefined : await parts.save(title, text);
  if (place !== undefined) reporter.inform(outcomeText(exported.length, place, exported));
  if (leftOut.length === 0 || (place === undefined && exported.length > 0)) return;
  const names = leftOut.map(({ name }) => displayText(name, 60)).join(', ');
  reporter.warn(
    l10n.t('Not exported, because their names or connect strings could not be imported again: {0}.', names),
  );
}
