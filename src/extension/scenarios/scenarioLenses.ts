import * as vscode from 'vscode';
import { sandboxWord, type Where } from '../../app/scenarios/scenarioPlace.ts';
import { readScenario } from '../../scenario/readScenario.ts';
import { commandIds } from '../platform/contributions.ts';
import { l10n, nameText } from '../words/language.ts';

/** Above the first line of a scenario: where it can be run. What the file itself says comes first. */
export function scenarioLenses(document: Pick<vscode.TextDocument, 'uri' | 'getText'>): vscode.CodeLens[] {
  const place = new vscode.Range(0, 0, 0, 0);
  const lens = (title: string, command: string, where?: Where): vscode.CodeLens =>
    new vscode.CodeLens(place, { title, command, arguments: [document.uri, where] });
  const named = readScenario(document.getText()).scenario.cluster?.text;
  const isNamed = named !== undefined && named !== sandboxWord;
  return [
    ...(isNamed ? [lens(l10n.t('Run on {0}', nameText(named)), commandIds.runScenario, 'header')] : []),
    lens(l10n.t('Run on Sandbox'), commandIds.runScenario, 'sandbox'),
    lens(l10n.t('Run on …'), commandIds.runScenarioOn),
  ];
}
