import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openIncident } from '../../src/incident/openIncident.ts';
import { eventually } from '../support/eventually.ts';
import { keepTraceOfFailures } from './support/failureTrace.ts';
import { Keyboard } from './support/keyboard.ts';
import { LockPanelPage } from './support/lockPanelPage.ts';
import type { TreeView } from './support/tree.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

let workbench: Workbench;
let keyboard: Keyboard;
let tree: TreeView;
let page: LockPanelPage;
/** Where the files are: of neither window. */
let folder: string;

const accounts = ['/examples/bank/alice', '/examples/bank/bob'];
const records = /(?:^|· )recording(?: ·|$)/u;

async function open(): Promise<void> {
  workbench = await openWorkbench({
    settings: { 'zookeeperLocks.deadlockSeconds': 2 },
    viewport: { width: 1400, height: 1000 },
  });
  keyboard = new Keyboard(workbench.page);
  tree = workbench.tree('Clusters');
  page = new LockPanelPage(workbench.page);
  await workbench.openContainer('ZooKeeper Locks');
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'incidents-'));
  await open();
});

keepTraceOfFailures(() => workbench);

afterAll(async () => {
  await workbench.close();
  await rm(folder, { recursive: true, force: true });
});

async function seeReport(...parts: readonly RegExp[]): Promise<void> {
  await eventually(async () => {
    const text = await workbench.report.innerText({ timeout: 1_000 });
    for (const part of parts) expect(text).toMatch(part);
  }, 30_000);
}

async function seeNotification(text: string): Promise<void> {
  await eventually(async () => expect((await workbench.notifications()).join('\n')).toContain(text), 30_000);
}

/** Waits until another one holds: the row changes for other reasons, too. */
async function seeHandOver(): Promise<void> {
  const holder = async (): Promise<string | undefined> => {
    const { description } = await tree.seeRow('/examples/shop/checkout', /held by checkout-\d/);
    return /held by (checkout-\d+)/u.exec(description)?.[1];
  };
  const before = await holder();
  await eventually(async () => expect(await holder()).not.toBe(before), 30_000);
}

/** Saves the whole cluster, with all that was recorded, into a file. */
async function save(name: string): Promise<void> {
  const question = workbench.page.locator('.quick-input-widget:visible');
  await tree.chooseFromMenu('Sandbox', 'Save Incident…', () => question.waitFor({ timeout: 30_000 }));
  await keyboard.choose('Which locks?', 'All locks of the cluster');
  await keyboard.choose('How much of the past', 'All that was recorded');
  await keyboard.choose('Who will read the file?', 'Keep everything');
  const file = `${name}.zkincident`;
  await keyboard.answerFileDialog(join(folder, file), async () => expect(await readdir(folder)).toContain(file));
  await seeNotification('The incident was saved');
  // It was recorded all the time, up to the moment of the file.
  const { header, recording } = await openIncident(join(folder, file));
  expect(recording.gaps).toEqual([]);
  expect(recording.to.time).toBe(header.span.to.time);
  await recording.close();
}

describe('an incident', () => {
  it('is saved with its past, twice, while it happens', async () => {
    await tree.pressWelcomeButton('Try a Sandbox');
    for (const account of accounts) await tree.seeRow(account, /^deadlocked · held by transfer-\d/, 40_000);
    await tree.chooseFromMenu('Sandbox', 'Record Locks…', () => workbench.page.locator('.monaco-dialog-box').waitFor({ timeout: 20_000 })); // prettier-ignore
    await keyboard.pressInDialog(/Record the locks/u, 'Record');
    await tree.seeRow('Sandbox', records, 30_000);
    await seeHandOver();
    await save('first');
    await seeHandOver();
    await save('second');
    await workbench.close();
  });

  it('is opened in another window without the cluster: deadlock, locks, explanation', async () => {
    await open();
    await eventually(() => keyboard.run('ZooKeeper Locks: Open Incident File…'), 60_000);
    await keyboard.answerFileDialog(join(folder, 'first.zkincident'), () =>
      page.find('.page').waitFor({ timeout: 500 }),
    );
    await page.see('open');
    const locks = await page.find('.lock-head').allInnerTexts();
    expect(locks.length).toBeGreaterThan(8);
    expect(locks.filter(text => text.includes('deadlocked')).map(text => text.split('\n')[0]).sort()).toEqual(['alice', 'bob']); // prettier-ignore
    expect(await page.find('.reports').innerText()).toMatch(/alice/u);
    expect(await page.findings()).toEqual([]);
    await workbench.screenshot('incident-sandbox-dark');
    await tree.expand('Sandbox · ');
    for (const account of accounts) await tree.seeRow(account, /held by transfer-\d/);
  });

  it('shows the past of each lock, up to the moment', async () => {
    await page.find('.lock-name', 'checkout').click();
    await page.seeTimeBar();
    await page.see('recorded');
    await eventually(async () => expect(await page.find('.answer').innerText()).toMatch(/Held by checkout-\d/u));
    const bars = await page.find('.bar:not(.is-wait)').evaluateAll(all => all.map(bar => bar.ariaLabel ?? ''));
    expect(bars.join('\n')).toContain('Ended: released');
    await workbench.screenshot('incident-sandbox-panel');
    expect(await page.findings()).toEqual([]);
  });

  it('is compared with the second file', async () => {
    await workbench.page.locator('.tab', { hasText: 'first.zkincident' }).click();
    await page.see('open');
    await page.find('.button:visible', 'Compare…').click();
    await keyboard.answerFileDialog(join(folder, 'second.zkincident'), () =>
      workbench.report.waitFor({ timeout: 500 }),
    );
    await seeReport(/checkout/u, /checkout-\d/u);
    await workbench.screenshot('incident-compared-dark');
    await workbench.chooseTheme('Light Modern');
    await workbench.report
      .locator("xpath=ancestor::body[contains(@class, 'vscode-light')]")
      .waitFor({ timeout: 10_000 });
    await workbench.screenshot('incident-compared-light');
    await workbench.chooseTheme('Dark Modern');
  });

  it('is summed up for a chat, and in a report', async () => {
    await workbench.page.locator('.tab', { hasText: 'first.zkincident' }).click();
    await page.see('open');
    await page.find('.button:visible', 'Copy as Markdown').click();
    await seeNotification('The summary is on the clipboard');
    const copied = await workbench.page.evaluate(() => navigator.clipboard.readText());
    for (const part of ['Sandbox', 'alice', 'transfer-']) expect(copied).toContain(part);
    await page.find('.button:visible', 'Show incident report').click();
    await seeReport(/alice/u, /bob/u);
    await workbench.screenshot('incident-report');
  });
});
