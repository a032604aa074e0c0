import { type Uri } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { askChoice, valueOf } from '../dialogs/quickInput.ts';
import { commandIds } from '../platform/contributions.ts';
import { NothingToDo } from '../platform/errorReporting.ts';
import { displayText } from '../../base/displayText.ts';
import type { CommandParts } from './clusterCommands.ts';
import type { exportClusters, importClusters } from './clusterFiles.ts';
import { chooseClusterFile, readClusterBytes } from '../dialogs/clusterFileQuestions.ts';
import { recommendedFiles, watchRecommended, type RecommendedFile } from '../platform/recommendedFiles.ts';
import { englishText } from '../words/errorText.ts';
import { readClusterFile } from '../../app/profiles/clusterFile.ts';
import { importRows } from '../../app/profiles/importPlan.ts';
import { OfferedFiles, type OfferMemory } from '../../app/profiles/offeredFiles.ts';
import { l10n } from '../words/language.ts';

type OfferParts = Pick<CommandParts, 'store' | 'reporter' | 'logger'> & { memory: OfferMemory };

const namesShown = 3;

/** Names of the clusters that the file has and the settings have not, or not so. */
function newNames(bytes: Uint8Array, { store, logger }: OfferParts): string[] {
  try {
    const rows = importRows(readClusterFile(bytes), store.profiles);
    return rows.flatMap(row => (row.kind === 'add' ? [row.shared.name] : []));
  } catch (error) {
    // Someone may be writing it now: the editor marks what is wrong, and the command reports it.
    logger.info(`No clusters are offered: ${englishText(error)}`);
    return [];
  }
}

function offerText(names: readonly string[]): string {
  const shown = names.slice(0, namesShown).map(name => displayText(name, 60));
  const list = names.length > namesShown ? `${shown.join(', ')} …` : shown.join(', ');
  return l10n.t(
    'This workspace recommends ZooKeeper clusters: {0}. Nothing is added or connected automatically.',
    list,
  );
}

/**
 * Offers what a workspace recommends: once for each content, never again if the person says so, and not at all when everything
 * is saved already. Nothing is saved here.
 *
 * @returns whether the person wants to see it
 */
export async function offerRecommended(bytes: Uint8Array, parts: OfferParts): Promise<boolean> {
  const { memory, reporter } = parts;
  const offered = new OfferedFiles(memory);
  if (!offered.mayOffer(bytes)) return false;
  const names = newNames(bytes, parts);
  if (names.length === 0) return false;
  // Before it is answered: a window that is closed with the message open has shown it.
  await offered.remember(bytes);
  const answer = await reporter.offer(offerText(names), [
    { label: l10n.t('Show'), value: 'show' as const },
    { label: l10n.t('Not Now'), value: 'later' as const },
    { label: l10n.t('Never for This Workspace'), value: 'never' as const },
  ]);
  if (answer === 'never') await offered.stop();
  return answer === 'show';
}

type ImportFile = (title: string, uri: Uri) => Promise<void>;

async function importChosen(importFile: ImportFile): Promise<void> {
  const title = l10n.t('Import Clusters');
  const uri = await chooseClusterFile(title);
  if (uri !== undefined) await importFile(title, uri);
}

async function chosenFile(title: string, files: readonly RecommendedFile[]): Promise<RecommendedFile | undefined> {
  if (files.length <= 1) return files[0];
  const choices = files.map(file => ({ label: displayText(file.folder), description: '', value: file }));
  return valueOf(await askChoice({ title, placeholder: l10n.t('Which folder?'), choices }));
}

async function addRecommended(importFile: ImportFile): Promise<void> {
  const title = l10n.t('Add Recommended Clusters');
  const files = await recommendedFiles();
  const file = await chosenFile(title, files);
  if (file === undefined) {
    throw new NothingToDo(
      l10n.t('This workspace recommends no clusters: it has no {0}.', '.vscode/zookeeper-locks.json'),
    );
  }
  await importFile(title, file.uri);
}

/** Offers a file that is there or has changed. */
function offers(parts: OfferParts, importFile: ImportFile): Disposable {
  const { reporter, logger } = parts;
  const offer = async ({ uri }: RecommendedFile): Promise<void> => {
    let bytes: Uint8Array;
    try {
      bytes = await readClusterBytes(uri);
    } catch (error) {
      // No one asked for it; the command reports such a file.
      logger.info(englishText(error));
      return;
    }
    if (await offerRecommended(bytes, parts)) await importFile(l10n.t('Add Recommended Clusters'), uri);
  };
  return watchRecommended(file => {
    offer(file).catch((error: unknown) => reporter.report(error));
  });
}

/** Export, import, and what a workspace recommends. Nothing is connected, and nothing saved that the person has not ticked. */
export function registerClusterFileCommands(
  parts: CommandParts & {
    /** VS Code's state of the workspace. */
    memory: OfferMemory;
    load: () => Promise<{ exportClusters: typeof exportClusters; importClusters: typeof importClusters }>;
  },
): Disposable[] {
  const { register, load } = parts;
  const importFile = async (title: string, uri: Uri): Promise<void> => {
    await (await load()).importClusters(parts, title, await readClusterBytes(uri));
  };
  return [
    register(commandIds.exportClusters, async () => (await load()).exportClusters(parts)),
    register(commandIds.importClusters, () => importChosen(importFile)),
    register(commandIds.addRecommended, () => addRecommended(importFile)),
    offers(parts, importFile),
  ];
}
