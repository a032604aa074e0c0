import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startObserver } from '../support/observer.ts';
import { keepTraceOfFailures } from './support/failureTrace.ts';
import type { TreeRow, TreeView } from './support/tree.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

let workbench: Workbench;
let tree: TreeView;

/** As it is after the installation, but for the patience before a deadlock is called so. */
beforeAll(async () => {
  workbench = await openWorkbench({
    settings: { 'zookeeperLocks.deadlockSeconds': 2 },
    viewport: { width: 1280, height: 1000 },
  });
  tree = workbench.tree('Clusters');
});

keepTraceOfFailures(() => workbench);

afterAll(async () => {
  await workbench.close();
});

const accounts = ['/examples/bank/alice', '/examples/bank/bob'];

/** Labels of the locks that are marked as deadlocked, or as perhaps so. */
async function deadlocked(): Promise<string[]> {
  const locks = (await tree.rows()).filter(({ ariaLabel }) => ariaLabel.includes(' /examples/'));
  return locks.filter(({ ariaLabel }) => ariaLabel.includes('deadlocked')).map(({ label }) => label);
}

/** Waits until the report in front is so. The first one of a window starts VS Code's Markdown preview. */
async function seeReport(text: RegExp): Promise<void> {
  await eventually(async () => expect(await workbench.report.innerText({ timeout: 1_000 })).toMatch(text), 30_000);
}

/** The contenders of an expanded lock that are on screen. */
async function contendersOf(lock: string): Promise<TreeRow[]> {
  const rows = await tree.rows();
  const at = rows.findIndex(({ ariaLabel }) => ariaLabel.includes(` ${lock}`));
  const end = rows.findIndex(({ level }, index) => index > at && level <= (rows[at]?.level ?? 0));
  return rows.slice(at + 1, end < 0 ? undefined : end).filter(({ label }) => label.startsWith('#'));
}

it('shows living locks two clicks after the installation, without a question or a setting', async () => {
  await workbench.openContainer('ZooKeeper Locks');
  await eventually(
    async () => expect(await tree.welcomeText()).toContain('Real locks belong on a real ensemble.'),
    30_000,
  );
  await workbench.screenshot('sandbox-welcome-dark');
  await tree.pressWelcomeButton('Try a Sandbox');
  await tree.seeRow('Sandbox', /^in memory only · connected · \d+ locks/);
  await tree.seeRow('/examples/shop/checkout', /^held by checkout-\d/);
  // On a slow machine the progress of the start is still shown; a question would stay.
  await eventually(async () => expect(await workbench.notifications()).toEqual([]));
  expect(await workbench.page.locator('.quick-input-widget:visible').count()).toBe(0);
  // Two transfers have locked each other out, and a program has crashed.
  for (const account of accounts) await tree.seeRow(account, /^deadlocked · held by transfer-\d/);
  expect(await deadlocked()).toEqual(['alice', 'bob']);
  await tree.seeRow('/examples/imports/daily', /^1 maybe stale · held by "importer-1 \(crashed\)"/);
  await workbench.screenshot('sandbox-dark');
  expect(await workbench.savedSettings()).not.toContain('zookeeperLocks.clusters');
});

it('hands its locks over under our eyes', async () => {
  const checkout = '/examples/shop/checkout';
  await tree.expand(checkout);
  const { label } = await tree.firstChildOf(checkout);
  await eventually(async () => expect((await tree.firstChildOf(checkout)).label).not.toBe(label), 20_000);
});

it('lets other programs join, by its connect string', async () => {
  await tree.chooseFromMenu('Sandbox', 'Copy Connect String', () =>
    eventually(async () => {
      expect(await workbench.page.evaluate(() => navigator.clipboard.readText())).toMatch(/^127\.0\.0\.1:\d+$/);
    }),
  );
  const connectString = await workbench.page.evaluate(() => navigator.clipboard.readText());
  const checkout = '/examples/shop/checkout';
  const observer = await startObserver(connectString);
  const name = `_c_${crypto.randomUUID()}-lock-`;
  await observer.create(`${checkout}/${name}`, { data: 'my-service', ephemeral: true, sequence: true });
  await eventually(async () => {
    expect((await contendersOf(checkout)).map(({ label }) => label).join()).toContain('my-service');
  });
  // Its turn comes as that of each other.
  await eventually(async () => expect((await tree.firstChildOf(checkout)).label).toBe('#1 my-service'), 30_000);
  await workbench.screenshot('sandbox-joined');
  await observer.stop();
  await eventually(async () => expect((await tree.firstChildOf(checkout)).label).not.toBe('#1 my-service'), 30_000);
  await tree.collapse(checkout);
});

it('has a deadlock that a force delete resolves, and the play goes on', async () => {
  const [account = ''] = accounts;
  await tree.expand(account);
  const waiter = await eventually(async () => {
    const row = (await contendersOf(account))[1];
    expect(row?.ariaLabel).toContain('deadlocked');
    return row!;
  });
  await workbench.screenshot('sandbox-deadlock-dark');
  await tree.chooseFromMenu('Sandbox', 'Explain Deadlocks', () =>
    seeReport(/1 deadlock found[^]*Locks: \/examples\/bank\/alice, \/examples\/bank\/bob/),
  );
  await tree.chooseFromMenu(waiter.label, 'Show Owner', () => seeReport(/^The session is alive/));
  await workbench.screenshot('sandbox-owner-dark');
  const question = await tree.chooseFromMenu(waiter.label, 'Force Delete…', () =>
    eventually(async () => {
      const shown = await workbench.dialogText();
      expect(shown).toContain('alice');
      return shown;
    }),
  );
  expect(question).toContain('Cluster: Sandbox (in memory only)');
  await workbench.screenshot('sandbox-force-delete-dark');
  await workbench.pressDialogButton('Force Delete');
  await workbench.answerQuickInput('Type "alice" to delete', 'alice');
  await eventually(async () => expect(await deadlocked()).toEqual([]), 20_000);
  await tree.seeRow(account, /^held by transfer-1/, 30_000);
  await tree.seeRow(account, /^held by transfer-2/, 30_000);
  expect(await deadlocked()).toEqual([]);
});

it('can be recognised by its words, light or dark', async () => {
  await workbench.chooseTheme('Light Modern');
  expect(await tree.tooltip('Sandbox')).toMatch(/on this machine only.*real locks belong on a real ensemble/s);
  const entries = await tree.menu('Sandbox');
  expect(entries).toEqual(expect.arrayContaining(['Stop Sandbox', 'Copy Connect String', 'Acquire Test Lock']));
  for (const entry of ['Edit Cluster…', 'Remove Cluster…']) expect(entries).not.toContain(entry);
  await workbench.screenshot('sandbox-light');
});

it('ends with its row when it is stopped, and starts again by keyboard', async () => {
  await tree.chooseFromMenu('Sandbox', 'Stop Sandbox', () =>
    eventually(async () => expect(await tree.rows()).toEqual([])),
  );
  await workbench.screenshot('sandbox-welcome-light');
  await workbench.runCommand('ZooKeeper Locks: Try a Sandbox');
  await tree.seeRow('/examples/shop/checkout', /^held by checkout-\d/);
  await workbench.runCommand('ZooKeeper Locks: Acquire Mutex…');
  // The palette shares the field with the question that follows it.
  await workbench.seeQuickInput('Which lock?');
  await workbench.cancelQuickInput();
  await workbench.runCommand('ZooKeeper Locks: Stop Sandbox');
  await eventually(async () => expect(await tree.rows()).toEqual([]));
});
