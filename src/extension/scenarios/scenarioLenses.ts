import * as vscode from 'vscode';
import type { Where } from '../../app/scenarios/scenarioPlace.ts';
import { sandboxWord } from '../../scenario/scenario.ts';
import { commandIds } from '../platform/contributions.ts';
import { l10n, nameText } from '../words/language.ts';
import type { ScenarioFile } from './scenarioItems.ts';

/** Above the first line of a scenario: where it can be run. What the file itself says comes first. */
export function scenarioLenses({ uri, read }: Pick<ScenarioFile, 'uri' | 'read'>): vscode.CodeLens[] {
  const place = new vscode.Range(0, 0, 0, 0);
  const lens = (title: string, command: string, where?: Where): vscode.CodeLens =>
    new vscode.CodeLens(place, { title, command, arguments: [uri, where] });
  const named = read.scenario.cluster?.text;
  const isNamed = named !== undefined && named !== sandboxWord;
  return [
    ...(isNamed ? [lens(l10n.t('Run on {0}', nameText(named)), commandIds.runScenario, 'header')] : []),
    lens(l10n.t('Run on Sandbox'), commandIds.runScenario, 'sandbox'),
    lens(l10n.t('Run on …'), commandIds.runScenarioOn),
  ];
}
