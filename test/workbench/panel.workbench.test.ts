import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fourLetterWord } from '../../scripts/zookeeper/fourLetterWord.ts';
import { eventually } from '../support/eventually.ts';
import { startKazooContenders, type KazooContenders } from '../support/kazooContenders.ts';
import { longQueue } from '../support/longQueue.ts';
import { startObserver, type Observer } from '../support/observer.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcpProxy.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../support/zookeeperServer.ts';
import { keepTraceOfFailures } from './support/failureTrace.ts';
import { LockPanelPage } from './support/lockPanelPage.ts';
import type { TreeView } from './support/tree.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

let ensemble: ZooKeeperEnsemble;
let proxy: TcpProxy;
let observer: Observer;
let contenders: KazooContenders;
let workbench: Workbench;
let tree: TreeView;
let panel: LockPanelPage;
let folder: string;

const lockPath = '/orders/invoice';
/** Real kazoo clients, each with a session; behind them stand nodes that nobody works with. */
const workers = Array.from({ length: 12 }, (_, index) => `worker-${String.fromCharCode(97 + index)}`);
const idleWaiters = 80;
const sortedHosts = Array.from({ length: idleWaiters }, (_, index) => `host-${index}.example.org`).sort();
const hostileText = '<img src=x onerror="document.body.dataset.owned=1"><b>';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'panel-test-'));
  ensemble = await startZooKeeper();
  const [port = 0] = ensemble.ports;
  proxy = await startTcpProxy(port);
  observer = await startObserver(ensemble.connectString);
  contenders = startKazooContenders(ensemble.connectString);
  await observer.ensure(lockPath);
  await contenders.queueUp(observer, { recipe: 'lock', path: lockPath }, workers);
  await longQueue(observer, lockPath, idleWaiters);
  await observer.ensure('/orders/hostile');
  for (const name of [hostileText, 'plain']) {
    const plan = { data: hostileText, ephemeral: true, sequence: true };
    await observer.create(`/orders/hostile/${name.replaceAll('/', '\u2215')}lock-`, plan);
  }
  const cluster = { id: 'orders', name: 'Orders', connectString: proxy.connectString, environment: 'staging' };
  workbench = await openWorkbench({
    settings: { 'zookeeperLocks.clusters': [{ ...cluster, lockRoots: ['/orders'] }] },
  });
  tree = workbench.tree('Clusters');
  panel = new LockPanelPage(workbench.page);
  await workbench.openContainer('ZooKeeper Locks');
  await tree.expand('Orders');
  await tree.waitForRow(lockPath);
});

keepTraceOfFailures(() => workbench);

afterAll(async () => {
  await workbench.close();
  await contenders.stop();
  await observer.stop();
  await proxy.close();
  await ensemble.stop();
  await rm(folder, { recursive: true, force: true });
});

async function openPanel(path: string, label = path): Promise<void> {
  await tree.waitForRow(label);
  await tree.chooseFromMenu(label, 'Show Queue', () => panel.seeLock(path));
}

async function seeHolder(who: string): Promise<void> {
  await eventually(async () => expect(await panel.holders()).toEqual([who]));
}

/** Whether the server knows of a watch on the lock that is none of the contenders' own. */
async function isWatched(path: string): Promise<boolean> {
  const [port = 0] = ensemble.ports;
  return (await fourLetterWord('127.0.0.1', port, 'wchp')).split('\n').includes(path);
}

async function clipboard(): Promise<string> {
  return workbench.page.evaluate(() => navigator.clipboard.readText());
}

async function scrollTo(top: number): Promise<void> {
  const frame = await panel.frame();
  await frame.evaluate(async wanted => {
    const end = new Promise(resolve => document.addEventListener('scrollend', resolve, { once: true }));
    const before = window.scrollY;
    window.scrollTo({ top: wanted, behavior: 'instant' });
    if (window.scrollY !== before) await end;
  }, top);
}

/** By how much the page is wider than what can be seen of it. */
async function overflow(): Promise<number> {
  const frame = await panel.frame();
  return frame.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}

/** Brings an editor to the front by its title. */
async function showTab(title: string): Promise<void> {
  await workbench.page.locator('.tabs-container .tab', { hasText: title }).first().click();
}

describe('the lock panel', () => {
  it('opens from the tree on a living lock: holder, waiters, table', async () => {
    await openPanel(lockPath);
    await panel.see('live');
    await seeHolder('worker-a');
    await eventually(async () => expect(await panel.find('.picture .node').count()).toBe(50));
    expect((await panel.column('who')).slice(0, 13)).toEqual([...workers, 'host-0.example.org']);
    await eventually(async () =>
      expect(await panel.find('.answer').innerText()).toMatch(
        /^Held by worker-a for .*; 91 wait, .*; next: worker-b\.$/,
      ),
    );
    await workbench.screenshot('panel-dark');
  });

  it('shows ten hand-overs as they happen, and what came of them', async () => {
    for (const [index, worker] of workers.slice(0, 10).entries()) {
      // The tree may show the holder before its own program has noticed; kazoo ignores a release before that.
      await contenders.holds(worker);
      await contenders.release(worker);
      await seeHolder(workers[index + 1] ?? '');
    }
    await eventually(async () => expect(await panel.figure('Hand-overs')).toBe('10'));
    await eventually(async () => expect(await panel.find('.timeline .bar').count()).toBe(11));
    await eventually(async () =>
      expect(await panel.figure('Time held')).toMatch(/^median .*, 95 % within .*, longest/),
    );
    await eventually(async () => expect(await panel.figure('Gap between holders')).toMatch(/^median/));
    await eventually(async () => expect(await panel.figure('Longest queue')).toBe('92'));
    expect((await panel.column('who'))[0]).toBe('worker-k');
  });

  it('is sorted by keyboard alone', async () => {
    await panel.tabTo('.table [role=columnheader], .table [role=gridcell]');
    await workbench.page.keyboard.press('Control+Home');
    await eventually(async () => expect(await panel.focusedText()).toBe('Position'));
    await workbench.page.keyboard.press('Enter');
    await workbench.page.keyboard.press('Enter');
    await eventually(async () => expect((await panel.column('position'))[0]).toBe('82'));
    for (const key of ['ArrowRight', 'ArrowRight', 'Enter']) await workbench.page.keyboard.press(key);
    await eventually(async () => expect((await panel.column('who')).slice(0, 2)).toEqual(sortedHosts.slice(0, 2)));
    await eventually(async () =>
      expect(await panel.find('.table [role=columnheader]', 'Who').getAttribute('aria-sort')).toBe('ascending'),
    );
    await workbench.page.keyboard.press('ArrowDown');
    await eventually(async () => expect(await panel.focusedText()).toBe(sortedHosts[0]));
  });

  it('is filtered by keyboard alone, and what is filtered can be copied', async () => {
    await panel.tabTo('.table vscode-text-field', 'Shift+Tab');
    await workbench.page.keyboard.type('HOST-7');
    // The last one waits for one of them.
    const found = [...sortedHosts.filter(host => host.startsWith('host-7')), 'host-8.example.org'];
    await eventually(async () => expect(await panel.column('who')).toEqual(found));
    await eventually(async () => expect(await panel.find('.table .toolbar', '1 to 12 of 12').count()).toBe(1));
    await panel.tabTo('.table [role=gridcell]');
    await eventually(async () => expect(await panel.focusedText()).toBe(found[0]));
    await workbench.page.keyboard.press('Control+c');
    await eventually(async () => expect(await clipboard()).toBe(found[0]));
    // The line that says so moves what is below it, and a menu closes when its row moves.
    await panel.find('.outcome', 'Copied.').waitFor();
    await panel.chooseByKeys('Copy path');
    await eventually(async () => expect(await clipboard()).toMatch(/^\/orders\/invoice\/[0-9a-f]{32}__lock__\d{10}$/));
    await eventually(async () => expect(await panel.find('.outcome').innerText()).toBe('Copied.'));
  });

  it('unfolds the picture, fifty at a time', async () => {
    await panel.tabTo('.fold vscode-button', 'Shift+Tab');
    await eventually(async () => expect(await panel.focusedText()).toBe('and 32 more'));
    await workbench.page.keyboard.press('Enter');
    await eventually(async () => expect(await panel.find('.picture .node').count()).toBe(82));
  });

  it('deletes nothing when the question is cancelled', async () => {
    const before = await observer.ls(lockPath);
    await panel.tabTo('.picture .node', 'Shift+Tab');
    await workbench.page.keyboard.press('Home');
    await panel.chooseByKeys('Force delete…');
    expect(await workbench.dialogText()).toMatch(/Delete a LIVE holder of [^]*worker-k/);
    await workbench.pressDialogButton('Cancel');
    await workbench.page.locator('.monaco-dialog-box').waitFor({ state: 'detached' });
    expect(await observer.ls(lockPath)).toHaveLength(before.length);
    await seeHolder('worker-k');
  });

  it('opens the data of a node as a document, and is not watched behind it', async () => {
    await tree.collapse('Orders');
    await eventually(async () => expect(await isWatched(lockPath)).toBe(true));
    await scrollTo(200);
    await panel.find('.picture .node').first().focus();
    await panel.chooseByKeys('Show node data');
    await eventually(async () => {
      const text = await workbench.page.locator('.editor-instance .view-lines').first().innerText();
      expect(text.replaceAll('\u00a0', ' ')).toMatch(/worker-k/);
    });
    await eventually(async () => expect(await isWatched(lockPath)).toBe(false));
    await eventually(async () => expect(await workbench.page.locator('iframe.webview').count()).toBe(0));
    await workbench.screenshot('panel-node-data');
  });

  it('comes back as it was, with what happened unseen left open', async () => {
    await contenders.release('worker-k');
    await contenders.holds('worker-l');
    await showTab('invoice');
    await panel.see('live');
    await seeHolder('worker-l');
    await eventually(async () =>
      expect(await panel.find('.table vscode-text-field input').inputValue()).toBe('HOST-7'),
    );
    await eventually(async () =>
      expect(await panel.find('.table [role=columnheader]', 'Who').getAttribute('aria-sort')).toBe('ascending'),
    );
    await eventually(async () => expect((await panel.column('who'))[0]).toBe('host-7.example.org'));
    await eventually(async () => expect(await panel.find('.picture .node').count()).toBe(81));
    await eventually(async () => expect(await panel.figure('Hand-overs')).toBe('10'));
    await eventually(async () => expect(await panel.find('.timeline .chart:has(.bar) .unwatched').count()).toBe(1));
    const frame = await panel.frame();
    await eventually(async () => expect(await frame.evaluate(() => window.scrollY)).toBe(200));
    await eventually(async () => expect(await isWatched(lockPath)).toBe(true));
  });

  it('saves the history where the person says', async () => {
    const file = join(folder, 'invoice.json');
    await panel.find('.timeline vscode-button', 'Save as JSON').click();
    await workbench.answerFileDialog(file, 'OK');
    await eventually(async () => expect(await panel.find('.outcome').innerText()).toContain(file));
    const saved = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    expect(saved).toMatchObject({ lock: { cluster: 'Orders', path: lockPath }, figures: { handOvers: 10 } });
    const events = saved['events'] as { event: string; identifier?: string }[];
    expect(events.filter(({ event }) => event === 'held').map(({ identifier }) => identifier)).toEqual(
      workers.slice(1, 11),
    );
  });

  it.each([
    ['dark', 'Dark Modern', 'vscode-dark'],
    ['light', 'Light Modern', 'vscode-light'],
    ['high-contrast', 'Dark High Contrast', 'vscode-high-contrast'],
  ] as const)('can be read by all in a %s theme', async (name, theme, kind) => {
    await workbench.chooseTheme(theme);
    await panel.find(`body[data-vscode-theme-kind='${kind}']`).waitFor({ timeout: 10_000 });
    await scrollTo(0);
    await workbench.screenshot(`panel-${name}`);
    await panel.scrollToTable();
    await workbench.screenshot(`panel-${name}-table`);
    await scrollTo(100_000);
    await workbench.screenshot(`panel-${name}-timeline`);
    expect(await panel.findings()).toEqual([]);
    await workbench.page.setViewportSize({ width: 760, height: 800 });
    await scrollTo(0);
    await eventually(async () => expect(await overflow()).toBeLessThanOrEqual(0));
    await workbench.screenshot(`panel-${name}-narrow`);
    await workbench.page.setViewportSize({ width: 1280, height: 800 });
  });

  it('makes no element of what a node is called or holds', async () => {
    await tree.expand('Orders');
    await openPanel('/orders/hostile', '<img');
    await eventually(async () => expect(await panel.column('who')).toEqual([`"${hostileText.replaceAll('"', "'")}"`]));
    const frame = await panel.frame();
    const found = await frame.evaluate(() => ({
      elements: document.querySelectorAll('img, b').length,
      owned: document.body.dataset['owned'],
      listeners: [...document.querySelectorAll('*')].filter(one => one.hasAttribute('onerror')).length,
    }));
    expect(found).toEqual({ elements: 0, owned: undefined, listeners: 0 });
    await workbench.screenshot('panel-hostile');
  });

  it('says when the lock itself is gone', async () => {
    await observer.delete('/orders/hostile', { recursive: true });
    await panel.see('gone');
    await eventually(async () =>
      expect(await panel.find('.status-text').innerText()).toBe('The lock does not exist (any more).'),
    );
    await eventually(async () => expect(await panel.find('.picture').isVisible()).toBe(false));
  });

  it('dims what it last saw while there is no connection, and tells the last contact', async () => {
    await showTab('invoice');
    await panel.see('live');
    await proxy.setAccepting(false);
    proxy.cut();
    await panel.see('disconnected');
    await eventually(async () =>
      expect(await panel.find('.answer').innerText()).toMatch(/^Not current, as of \d+:\d+/),
    );
    await eventually(async () => expect(await panel.find('.picture .node').count()).toBe(81));
    const dimmed = panel.find('.picture-scroller');
    await eventually(async () =>
      expect(await dimmed.evaluate(element => Number(getComputedStyle(element).opacity))).toBeLessThan(1),
    );
    await workbench.screenshot('panel-disconnected');
    await proxy.setAccepting(true);
    await panel.see('live');
    await eventually(async () =>
      expect(await dimmed.evaluate(element => Number(getComputedStyle(element).opacity))).toBe(1),
    );
  });
});
