import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../support/zookeeperServer.ts';
import { startBlockedServices, startCircle, type BlockedServices, type Service } from './support/blockedServices.ts';
import { keepTraceOfFailures } from './support/failureTrace.ts';
import { Keyboard } from './support/keyboard.ts';
import { LockPanelPage } from './support/lockPanelPage.ts';
import type { TreeView } from './support/tree.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

let ensemble: ZooKeeperEnsemble;
let services: BlockedServices;
let circle: Service[] = [];
let workbench: Workbench;
let clusters: TreeView;
let blockers: TreeView;

beforeAll(async () => {
  ensemble = await startZooKeeper();
  const { connectString } = ensemble;
  services = await startBlockedServices(connectString);
  const settings = {
    'zookeeperLocks.clusters': [{ id: 'live', name: 'Live', connectString, lockRoots: ['/shop'] }],
    'zookeeperLocks.deadlockSeconds': 5,
  };
  workbench = await openWorkbench({ settings, viewport: { width: 1280, height: 900 } });
  [clusters, blockers] = [workbench.tree('Clusters'), workbench.tree('Blockers')];
  await workbench.openContainer('ZooKeeper Locks');
});

keepTraceOfFailures(() => workbench);

afterAll(async () => {
  await workbench.close();
  await services.stop();
  for (const service of circle) await service.stop();
  await ensemble.stop();
});

/** The rows of the view, each with its level. */
async function labels(): Promise<string[]> {
  return (await blockers.rows()).map(({ label, level }) => `${'  '.repeat(level - 1)}${label}`);
}

/** Presses keys until their effect is seen: a row that is drawn again just then does not hear them. */
async function pressUntil(keys: readonly string[], see: () => Promise<void>): Promise<void> {
  await eventually(async () => {
    await new Keyboard(workbench.page).press(...keys);
    await eventually(see, 3_000);
  }, 15_000);
}

/** Drags the border of the side bar. */
async function setSideBarWidth(width: number): Promise<void> {
  const { page } = workbench;
  const box = await page.locator('.part.sidebar').boundingBox();
  await page.mouse.move(box!.x + box!.width, 500);
  await page.mouse.down();
  await page.mouse.move(box!.x + width, 500, { steps: 5 });
  await page.mouse.up();
}

const themes = [
  ['light', 'Light Modern'],
  ['high-contrast', 'Dark High Contrast'],
  ['high-contrast-light', 'Light High Contrast'],
  ['dark', 'Dark Modern'],
] as const;

describe('the view Blockers', () => {
  it('is there once a cluster is connected', async () => {
    const header = workbench.page.locator('.sidebar .pane-header .title', { hasText: 'Blockers' });
    await clusters.waitForRow('Live');
    expect(await header.count()).toBe(0);
    await clusters.expand('Live');
    await header.waitFor({ timeout: 20_000 });
    // Below the tree there is room for all of it.
    await workbench.runCommand('ZooKeeper Locks: Focus on Blockers View');
    await blockers.seeRow('billing', /^4 wait · longest .* in all · keeps orders/);
  });

  it('begins with who costs most, and unfolds into the chain', async () => {
    await blockers.seeRow('ledger', /^1 waits · longest/);
    expect(await labels()).toEqual(['billing', 'ledger']);
    await blockers.expand('billing');
    await blockers.seeRow('checkout', /^waits .* · keeps stock · 2 wait/);
    await blockers.expand('checkout');
    await blockers.seeRow('mailing', /^waits .* · keeps mail · 1 waits/);
    await blockers.expand('mailing');
    await blockers.seeRow('search', /^waits /);
    await eventually(async () =>
      expect(await labels()).toEqual(['billing', '  checkout', '    mailing', '      search', '    pricing', 'ledger']),
    );
    const { ariaLabel } = await blockers.waitForRow('checkout');
    expect(ariaLabel).toMatch(/^checkout, waits .*, keeps stock, 2 wait/);
    expect(await blockers.tooltip('billing')).toContain(services.of('billing').session);
  });

  it('opens the queue of the lock that a row waits for, and offers nothing that deletes', async () => {
    const panel = new LockPanelPage(workbench.page);
    const entries = await blockers.menu('checkout');
    expect(entries).toContain('Show Queue');
    expect(entries.filter(entry => /delete/i.test(entry))).toEqual([]);
    await blockers.chooseFromMenu('checkout', 'Show Queue', () => panel.seeLock('/shop/orders'));
  });

  it('is used by the keyboard alone', async () => {
    const keyboard = new Keyboard(workbench.page);
    await keyboard.run('ZooKeeper Locks: Focus on Blockers View');
    const menu = workbench.page.locator('.monaco-menu .action-label', { hasText: 'Show Queue' });
    await pressUntil(['Home', 'ArrowLeft'], async () => expect(await labels()).toEqual(['billing', 'ledger']));
    await pressUntil(['ArrowRight'], async () => expect((await labels())[1]).toBe('  checkout'));
    await keyboard.press('ArrowRight');
    await pressUntil(['Shift+F10'], async () => expect(await menu.isVisible()).toBe(true));
    await keyboard.press('Escape');
  });

  it('is live: the ranking changes when the root lets go', async () => {
    await services.of('billing').release('/shop/orders');
    await blockers.seeRow('checkout', /^3 wait · longest/);
    await eventually(async () => expect((await labels())[0]).toBe('checkout'));
    await services.of('checkout').stop();
    await blockers.seeRow('mailing', /^2 wait · .*keeps 2 locks/);
    await blockers.expand('mailing');
    await blockers.seeRow('mail', /^1 waits · held/);
    await blockers.seeRow('stock', /^1 waits · held/);
  });

  it('marks a circle: first possible, then a deadlock', async () => {
    circle = await startCircle(ensemble.connectString);
    await workbench.runCommand('ZooKeeper Locks: Refresh');
    await blockers.seeRow('2 sessions wait for each other', /may be deadlocked|deadlocked/, 30_000);
    await blockers.seeRow('2 sessions wait for each other', /^deadlocked/, 60_000);
    await blockers.expand('2 sessions');
    await blockers.expand('east');
    await eventually(async () => expect(await labels()).toContain('    west'));
    await blockers.seeRow('east', /see above/);
  });

  it.each(themes)('can be read in a %s theme, in a side bar of 300 px', async (name, theme) => {
    await setSideBarWidth(300);
    await workbench.chooseTheme(theme);
    await workbench.screenshot(`blockers-${name}`);
    const shown = await blockers.waitForRow('2 sessions wait for each other');
    expect(shown.description).toMatch(/^deadlocked/);
  });

  it('has the clusters in rows once there are several, a moment of the past among them', async () => {
    const keyboard = new Keyboard(workbench.page);
    await keyboard.run('ZooKeeper Locks: Open Transaction Logs…');
    const folder = join(ensemble.servers[0]!.folder, 'data', 'version-2');
    await keyboard.answerFileDialog(folder, () => clusters.waitForRow('version-2', 500));
    await clusters.expand('version-2');
    await blockers.seeRow('Live', /^$/);
    await blockers.seeRow('version-2', /:\d\d/);
    await blockers.collapse('Live');
    await blockers.expand('version-2');
    await blockers.seeRow('mailing', /^2 wait/);
    // Back to where `checkout` had got what `billing` gave back; each step brings the ranking of another moment.
    await eventually(async () => {
      await keyboard.run('ZooKeeper Locks: Previous Hand-Over');
      await blockers.seeRow('checkout', /^3 wait/, 3_000);
    }, 60_000);
    await workbench.screenshot('blockers-past');
    await workbench.runCommand('ZooKeeper Locks: Close Recording');
    await eventually(async () => expect(await labels()).toContain('mailing'));
  });

  it('goes with the connection', async () => {
    await workbench.runCommand('ZooKeeper Locks: Disconnect');
    await workbench.page
      .locator('.sidebar .pane-header .title', { hasText: 'Blockers' })
      .waitFor({ state: 'detached', timeout: 20_000 });
  });
});
