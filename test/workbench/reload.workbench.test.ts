import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fourLetterWord } from '../../scripts/zookeeper/fourLetterWord.ts';
import { eventually } from '../support/eventually.ts';
import { startObserver, type Observer } from '../support/observer.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../support/zookeeperServer.ts';
import { keepTraceOfFailures } from './support/failureTrace.ts';
import { LockPanelPage } from './support/lockPanelPage.ts';
import type { TreeRow, TreeView } from './support/tree.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

let ensemble: ZooKeeperEnsemble;
let observer: Observer;
let workbench: Workbench;
let tree: TreeView;
let panel: LockPanelPage;

const lockPath = '/orders/invoice';
const welcome = 'See who holds and who waits';

beforeAll(async () => {
  ensemble = await startZooKeeper();
  observer = await startObserver(ensemble.connectString);
  await observer.ensure(lockPath);
  for (const data of ['worker-a', 'worker-b']) {
    const name = '0123456789abcdef0123456789abcdef__lock__';
    await observer.create(`${lockPath}/${name}`, { data, ephemeral: true, sequence: true });
  }
  const cluster = { id: 'orders', name: 'Orders', connectString: ensemble.connectString, lockRoots: ['/orders'] };
  workbench = await openWorkbench({ settings: { 'zookeeperLocks.clusters': [cluster] } });
  tree = workbench.tree('Clusters');
  panel = new LockPanelPage(workbench.page);
});

keepTraceOfFailures(() => workbench);

afterAll(async () => {
  await workbench.close();
  await observer.stop();
  await ensemble.stop();
});

/** From the next load on, remembers every text that an empty view has ever shown. */
async function recordWelcomeTexts(): Promise<() => Promise<string[]>> {
  await workbench.page.addInitScript(() => {
    const seen = new Set<string>();
    Object.assign(window, { welcomeTexts: seen });
    const look = (): void => {
      for (const found of document.querySelectorAll('.welcome-view-content')) seen.add(found.textContent);
    };
    new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true });
  });
  return () => workbench.page.evaluate(() => [...(window as unknown as { welcomeTexts: Set<string> }).welcomeTexts]);
}

/** Sessions of clients, without that of the observer. */
async function sessions(): Promise<number> {
  const [port = 0] = ensemble.ports;
  const lines = (await fourLetterWord('127.0.0.1', port, 'cons')).split('\n').filter(line => line.includes('sid='));
  return lines.length - 1;
}

async function seeReport(text: RegExp): Promise<void> {
  await eventually(async () => expect(await workbench.report.innerText({ timeout: 1_000 })).toMatch(text), 30_000);
}

async function seeLock(): Promise<TreeRow> {
  return tree.seeRow(/invoice$/, /./, 30_000);
}

/** Whether the view offers to connect what was connected before. */
async function isOffered(): Promise<boolean> {
  return (await workbench.page.locator('.sidebar .action-label[aria-label^="Reconnect All"]').count()) > 0;
}

async function isOnScreen(text: string): Promise<boolean> {
  return (await panel.find('.lock', text).count()) > 0;
}

/** Loads the window again once VS Code has written the state that is on screen. */
async function reloadWith(...texts: readonly string[]): Promise<void> {
  await workbench.waitForState(...texts);
  await workbench.reload();
  await workbench.openContainer('ZooKeeper Locks');
}

describe('a window that is loaded again', () => {
  it('never shows the page of the first run to a person who has clusters', async () => {
    await workbench.openContainer('ZooKeeper Locks');
    await tree.waitForRow('Orders');
    const shown = await recordWelcomeTexts();
    await workbench.reload();
    await workbench.openContainer('ZooKeeper Locks');
    await tree.waitForRow('Orders', 30_000);
    // The other view has no locks yet, and says so: the recording sees what empty views show.
    await eventually(async () => expect((await shown()).join('\n')).toContain('Take a lock'), 20_000);
    expect((await shown()).filter(text => text.includes(welcome))).toEqual([]);
    expect((await shown()).filter(text => text.includes('first add a cluster'))).toEqual([]);
  });

  it('brings the panel back with its lock, and connects nothing by itself', async () => {
    await tree.expand('Orders');
    const { label } = await seeLock();
    await tree.chooseFromMenu(label, 'Show Queue', () => panel.seeLock(lockPath));
    await panel.see('live');
    await panel.tabTo('.table vscode-text-field');
    await workbench.page.keyboard.type('worker-b');
    await eventually(async () => expect(await panel.column('who')).toEqual(['worker-b']));
    // The page's own state, in the state of its editor, in the state of the window.
    // code-server lets the program of the window before live on, with its session.
    const before = await sessions();
    await reloadWith('worker-b', 'connectedClusters');
    await panel.see('unconnected');
    await eventually(async () => expect(await isOnScreen('Not connected yet.')).toBe(true));
    await eventually(async () => expect(await isOnScreen(lockPath)).toBe(true));
    expect(await panel.find('.status-text').innerText()).toBe('Not connected yet.');
    await workbench.screenshot('reload-panel-dark');
    await tree.seeRow('Orders', /not connected/);
    expect(await sessions()).toBeLessThanOrEqual(before);
  });

  it('connects from the panel, which then shows what it showed before', async () => {
    await panel.find('.lock vscode-button:visible', 'Connect').click();
    await panel.see('live');
    await eventually(async () => expect(await panel.column('who')).toEqual(['worker-b']));
    await eventually(async () =>
      expect(await panel.find('.table vscode-text-field input').inputValue()).toBe('worker-b'),
    );
  });

  it('says of a report that it is gone, and shows the next one', async () => {
    const explain = async (): Promise<void> => {
      const { label } = await seeLock();
      await tree.chooseFromMenu(label, 'Explain Lock', () => seeReport(/Held by worker-a/));
    };
    await tree.expand('Orders');
    await explain();
    // Only the tab can start the extension then.
    await workbench.runCommand('View: Show Explorer');
    await workbench.waitForState('lock-invoice.md');
    await workbench.reload();
    await seeReport(/^This text is gone\s+It showed what was read.*Run the command once more\.$/);
    await workbench.screenshot('reload-report');
    await workbench.openContainer('ZooKeeper Locks');
    await tree.expand('Orders');
    await explain();
    await workbench.runCommand('View: Close All Editors');
    const { label } = await seeLock();
    await tree.chooseFromMenu(label, 'Show Queue', () => panel.seeLock(lockPath));
    await panel.see('live');
    await panel.tabTo('.table vscode-text-field');
    await workbench.page.keyboard.type('worker-b');
  });

  it('offers in one click to connect what was connected', async () => {
    await reloadWith('worker-b');
    await panel.see('unconnected');
    await tree.waitForRow('Orders', 30_000);
    await workbench.screenshot('reload-offer-dark');
    // The buttons of a view come up where the mouse is.
    await workbench.page.locator('.pane-header', { hasText: 'Clusters' }).hover();
    await workbench.screenshot('reload-offer-button');
    await tree.pressTitleButton('Reconnect All');
    await seeLock();
    await panel.see('live');
    await eventually(async () => expect(await isOffered()).toBe(false));
    expect(await workbench.notifications()).toEqual([]);
  });

  it('connects by itself where the person wants that', async () => {
    await workbench.changeSettings({ 'zookeeperLocks.reconnectOnStartup': true });
    await reloadWith('worker-b');
    await panel.see('live');
    await seeLock();
  });

  it('leaves alone what was disconnected on purpose', async () => {
    await tree.pressInline('Orders', 'Disconnect', () => tree.seeRow('Orders', /not connected/));
    await eventually(
      async () => expect(await workbench.writtenState()).not.toContain('"connectedClusters":["orders"]'),
      30_000,
    );
    await reloadWith('worker-b');
    await panel.see('unconnected');
    await tree.seeRow('Orders', /not connected/);
    expect(await isOffered()).toBe(false);
  });

  it.each([
    ['light', 'Light Modern', 'vs'],
    ['high-contrast', 'Default High Contrast', 'hc-black'],
  ])('says in a %s theme that the cluster of a panel is gone', async (name, theme, look) => {
    await workbench.changeSettings({ 'zookeeperLocks.clusters': [], 'workbench.colorTheme': theme });
    await reloadWith('worker-b');
    await workbench.page.locator(`.monaco-workbench.${look}`).waitFor({ timeout: 10_000 });
    await panel.see('unconnected');
    await eventually(async () =>
      expect(await panel.find('.status-text').innerText()).toBe('This cluster is no longer in the list.'),
    );
    expect(await panel.find('.lock vscode-button:visible', 'Connect').count()).toBe(0);
    await workbench.page.locator('.welcome-view-content', { hasText: welcome }).waitFor({ timeout: 10_000 });
    await workbench.screenshot(`reload-removed-${name}`);
  });
});
