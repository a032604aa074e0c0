import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startObserver, type Observer } from '../support/observer.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../support/zookeeperServer.ts';
import { acquireMutex } from './support/acquireMutex.ts';
import { keepTraceOfFailures } from './support/failureTrace.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

let ensemble: ZooKeeperEnsemble;
let observer: Observer;
let workbench: Workbench;

const steps = 'A: acquire mutex\nB: acquire mutex\nexpect: A holds, B waits for A\n';

const files = {
  'scenarios/pass.zklock': `path: /scenario/pass\n\n${steps}A: release\nexpect: B holds, no waiters\n`,
  'scenarios/fail.zklock': `path: /scenario/fail\n\n${steps}expect: A waits for B, B holds within 300ms\nexpect: no waiters\n`,
  'scenarios/slow.zklock': `cluster: Orders\npath: /scenario/slow\n\n${steps}wait 60s\nexpect: no waiters\n`,
  'scenarios/archive.zklock': `cluster: Archive\npath: /scenario/archive\n\n${steps}`,
  'scenarios/broken.zklock': 'path: /scenario/broken\nA: aquire mutex\n',
};

beforeAll(async () => {
  ensemble = await startZooKeeper();
  const { connectString } = ensemble;
  observer = await startObserver(connectString);
  const saved = [
    { id: 'orders', name: 'Orders', connectString, environment: 'staging' },
    { id: 'live', name: 'Live', connectString, environment: 'production' },
    { id: 'archive', name: 'Archive', connectString, environment: 'staging', readOnly: true },
  ];
  workbench = await openWorkbench({
    settings: { 'zookeeperLocks.clusters': saved, 'testing.automaticallyOpenTestResults': 'neverOpen' },
    workspaceFiles: files,
    viewport: { width: 1400, height: 900 },
  });
});

keepTraceOfFailures(() => workbench);

afterAll(async () => {
  await workbench.close();
  await observer.stop();
  await ensemble.stop();
});

/** The row of a test, by the beginning of its label. */
function row(label: string): Locator {
  return workbench.page.locator(`.test-explorer [role="treeitem"][aria-label^="${label}"]`);
}

async function seeState(label: string, state: RegExp): Promise<void> {
  await eventually(
    async () => expect(await row(label).getAttribute('aria-label', { timeout: 500 })).toMatch(state),
    30_000,
  );
}

async function run(label: string): Promise<void> {
  await row(label).hover();
  await row(label).locator('.action-label[aria-label="Run Test"]').click();
}

async function openFile(name: string): Promise<void> {
  await workbench.page.keyboard.press('Control+P');
  await workbench.typeIntoQuickInput('Search files by name', name);
  await workbench.pick(name);
  await workbench.page.locator('.tabs-container .tab.active', { hasText: name }).waitFor({ timeout: 20_000 });
}

/** The links above the text. */
async function lenses(): Promise<string[]> {
  return workbench.page.locator('.codelens-decoration a').allInnerTexts();
}

async function pressLens(title: string): Promise<void> {
  await eventually(async () => expect(await lenses()).toContain(title), 20_000);
  await workbench.page.locator('.codelens-decoration a', { hasText: title }).first().click();
}

async function seeDialog(text: RegExp): Promise<string> {
  return eventually(async () => {
    const shown = await workbench.dialogText();
    expect(shown).toMatch(text);
    return shown;
  }, 30_000);
}

/** What is in the ensemble below its root, but for its own. */
async function nodes(): Promise<string[]> {
  return (await observer.ls('/')).map(({ name }) => name).filter(name => name !== 'zookeeper');
}

describe('scenarios in the Test Explorer', () => {
  it('are found; a file with an error says where it is', async () => {
    await workbench.openContainer('Testing');
    for (const file of Object.keys(files)) await row(file).waitFor({ timeout: 30_000 });
    await row('Line 2: aquire cannot stand here').waitFor();
    await run('scenarios/broken.zklock');
    await seeState('scenarios/broken.zklock', /Errored/u);
  });

  it('pass on the sandbox, with each expectation below its file', async () => {
    await run('scenarios/pass.zklock');
    await seeState('scenarios/pass.zklock', /Passed/u);
    await row('scenarios/pass.zklock').locator('.monaco-tl-twistie').click();
    await seeState('A holds, B waits for A', /Passed/u);
    await seeState('B holds, no waiters', /Passed/u);
    expect(await nodes()).toEqual([]);
  });

  it('fail at the line of the expectation, which shows the queue of that moment beside what was expected', async () => {
    await openFile('fail.zklock');
    await run('scenarios/fail.zklock');
    await seeState('scenarios/fail.zklock', /Failed/u);
    const inline = workbench.page.locator('.test-error-content-widget');
    await eventually(async () => expect(await inline.innerText({ timeout: 500 })).toContain('B waits for A'), 20_000);
    await workbench.screenshot('scenarios-failed-dark');
    await inline.click();
    const peek = workbench.page.locator('.zone-widget', { hasText: 'fail.zklock' });
    await eventually(async () => {
      const text = (await peek.innerText({ timeout: 500 })).replaceAll('\u00a0', ' ');
      for (const part of ['Expected', 'Actual', 'A waits for B', 'A holds', 'B waits for A']) expect(text).toContain(part); // prettier-ignore
    }, 30_000);
    await eventually(async () => expect((await workbench.statusBar()).join()).toContain('Ln 6, Col 1'));
    await workbench.screenshot('scenarios-diff-dark');
    await workbench.chooseTheme('Light Modern');
    await workbench.screenshot('scenarios-diff-light');
    await workbench.chooseTheme('Dark Modern');
    await workbench.page.keyboard.press('Escape');
  });
});

describe('scenarios above their text', () => {
  it('run on a sandbox, without a word on the clusters', async () => {
    await openFile('pass.zklock');
    await eventually(async () => expect(await lenses()).toEqual(['Run on Sandbox', 'Run on …']), 20_000);
    await pressLens('Run on Sandbox');
    await seeState('scenarios/pass.zklock', /Passed/u);
    await workbench.runCommand('Test Results: Focus on Test Results View');
    const output = workbench.page.locator('.test-output-peek-tree, .test-output-peek-message-container').first();
    await output.waitFor({ timeout: 20_000 });
    await workbench.screenshot('scenarios-output-dark');
    await workbench.runCommand('View: Hide Panel');
  });

  it('run on the cluster that they name after a question; cancelled in the middle they leave nothing', async () => {
    await openFile('slow.zklock');
    await pressLens('Run on Orders');
    const text = await seeDialog(/Run scenarios on the cluster "Orders"\?/u);
    for (const part of ['Files: 1', 'Locks: /scenario/slow', 'ephemeral nodes', 'everything is removed']) expect(text).toContain(part); // prettier-ignore
    await workbench.screenshot('scenarios-question-dark');
    expect(await nodes()).toEqual([]);
    await workbench.pressDialogButton('Run');
    await eventually(async () => expect(await observer.ls('/scenario/slow')).toHaveLength(2), 30_000);
    await workbench.runCommand('Test: Cancel Test Run');
    await seeState('scenarios/slow.zklock', /Skipped/u);
    await eventually(async () => expect(await nodes()).toEqual([]), 20_000);
  });

  it('run on a production cluster only when its name is typed', async () => {
    await openFile('pass.zklock');
    await pressLens('Run on …');
    await workbench.seeQuickInput('Which cluster?');
    expect((await workbench.quickPickLabels()).sort()).toEqual(['Live', 'Orders']);
    await workbench.pick('Live');
    await seeDialog(/production cluster "Live"/u);
    await workbench.pressDialogButton('Run');
    await workbench.answerQuickInput('Type "Live" to run there', 'Orders');
    await workbench.seeQuickInput('This is not "Live"');
    await workbench.screenshot('scenarios-production-dark');
    await workbench.answerQuickInput('This is not "Live"', 'Live');
    await workbench.openContainer('Testing');
    await seeState('scenarios/pass.zklock', /Passed/u);
    await eventually(async () => expect(await nodes()).toEqual([]), 20_000);
  });

  it('do not run on a cluster that is marked read-only', async () => {
    await run('scenarios/archive.zklock');
    await seeState('scenarios/archive.zklock', /Errored/u);
    await openFile('archive.zklock');
    const message = workbench.page.locator('.test-error-content-widget').first();
    await eventually(async () => expect(await message.innerText({ timeout: 500 })).toContain('is marked read-only'), 20_000); // prettier-ignore
    await workbench.screenshot('scenarios-read-only-dark');
    expect(await nodes()).toEqual([]);
  });
});

describe('what was done by hand', () => {
  it('becomes a scenario that passes', async () => {
    await workbench.openContainer('ZooKeeper Locks');
    await acquireMutex(workbench, '/by/hand', 'Orders');
    await workbench.runCommand('ZooKeeper Locks: Record as Scenario');
    const editor = workbench.page.locator('.tabs-container .tab.active', { hasText: /Untitled|Test locks/u });
    await editor.waitFor({ timeout: 20_000 });
    await workbench.screenshot('scenarios-recorded-dark');
    await pressLens('Run on Sandbox');
    await workbench.openContainer('Testing');
    await seeState('Untitled-1', /Passed/u);
    await workbench.screenshot('scenarios-explorer-dark');
  });
});
