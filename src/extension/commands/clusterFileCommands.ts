import { l10n, type Uri } from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { ClusterStore } from '../../app/clusters/clusterStore.ts';
import { askChoice, valueOf } from '../dialogs/quickInput.ts';
import type { RegisterCommand } from '../platform/commands.ts';
import { commandIds } from '../platform/contributions.ts';
import { type ErrorReporter, NothingToDo } from '../platform/errorReporting.ts';
import { displayText } from '../../base/displayText.ts';
import type { exportClusters } from './exportClusters.ts';
import type { importClusters, ImportParts } from './clusterFiles.ts';
import {
  askClusters,
  askImportRows,
  chooseClusterFile,
  readClusterBytes,
  saveClusterFile,
} from '../dialogs/clusterFileQuestions.ts';
import { offerRecommended, type OfferMemory } from './recommendationOffers.ts';
import { recommendedFiles, watchRecommended, type RecommendedFile } from '../platform/recommendedFiles.ts';
import { englishText } from '../words/errorText.ts';

export interface ProfilesParts {
  register: RegisterCommand;
  store: ClusterStore;
  reporter: ErrorReporter;
  /** VS Code's state of the workspace. */
  memory: OfferMemory;
  load: () => Promise<{ exportClusters: typeof exportClusters; importClusters: typeof importClusters }>;
  logger: Logger;
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
function offers(parts: ProfilesParts, show: (file: RecommendedFile) => Promise<void>): Disposable {
  const { reporter, logger } = parts;
  const offer = async (file: RecommendedFile): Promise<void> => {
    let bytes: Uint8Array;
    try {
      bytes = await readClusterBytes(file.uri);
    } catch (error) {
      // Nobody has asked for it: whoever runs the command is told.
      logger.info(englishText(error));
      return;
    }
    if (await offerRecommended(bytes, parts)) await show(file);
  };
  return watchRecommended(file => {
    offer(file).catch((error: unknown) => reporter.report(error));
  });
}

/** Export, import, and what a workspace recommends. Nothing is connected, and nothing saved that the person has not ticked. */
export function registerProfiles(parts: ProfilesParts): Disposable {
  const { register, store, reporter, load } = parts;
  const importParts: ImportParts = { ...parts, askRows: askImportRows };
  const importFile = async (title: string, uri: Uri): Promise<void> => {
    await (await load()).importClusters(importParts, title, await readClusterBytes(uri));
  };
  const owned = new DisposableStore();
  const commands = [
    register(commandIds.exportClusters, async () =>
      (await load()).exportClusters({ store, reporter, askClusters, save: saveClusterFile }),
    ),
    register(commandIds.importClusters, () => importChosen(importFile)),
    register(commandIds.addRecommended, () => addRecommended(importFile)),
  ];
  for (const command of commands) owned.add(command);
  owned.add(offers(parts, ({ uri }) => importFile(l10n.t('Add Recommended Clusters'), uri)));
  return owned;
}
