import type * as vscode from 'vscode';
import { expect, it } from 'vitest';
import { scenarioLenses } from '../../../../src/extension/scenarios/scenarioLenses.ts';
import { readScenario } from '../../../../src/scenario/readScenario.ts';
import { uriOf } from './fakeTests.ts';

function lenses(text: string): unknown[] {
  const uri = uriOf('file:/w/a.zklock') as unknown as vscode.Uri;
  return scenarioLenses({ uri, read: readScenario(text) }).map(({ command }): unknown[] => [
    command?.title,
    command?.command,
    command?.arguments?.[1],
  ]);
}

const onSandbox = ['Run on Sandbox', 'zookeeperLocks.runScenario', 'sandbox'];
const elsewhere = ['Run on …', 'zookeeperLocks.runScenarioOn', undefined];

it('a scenario is run on a sandbox, or where the person says', () => {
  expect(lenses('A: acquire mutex /a\n')).toEqual([onSandbox, elsewhere]);
  expect(lenses('cluster: sandbox\n')).toEqual([onSandbox, elsewhere]);
  expect(lenses('')).toEqual([onSandbox, elsewhere]);
});

it('the cluster that it names comes first, and its name brings nothing to life', () => {
  const [[title = ''] = [], ...others] = lenses('cluster: Orders $(bug)\n') as string[][];
  expect(title).toMatch(/^Run on "Orders .*bug\)"$/u);
  expect(title).not.toContain('$(');
  expect(others).toEqual([onSandbox, elsewhere]);
});
