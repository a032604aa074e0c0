import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../scripts/build/bundle.ts';
import { startExampleLocks, type ExampleLocks } from '../../src/app/sandbox/exampleLocks.ts';
import { connect } from '../../src/zookeeper/connect.ts';
import { eventually } from '../support/eventually.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../support/zookeeperServer.ts';
import { keepTraceOfFailures } from './support/failureTrace.ts';
import { LockPanelPage, pageComesMs } from './support/lockPanelPage.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

let ensemble: ZooKeeperEnsemble;
let demo: ExampleLocks;
let workbench: Workbench;
const stumbles: string[] = [];

const stepTitles = [
  'Add a cluster',
  'Find its locks',
  'Read a queue',
  'Record what happens',
  'Take a test lock',
  'Clean up a stale node',
  'Write it as a scenario',
] as const;

beforeAll(async () => {
  ensemble = await startZooKeeper();
  demo = await startExampleLocks(
    () => connect(ensemble.connectString),
    '/demo',
    text => stumbles.push(text),
  );
});

afterAll(async () => {
  await demo.stop();
  await ensemble.stop();
  expect(stumbles).toEqual([]);
});

/** Only the page that is open: the list of walkthroughs stays behind it. */
function steps(): Locator {
  return workbench.page.locator('.gettingStartedSlideDetails .getting-started-step');
}

async function openWalkthrough(): Promise<void> {
  await eventually(async () => {
    await workbench.runCommand('Welcome: Open Walkthrough...');
    // A page that has just come takes the keyboard, which closes the question.
    await workbench.pick('See Who Holds the Lock', 5_000);
  }, 60_000);
  await steps().first().waitFor({ timeout: 30_000 });
}

async function doneSteps(): Promise<string[]> {
  const done = workbench.page.locator('.gettingStartedSlideDetails .getting-started-step', {
    has: workbench.page.locator('.codicon-getting-started-step-checked'),
  });
  return done.locator('.step-title').allTextContents();
}

/** Opens a step and waits until its picture is drawn. */
async function showStep(title: string): Promise<FrameLocator> {
  await steps().filter({ hasText: title }).first().click();
  const frame = workbench.page.frameLocator('.gettingStarted iframe.webview.ready').frameLocator('#active-frame');
  await frame.locator('svg').waitFor({ timeout: 30_000 });
  return frame;
}

/** Colours that the picture takes from the theme, as the browser resolves them. */
async function coloursOf(frame: FrameLocator): Promise<string[]> {
  const strokes = await frame.locator('svg [stroke]').evaluateAll(shapes =>
    shapes.map(shape => {
      const { stroke, fill } = getComputedStyle(shape);
      return [stroke, fill];
    }),
  );
  return [...new Set(strokes.flat())].sort();
}

/** A new installation for the tests of the calling `describe`. */
function useNewInstallation(): void {
  beforeAll(async () => {
    workbench = await openWorkbench({
      viewport: { width: 1440, height: 900 },
      // An animated step takes the focus half a second after it was opened, and with it from whatever is open by then.
      settings: { 'workbench.reduceMotion': 'on' },
    });
  });
  afterAll(async () => {
    await workbench.close();
  });
}

describe('the walkthrough', () => {
  useNewInstallation();

  it('has seven steps, each with a picture in the colours of the theme', async () => {
    // When the container is there, so is the walkthrough.
    await workbench.openContainer('ZooKeeper Locks');
    await openWalkthrough();
    await eventually(async () => expect(await steps().locator('.step-title').allTextContents()).toEqual(stepTitles));
    expect(await doneSteps()).toEqual([]);
    const dark: string[][] = [];
    for (const [index, title] of stepTitles.entries()) {
      // The page of the step before may still be in the frame, on its way out.
      dark.push(await eventually(async () => coloursOf(await showStep(title))));
      await workbench.screenshot(`walkthrough-dark-${index + 1}`);
    }
    await workbench.runCommand('Preferences: Toggle between Light/Dark Themes');
    await workbench.page.locator('.monaco-workbench.vs').waitFor();
    for (const [index, title] of stepTitles.entries()) {
      const frame = await showStep(title);
      await eventually(async () => expect(await coloursOf(frame)).not.toEqual(dark[index]));
      await workbench.screenshot(`walkthrough-light-${index + 1}`);
    }
    await workbench.runCommand('Preferences: Toggle between Light/Dark Themes');
    await workbench.page.locator('.monaco-workbench.vs-dark').waitFor();
  });

  it('ticks a step when it was done, not when it was begun', async () => {
    await showStep(stepTitles[0]);
    await steps().locator('.monaco-button', { hasText: 'Add Cluster' }).click();
    await workbench.seeQuickInput('(1/5)');
    await workbench.cancelQuickInput();
    expect(await doneSteps()).toEqual([]);
    await steps().locator('.monaco-button', { hasText: 'Add Cluster' }).click();
    await workbench.answerQuickInput('(1/5)', 'Shop, Frankfurt');
    await workbench.answerQuickInput('(2/5)', `${ensemble.connectString}/demo`);
    await workbench.pick('staging');
    await workbench.pick('Not encrypted');
    await workbench.pick('No log-in');
    await eventually(async () => expect(await doneSteps()).toEqual([stepTitles[0]]));
  });

  it('leads to the locks, which ticks the next steps', async () => {
    await showStep(stepTitles[1]);
    await steps().locator('.monaco-button', { hasText: 'Show Clusters' }).click();
    const tree = workbench.tree('Clusters');
    await tree.waitForRow('Shop, Frankfurt');
    await tree.expand('Shop, Frankfurt');
    await tree.waitForRow('/shop/checkout', 30_000);
    await eventually(async () => expect(await doneSteps()).toEqual(stepTitles.slice(0, 2)));
    const tab = workbench.page.locator('.tabs-container .tab.active', { hasText: 'checkout' });
    await tree.chooseFromMenu('/shop/checkout', 'Show Queue', () => tab.waitFor({ timeout: 30_000 }));
    await new LockPanelPage(workbench.page).see('live');
    // Keys that are pressed in the panel go to its page.
    await tree.select('/shop/checkout');
    await openWalkthrough();
    await eventually(async () => expect(await doneSteps()).toEqual(stepTitles.slice(0, 3)));
  });
});

describe('the walkthrough of a new installation, without a ZooKeeper', () => {
  useNewInstallation();

  it('starts a sandbox in its first step, on which all of its steps can be done', { timeout: 300_000 }, async () => {
    const { page } = workbench;
    const tree = workbench.tree('Clusters');
    await workbench.openContainer('ZooKeeper Locks');
    await openWalkthrough();
    await showStep(stepTitles[0]);
    await steps().locator('a', { hasText: 'Try a sandbox' }).click();
    await tree.seeRow('/examples/shop/checkout', /^held by checkout-\d/, 30_000);
    await eventually(async () => expect(await doneSteps()).toEqual(stepTitles.slice(0, 2)));
    await workbench.screenshot('walkthrough-sandbox');

    const tab = page.locator('.tabs-container .tab.active', { hasText: 'checkout' });
    await tree.chooseFromMenu('/examples/shop/checkout', 'Show Queue', () => tab.waitFor({ timeout: 30_000 }));
    const question = page.locator('.monaco-dialog-box');
    await tree.chooseFromMenu('Sandbox', 'Record Locks…', () => question.waitFor({ timeout: 20_000 }));
    await question.locator('.monaco-button', { hasText: /^Record$/ }).click();
    await tree.seeRow('Sandbox', /recording/, 30_000);
    await tree.chooseFromSubmenu('/examples/shop/checkout', 'Acquire Test Lock', 'Acquire Mutex…', () =>
      workbench.seeQuickInput('Acquire Mutex'),
    );
    const testLocks = workbench.tree('Test Locks');
    // Each question has an answer that Enter takes.
    await eventually(async () => {
      if ((await testLocks.rows()).length > 0) return;
      await page.keyboard.press('Enter');
      throw new Error('There is no test lock yet.');
    }, 30_000);
    await testLocks.seeRow('checkout', /^held/, 60_000);

    await tree.chooseFromMenu('/examples/imports/daily', 'Delete Stale Nodes…', () =>
      workbench.seeQuickInput('importer-1 (crashed)'),
    );
    await workbench.screenshot('walkthrough-sandbox-stale');
    await workbench.cancelQuickInput();
    await tree.select('/examples/imports/daily');
    await openWalkthrough();
    await eventually(async () => expect(await doneSteps()).toEqual(stepTitles.slice(0, 6)));
    await showStep(stepTitles[6]);
    await steps().locator('.monaco-button', { hasText: 'Open a Sample' }).click();
    await workbench.pick('mutex');
    await page.locator('.editor-instance .view-lines', { hasText: 'acquire mutex' }).waitFor({ timeout: 30_000 });
    await openWalkthrough();
    await eventually(async () => expect(await doneSteps()).toEqual(stepTitles));
  });
});

describe('the picture of the README', () => {
  let shown: Workbench;

  beforeAll(async () => {
    const shop = {
      name: 'Shop, Frankfurt',
      connectString: `${ensemble.connectString}/demo`,
      environment: 'production',
      lockRoots: ['/billing', '/hadoop-ha', '/imports', '/mail', '/reports', '/scheduler', '/search', '/shop'],
    };
    shown = await openWorkbench({
      viewport: { width: 1780, height: 1240 },
      settings: { 'zookeeperLocks.clusters': [shop] },
    });
  });

  keepTraceOfFailures(() => shown);

  afterAll(async () => {
    await shown.close();
  });

  /** Makes the side bar wide enough for whole rows. */
  async function widenSideBar(width: number): Promise<void> {
    const { page } = shown;
    const box = await page.locator('.part.sidebar').boundingBox();
    if (box === null) throw new Error('There is no side bar.');
    await page.mouse.move(box.x + box.width, 400);
    await page.mouse.down();
    await page.mouse.move(box.x + width, 400, { steps: 5 });
    await page.mouse.up();
  }

  /** Who is in the queue, by the rows of the tree and by the table of the panel; they are drawn one after the other. */
  async function whoIsShown(lock: string, panel: FrameLocator): Promise<{ tree: string[]; panel: string[] }> {
    const tree = shown.tree('Clusters');
    const { label: wanted } = await tree.waitForRow(lock);
    const rows = await tree.rows();
    const at = rows.findIndex(({ label }) => label === wanted);
    const below = rows.slice(at + 1).findIndex(({ level }) => level <= rows[at]!.level);
    const inTree = rows.slice(at + 1, at + 1 + below).flatMap(({ label }) => /^#\d+ (.+)/.exec(label)?.[1] ?? []);
    // Below its name a row says that it holds.
    const inPanel = await panel.locator('[role="gridcell"][data-column="who"]').allInnerTexts();
    const bare = (name: string): string => name.split('\n', 1)[0]!.replaceAll('"', '');
    return { tree: inTree.map(bare), panel: inPanel.map(bare) };
  }

  /** `UPDATE_PICTURES=1` keeps the picture for the README; else it is only made, to see that it can be. */
  it('shows the tree and the lock panel of a real cluster', { timeout: 300_000 }, async () => {
    await shown.openContainer('ZooKeeper Locks');
    await widenSideBar(470);
    const tree = shown.tree('Clusters');
    await tree.waitForRow('Shop, Frankfurt', 30_000);
    await tree.expand('Shop, Frankfurt');
    await tree.waitForRow('/billing/ledger', 30_000);
    for (const lock of ['/shop/prices', '/imports/daily', '/billing/ledger']) {
      // Rows that change hands meanwhile may move from under the pointer.
      await eventually(() => tree.expand(lock), 30_000);
    }
    const tab = shown.page.locator('.tabs-container .tab.active', { hasText: 'ledger' });
    await tree.chooseFromMenu('/billing/ledger', 'Show Queue', () => tab.waitFor({ timeout: 30_000 }));
    const panel = shown.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    await panel.locator('.answer').waitFor({ timeout: 2 * pageComesMs });
    // A timeline wants some past.
    const bars = panel.locator('.timeline svg.chart .bar');
    await eventually(async () => expect(await bars.count()).toBeGreaterThan(7), 60_000);
    await shown.page.mouse.move(1200, 1030);
    const made = await eventually(async () => {
      expect(await shown.page.locator('.monaco-hover:not(.hidden):visible').count()).toBe(0);
      const before = await whoIsShown('/billing/ledger', panel);
      const file = await shown.screenshot('readme');
      const after = await whoIsShown('/billing/ledger', panel);
      expect(before.tree.length).toBeGreaterThan(3);
      expect(before.panel).toEqual(before.tree);
      expect(after).toEqual(before);
      return file;
    }, 30_000);
    if (process.env['UPDATE_PICTURES'] !== '1') return;
    await mkdir(join(repositoryRoot, 'media/screenshots'), { recursive: true });
    await copyFile(made, join(repositoryRoot, 'media/screenshots/overview.png'));
  });
});
