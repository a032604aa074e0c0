import * as vscode from 'vscode';
import type { Where } from '../../app/scenarios/scenarioPlace.ts';
import { TestLockLog } from '../../app/testLocks/testLockLog.ts';
import type { TestLockRegistry } from '../../app/testLocks/testLockRegistry.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { onceDone } from '../../base/onceDone.ts';
import type { RegisterCommand } from '../platform/commands.ts';
import { commandIds, scenarioLanguage, testControllerId } from '../platform/contributions.ts';
import { readSettings } from '../platform/settings.ts';
import { l10n } from '../words/language.ts';
import type { openSampleScenarios, recordAsScenario } from './scenarioDocuments.ts';
import type { ScenarioRunParts } from './scenarioRuns.ts';
import type { ScenarioTests } from './scenarioTests.ts';

/** What is loaded at first use. */
interface ScenarioCode {
  ScenarioTests: typeof ScenarioTests;
  recordAsScenario: typeof recordAsScenario;
  openSampleScenarios: typeof openSampleScenarios;
}

interface ScenarioParts extends Pick<ScenarioRunParts, 'registry' | 'reporter' | 'targets'> {
  register: RegisterCommand;
  security: { opener: ScenarioRunParts['opener']; secrets: ReturnType<ScenarioRunParts['ownerQuery']>['secrets'] };
  load: () => Promise<ScenarioCode>;
  testLocks: Pick<TestLockRegistry, 'onChange' | 'has'>;
  /** Of this extension, where the samples are. */
  extensionUri: vscode.Uri;
  logger: Logger;
}

/** Scenarios in the Test Explorer and above their text. No file is read and no code loaded before one of them is looked at. */
export function registerScenarios(parts: ScenarioParts): Disposable {
  const { register, load, security } = parts;
  const owned = new DisposableStore();
  const controller = owned.add(vscode.tests.createTestController(testControllerId, l10n.t('Lock Scenarios')));
  const tests = onceDone(async () => {
    const code = await load();
    const ownerQuery = () => ({ adminServerPort: readSettings().adminServerPort, secrets: security.secrets });
    return owned.add(
      new code.ScenarioTests({ ...parts, ...{ controller, profile, ownerQuery, opener: security.opener } }),
    );
  });
  const running =
    (where: Where) =>
    async (request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> =>
      (await tests()).runs.run(request, where, token);
  const { Run } = vscode.TestRunProfileKind;
  const profile = owned.add(
    controller.createRunProfile(l10n.t('Run (Sandbox by Default)'), Run, running('header'), true, undefined, true),
  );
  owned.add(controller.createRunProfile(l10n.t('Run on …'), Run, running('header or ask')));
  controller.resolveHandler = async () => (await tests()).items.discover();
  controller.refreshHandler = async () => (await tests()).items.refresh();
  const look = ({ languageId }: vscode.TextDocument): unknown => languageId === scenarioLanguage && tests();
  vscode.workspace.textDocuments.forEach(look);
  owned.add(vscode.workspace.onDidOpenTextDocument(look));
  owned.add(
    vscode.languages.registerCodeLensProvider(
      { language: scenarioLanguage },
      { provideCodeLenses: async document => (await tests()).lenses(document) },
    ),
  );
  const run =
    (otherwise: Where) =>
    async (argument: unknown, where: unknown): Promise<void> =>
      (await tests()).runs.runDocument(
        argument instanceof vscode.Uri ? argument : undefined,
        where === 'sandbox' ? where : otherwise,
      );
  owned.add(register(commandIds.runScenario, run('header')));
  owned.add(register(commandIds.runScenarioOn, run('ask')));
  const log = owned.add(new TestLockLog(parts.testLocks));
  owned.add(register(commandIds.recordAsScenario, async () => (await load()).recordAsScenario(log.events)));
  owned.add(
    register(commandIds.openSampleScenarios, async () => (await load()).openSampleScenarios(parts.extensionUri)),
  );
  return owned;
}
