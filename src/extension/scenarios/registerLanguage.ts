import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { ClusterRegistry } from '../../app/clusters/clusterRegistry.ts';
import { scenarioLanguage } from '../platform/contributions.ts';
import { logText } from '../words/errorText.ts';
import type { knownPlaces } from './knownPlaces.ts';
import type { startLanguage } from './startLanguage.ts';

interface LanguageParts {
  registry: Pick<ClusterRegistry, 'all'>;
  logger: Logger;
  load: () => Promise<{ scenarioCode: { knownPlaces: typeof knownPlaces; startLanguage: typeof startLanguage } }>;
}

/** Support of `*.zklock` files. Its code is loaded when the first of them is open. */
export function registerLanguage({ registry, logger, load }: LanguageParts): Disposable {
  const owned = new DisposableStore();
  let hasStarted = false;
  const start = async ({ languageId }: vscode.TextDocument): Promise<void> => {
    if (hasStarted || languageId !== scenarioLanguage) return;
    hasStarted = true;
    try {
      const { scenarioCode } = await load();
      owned.add(scenarioCode.startLanguage(() => scenarioCode.knownPlaces(registry.all.map(({ node }) => node))));
    } catch (error) {
      hasStarted = false;
      logger.error(`The support of scenario files cannot be loaded: ${logText(error)}`);
    }
  };
  owned.add(vscode.workspace.onDidOpenTextDocument(document => void start(document)));
  for (const document of vscode.workspace.textDocuments) void start(document);
  return owned;
}
