import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { repositoryRoot } from '../../scripts/build/bundle.ts';
import { eventually } from '../support/eventually.ts';
import { keepTraceOfFailures } from './support/failureTrace.ts';
import { Keyboard } from './support/keyboard.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

const nls = JSON.parse(readFileSync(join(repositoryRoot, 'package.nls.json'), 'utf8')) as Record<string, string>;

let workbench: Workbench;
let keyboard: Keyboard;

beforeAll(async () => {
  workbench = await openWorkbench({});
  keyboard = new Keyboard(workbench.page);
  // A window that has just started may not offer it yet.
  await eventually(() => keyboard.run('ZooKeeper Locks: Focus on Clusters View'), 30_000);
  await keyboard.run('ZooKeeper Locks: Try a Sandbox');
  await workbench.tree('Clusters').waitForRow('Sandbox', 30_000);
});

keepTraceOfFailures(() => workbench);

afterAll(() => workbench.close());

async function run(name: string): Promise<void> {
  await keyboard.run(`ZooKeeper Locks: ${nls[`command.${name}`] ?? name}`);
}

/** Waits for the text of the editor in front. */
async function seeText(text: RegExp): Promise<void> {
  const lines = workbench.page.locator('.editor-instance .view-lines').first();
  await eventually(async () => {
    const shown = await lines.innerText({ timeout: 500 });
    expect(shown.replaceAll('\u00a0', ' ')).toMatch(text);
  }, 20_000);
}

/** Waits until that many tests have passed in the editor in front. */
async function seePassed(count: number): Promise<void> {
  const signs = workbench.page.locator('.glyph-margin-widgets .codicon-testing-passed-icon');
  await eventually(async () => expect(await signs.count()).toBe(count), 30_000);
}

const table: readonly (readonly [string, () => Promise<void>])[] = [
  [
    'openSampleScenarios',
    async () => {
      await run('openSampleScenarios');
      await keyboard.choose('What is to be seen?', 'deadlock');
      await seeText(/^# Two programs take the same two locks/u);
    },
  ],
  [
    'runScenario',
    async () => {
      await run('runScenario');
      // The file and its three expectations.
      await seePassed(4);
    },
  ],
  [
    'runScenarioOn',
    async () => {
      await keyboard.run('View: Revert and Close Editor');
      await run('openSampleScenarios');
      await keyboard.choose('What is to be seen?', 'mutex');
      await seeText(/^# Two services want the same lock/u);
      // It is the only cluster, and has nothing to lose.
      await run('runScenarioOn');
      await seePassed(4);
      await keyboard.run('View: Revert and Close Editor');
    },
  ],
  [
    'recordAsScenario',
    async () => {
      await run('acquireMutex');
      const testLocks = workbench.tree('Test Locks');
      await keyboard.answerAll([[/Which lock/u, ['/by/hand']]], async () => {
        expect((await testLocks.rows()).map(({ description }) => description).join('\n')).toMatch(/^held/mu);
      });
      await run('recordAsScenario');
      await seeText(/^# Test locks of Sandbox, taken by hand[^]*path: \/by\/hand[^]*A: acquire mutex/u);
    },
  ],
];

it('every command of scenarios has its keys here', () => {
  const named = Object.keys(nls).filter(key => /^command\..*Scenario/u.test(key));
  const elsewhere = ['savePlayAsScenario'];
  expect([...table.map(([name]) => name), ...elsewhere].map(name => `command.${name}`).sort()).toEqual(named.sort());
});

it.each(table)('%s is done by the keyboard alone', async (_, keysAndEffect) => {
  await keysAndEffect();
});
