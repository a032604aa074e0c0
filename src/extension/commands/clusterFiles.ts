import type { ClusterProfile } from '../../app/clusters/clusterProfile.ts';
import { askClusters, askImportRows } from '../dialogs/clusterFileQuestions.ts';
import { saveText } from '../dialogs/saveText.ts';
import type { CommandParts } from './clusterCommands.ts';
import { displayText } from '../../base/displayText.ts';
import { clusterFileText, readClusterFile } from '../../app/profiles/clusterFile.ts';
import { randomUUID } from 'node:crypto';
import { CancelledError } from '../../zookeeper/errors.ts';
import {
  exchangeOf,
  firstChosen,
  importRows,
  weakenings,
  withGuards,
  type ChosenRow,
} from '../../app/profiles/importPlan.ts';
import { weakeningText } from '../words/clusterText.ts';
import { l10n } from '../words/language.ts';

function hasFiles({ tls }: ClusterProfile): boolean {
  return tls?.caFile !== undefined || tls?.keyFile !== undefined;
}

function exportedText(count: number, place: string, exported: readonly ClusterProfile[]): string {
  return exported.some(profile => hasFiles(profile))
    ? l10n.t(
        'Clusters written to {1}, without passwords: {0}. The paths of certificate files are left out: they are valid on this machine only.',
        count,
        displayText(place),
      )
    : l10n.t('Clusters written to {1}, without passwords: {0}.', count, displayText(place));
}

/** Writes the clusters that the person chooses to a file for others; see `clusterFileText` for what it never holds. */
export async function exportClusters({ store, reporter }: Pick<CommandParts, 'store' | 'reporter'>): Promise<void> {
  const title = l10n.t('Export Clusters');
  const chosen = await askClusters(title, store.profiles);
  if (chosen.length === 0) return;
  const { text, leftOut } = clusterFileText(chosen);
  const exported = chosen.filter(profile => !leftOut.includes(profile));
  const place =
    exported.length === 0
      ? undefined
      : await saveText(
          { title, saveLabel: l10n.t('Export'), fileName: 'zookeeper-clusters.json', format: 'json' },
          text,
        );
  if (place !== undefined) reporter.inform(exportedText(exported.length, place, exported));
  if (leftOut.length === 0 || (place === undefined && exported.length > 0)) return;
  const names = leftOut.map(({ name }) => displayText(name, 60)).join(', ');
  reporter.warn(
    l10n.t('Not exported, because their names or connect strings could not be imported again: {0}.', names),
  );
}

type ImportParts = Pick<CommandParts, 'store' | 'reporter' | 'logger'>;

/** @throws CancelledError when the person chooses neither */
async function settleGuards({ reporter, store }: ImportParts, chosen: readonly ChosenRow[]): Promise<ChosenRow[]> {
  const lost = weakenings(chosen, store.profiles);
  if (lost.length === 0) return [...chosen];
  const answer = await reporter.choose(
    l10n.t('The file removes guards from clusters that you have saved. Keep your guards?'),
    lost.map(weakening => weakeningText(weakening)).join('\n'),
    [
      { label: l10n.t('Keep Guards'), value: 'keep' as const },
      { label: l10n.t('Take Over the File'), value: 'take' as const },
    ],
  );
  if (answer === undefined) throw new CancelledError('The import');
  return answer === 'keep' ? withGuards(chosen, lost) : [...chosen];
}

function importedText(added: number, replaced: number): string {
  if (replaced === 0) return l10n.t('Clusters added: {0}. Nothing is connected yet.', added);
  if (added === 0) return l10n.t('Clusters replaced: {0}.', replaced);
  return l10n.t('Clusters added: {0}, replaced: {1}.', added, replaced);
}

async function offerUndo({ reporter }: ImportParts, text: string, undo: () => Promise<boolean>): Promise<void> {
  const answer = await reporter.offer(text, [{ label: l10n.t('Undo'), value: 'undo' as const }]);
  if (answer === undefined) return;
  const isWhole = await undo();
  reporter.inform(
    isWhole
      ? l10n.t('The clusters are as they were before.')
      : l10n.t('Clusters that were changed since then were not restored. The others are as they were before.'),
  );
}

/**
 * Shows what a file of clusters holds, lets the person choose, and saves what was chosen. Nothing is connected. A message offers
 * to undo it; the promise does not wait for that.
 *
 * @param bytes the file, which may come from any source
 * @returns whether anything was saved
 * @throws ClusterFileError; CancelledError when the person closes a question
 */
export async function importClusters(parts: ImportParts, title: string, bytes: Uint8Array): Promise<boolean> {
  const { store, reporter, logger } = parts;
  const rows = importRows(readClusterFile(bytes), store.profiles);
  if (rows.length === 0) {
    reporter.inform(l10n.t('The file holds no clusters.'));
    return false;
  }
  const chosen = await settleGuards(parts, await askImportRows(title, rows, firstChosen(rows)));
  if (chosen.length === 0) return false;
  const exchange = exchangeOf(chosen, randomUUID);
  const undo = await store.exchange(exchange);
  const [added, replaced] = [exchange.add.length, exchange.replace.size];
  logger.info(`Clusters from a file: ${String(added)} added, ${String(replaced)} replaced`);
  offerUndo(parts, importedText(added, replaced), undo).catch((error: unknown) => reporter.report(error));
  return true;
}
