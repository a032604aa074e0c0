import * as vscode from 'vscode';
import { recordedScenario } from '../../app/scenarios/recordedScenario.ts';
import type { TestLockEvent } from '../../app/testLocks/testLockLog.ts';
import { displayText } from '../../base/displayText.ts';
import { askChoice, valueOf } from '../dialogs/quickInput.ts';
import { NothingToDo } from '../platform/errorReporting.ts';
import { scenarioLanguage } from '../platform/contributions.ts';
import { dateTimeText, l10n } from '../words/language.ts';

/** Opens a scenario that no file has yet: it can be run as it is, changed, and saved anywhere. */
export async function showScenario(content: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: scenarioLanguage, content });
  await vscode.window.showTextDocument(document, { preview: false });
}

/** *Record as Scenario*: what was done by hand on one cluster. @throws NothingToDo, CancelledError */
export async function recordAsScenario(events: readonly TestLockEvent[]): Promise<void> {
  const byCluster = Map.groupBy(events, ({ lock }) => lock.request.cluster);
  const comments = (name: string): Parameters<typeof recordedScenario>[1] => ({
    head: l10n.t('Test locks of {0}, taken by hand until {1}', name, dateTimeText(Date.now())),
    standIn: other => l10n.t('{0} stands for a contender of another program.', other),
  });
  const found = [...byCluster].flatMap(([{ profile }, each]) => {
    const text = recordedScenario(each, comments(profile.name));
    return text === undefined ? [] : [{ label: displayText(profile.name), description: '', value: text }];
  });
  const [first, ...others] = found;
  if (first === undefined)
    throw new NothingToDo(l10n.t('No test lock was taken in this window yet. Acquire one first.'));
  const title = l10n.t('Record as Scenario');
  const question = { title, placeholder: l10n.t('Which cluster?'), choices: found };
  await showScenario(others.length === 0 ? first.value : valueOf(await askChoice(question)));
}

/** *Open Sample Scenarios*: one of those that come with the extension, as a text of the person's own. @throws CancelledError */
export async function openSampleScenarios(extensionUri: vscode.Uri): Promise<void> {
  const { fs } = vscode.workspace;
  const folder = vscode.Uri.joinPath(extensionUri, 'samples');
  const names = (await fs.readDirectory(folder)).map(([name]) => name).sort();
  const texts = names.map(async name => {
    const value = new TextDecoder().decode(await fs.readFile(vscode.Uri.joinPath(folder, name)));
    // The first line says what is to be seen.
    const [about = ''] = value.split('\n');
    return {
      label: name.replace(/^\d+-|\.zklock$/gu, ''),
      description: '',
      detail: about.replace(/^#\s*/u, ''),
      value,
    };
  });
  const choices = await Promise.all(texts);
  const title = l10n.t('Open Sample Scenarios');
  await showScenario(valueOf(await askChoice({ title, placeholder: l10n.t('What is to be seen?'), choices })));
}
