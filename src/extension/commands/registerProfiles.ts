import { l10n } from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { ClusterStore } from '../../app/clusters/clusterStore.ts';
import { askChoice, valueOf } from '../dialogs/quickInput.ts';
import type { RegisterCommand } from '../platform/registerCommand.ts';
import { commandIds } from '../platform/contributions.ts';
import type { ErrorReporter } from '../platform/errorReporting.ts';
import { displayText } from '../../base/displayText.ts';
import type { ImportParts } from './importClusters.ts';
import { chooseClusterFile, readClusterBytes, saveClusterFile } from '../dialogs/profileFiles.ts';
import { askClusters, askImportRows } from '../dialogs/profileQuestions.ts';
import { offerRecommended, type OfferMemory } from './recommendationOffers.ts';
import { recommendedFiles, watchRecommended, type RecommendedFile } from '../platform/recommendedFiles.ts';

export interface ProfilesParts {
  register: RegisterCommand;
  store: ClusterStore;
  reporter: ErrorReporter;
  /** VS Code's state of the workspace. */
  memory: OfferMemory;
  logger: Logger;
}

const loaded = async () => (await import('../onDemand.ts')).onDemand;

async function importFile(parts: ImportParts): Promise<void> {
  const title = l10n.t('Import Clusters');
  const uri = await chooseClusterFile(title);
  if (uri !== undefined) await (await loaded()).importClusters(parts, title, await readClusterBytes(uri));
}

async function chosenFile(title: string, files: readonly RecommendedFile[]): Promise<RecommendedFile | undefined> {
  if (files.length <= 1) return files[0];
  const choices = files.map(file => ({ label: displayText(file.folder), description: '', value: file }));
  return valueOf(await askChoice({ title, placeholder: l10n.t('Which folder?'), choices }));
}

async function showRecommended(parts: ImportParts, file: RecommendedFile): Promise<void> {
  await (await loaded()).importClusters(parts, l10n.t('Add Recommended Clusters'), await readClusterBytes(file.uri));
}

async function addRecommended(parts: ImportParts): Promise<void> {
  const files = await recommendedFiles();
  const file = await chosenFile(l10n.t('Add Recommended Clusters'), files);
  if (file !== undefined) await showRecommended(parts, file);
  else
    parts.reporter.inform(
      l10n.t('This workspace recommends no clusters: it has no {0}.', '.vscode/zookeeper-locks.json'),
    );
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
      logger.info(error instanceof Error ? error.message : String(error));
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
  const { register, store, reporter } = parts;
  const importParts: ImportParts = { ...parts, askRows: askImportRows };
  const owned = new DisposableStore();
  const commands = [
    register(commandIds.exportClusters, async () =>
      (await loaded()).exportClusters({ store, reporter, askClusters, save: saveClusterFile }),
    ),
    register(commandIds.importClusters, () => importFile(importParts)),
    register(commandIds.addRecommended, () => addRecommended(importParts)),
  ];
  for (const command of commands) owned.add(command);
  owned.add(offers(parts, file => showRecommended(importParts, file)));
  return owned;
}
