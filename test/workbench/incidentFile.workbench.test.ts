import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { keepTraceOfFailures } from './support/failureTrace.ts';
import { Keyboard } from './support/keyboard.ts';
import { LockPanelPage } from './support/lockPanelPage.ts';
import { writeNightIncident } from './support/nightIncident.ts';
import { nightTime } from './support/recordedNight.ts';
import type { TreeView } from './support/tree.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

let workbench: Workbench;
let keyboard: Keyboard;
let tree: TreeView;
let explorer: TreeView;
/** The page in front: of an incident file, or of a lock. */
let page: LockPanelPage;

const row = 'Orders · ';

beforeAll(async () => {
  workbench = await openWorkbench({
    viewport: { width: 1400, height: 900 },
    prepare: async ({ workspace }) => {
      const file = (name: string): string => join(workspace, `${name}.zkincident`);
      await writeNightIncident(file('night'), nightTime(3, 16));
      await writeNightIncident(file('later'), nightTime(3, 45));
      const whole = await readFile(file('later'));
      await writeFile(file('torn'), whole.subarray(0, whole.length - 40));
      await writeFile(file('newer'), gzipSync('{"format":"zkincident","version":"2.0"}\n'));
      await writeFile(file('foreign'), 'Dear diary,\n');
    },
  });
  keyboard = new Keyboard(workbench.page);
  tree = workbench.tree('Clusters');
  explorer = workbench.tree('workspace');
  page = new LockPanelPage(workbench.page);
  // Until VS Code has read what extensions contribute it would open the files as texts.
  await eventually(() => keyboard.run('ZooKeeper Locks: Focus on Clusters View'), 60_000);
});

keepTraceOfFailures(() => workbench);

afterAll(async () => {
  await workbench.close();
});

async function openFile(name: string): Promise<void> {
  await workbench.runCommand('View: Show Explorer');
  await explorer.waitForRow(`${name}.zkincident`);
  await explorer.select(`${name}.zkincident`);
}

async function seeStatus(text: RegExp): Promise<void> {
  await page.see('notOpen');
  await eventually(async () => expect(await page.find('.status-text').innerText()).toMatch(text), 20_000);
}

async function seeAnswer(sentence: RegExp): Promise<void> {
  await eventually(async () => expect(await page.find('.answer').innerText()).toMatch(sentence), 30_000);
}

async function locks(): Promise<string[]> {
  return page.find('.lock-head').allInnerTexts();
}

describe('an incident file in a window without its cluster', () => {
  it('is opened from the Explorer: what it is, what was said, its locks', async () => {
    await openFile('night');
    await page.see('open');
    expect(await page.find('h1').innerText()).toBe('Incident · night.zkincident');
    const facts = await page.find('.facts').innerText();
    for (const part of ['Orders', '/orders', '11/24/2026 03:15:00.000', 'from transaction logs'])
      expect(facts).toContain(part);
    expect(await page.find('.reports .report-headline').innerText()).toContain('pay-3 holds the lock');
    expect((await locks()).map(text => text.split('\n'))).toEqual([
      ['payment', 'held by pay-3 · 1 waiting', 'held for long'],
      ['refund', 'held by refund-7'],
    ]);
    expect(await workbench.notifications()).toEqual([]);
  });

  it('is a row of the Clusters view, in which nothing connects', async () => {
    await workbench.openContainer('ZooKeeper Locks');
    await tree.expand(row);
    await tree.seeRow('/orders/payment', /held by pay-3/u);
    expect(await tree.menu('/orders/payment')).not.toContain('Delete Stale Nodes…');
  });

  it.each([
    ['dark', 'Dark Modern', 'vscode-dark'],
    ['light', 'Light Modern', 'vscode-light'],
    ['high-contrast', 'Dark High Contrast', 'vscode-high-contrast'],
  ] as const)('fits a %s theme, and axe-core finds nothing', async (name, theme, kind) => {
    await workbench.chooseTheme(theme);
    await page.find(`body[data-vscode-theme-kind='${kind}']`).waitFor({ timeout: 10_000 });
    await workbench.screenshot(`incident-editor-${name}`);
    expect(await page.findings()).toEqual([]);
  });

  it('opens the panel of a lock at the moment of the incident, with its past, by the keyboard alone', async () => {
    await workbench.chooseTheme('Dark Modern');
    await page.find('h1').click();
    await page.tabTo('.search');
    await workbench.page.keyboard.insertText('PAY');
    await eventually(async () => expect(await locks()).toHaveLength(1));
    await page.tabTo('.lock-name');
    await keyboard.press('Enter');
    await page.seeTimeBar();
    await page.see('recorded');
    await seeAnswer(/Held by pay-3.*1 waits.*next: pay-4\.$/u);
    const bars = await page.find('.bar:not(.is-wait)').evaluateAll(all => all.map(bar => bar.ariaLabel ?? ''));
    expect(bars).toHaveLength(3);
    expect(bars[1]).toContain('Ended: session expired');
    await keyboard.run('ZooKeeper Locks: Previous Hand-Over');
    await seeAnswer(/At 2026-11-24 03:12:00.*Held by pay-3/u);
    await keyboard.run('ZooKeeper Locks: Previous Hand-Over');
    await seeAnswer(/At 2026-11-24 03:05:00.*Held by pay-2/u);
    await workbench.screenshot('incident-panel-dark');
  });

  it('comes back with its panel when the window is loaded again', async () => {
    await workbench.waitForState(String(nightTime(3, 5)));
    await workbench.reload();
    await seeAnswer(/At 2026-11-24 03:05:00.*Held by pay-2/u);
    await workbench.page.locator('.tab', { hasText: 'night.zkincident' }).click();
    await page.see('open');
    await eventually(async () => expect(await locks()).toHaveLength(1));
    expect(await page.find('.search').inputValue()).toBe('PAY');
    await workbench.openContainer('ZooKeeper Locks');
    await tree.seeRow(row, /03:05:00/u);
    await page.find('.lock-name').click();
    await seeAnswer(/Held by pay-3.*next: pay-4\.$/u);
  });

  it('says that its row was closed, and opens it again', async () => {
    await keyboard.run('ZooKeeper Locks: Close Recording');
    await workbench.page.locator('.tab', { hasText: 'night.zkincident' }).click();
    await seeStatus(/no longer in the list/u);
    await page.find('.button:visible', 'Open again').click();
    await page.see('open');
    await tree.waitForRow(row);
  });

  it.each([
    ['newer', /newer|2\.0/u],
    ['foreign', /no incident file|not an incident/iu],
  ])('that is %s is refused in words', async (name, text) => {
    await openFile(name);
    await seeStatus(text);
    expect(await page.find('.status-text').innerText()).toMatch(/\. .+\.$/u);
    await workbench.screenshot(`incident-refused-${name}`);
    expect(await page.findings()).toEqual([]);
  });

  it('that is torn shows what stands before the damage, and says so', async () => {
    await openFile('torn');
    await page.see('open');
    expect(await page.find('.warnings').innerText()).not.toBe('');
    expect(await page.findings()).toEqual([]);
  });
});
