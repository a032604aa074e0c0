import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFailed } from 'vitest';
import { fourLetterWord } from '../../scripts/zookeeper/fourLetterWord.ts';
import { eventually } from '../support/eventually.ts';
import { startKazooContenders, type KazooContenders } from '../support/kazooContenders.ts';
import { longQueue } from '../support/longQueue.ts';
import { startObserver, type Observer } from '../support/observer.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcpProxy.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../support/zookeeperServer.ts';
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
const hostileText = '<img src=x onerror="document.body.dataset.owned=1"><b>bold</b>';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'panel-test-'));
  ensemble = await startZooKeeper();
  const [port = 0] = ensemble.ports;
  proxy = await startTcpProxy(port);
  observer = await startObserver(ensemble.connectString);
  contenders = startKazooContenders(ensemble.connectString);
  await observer.ensure(lockPath);
  for (const [index, contender] of workers.entries()) {
    await contenders.start({ contender, recipe: 'lock', path: lockPath, identifier: contender });
    await contenders.begin(contender);
    await eventually(async () => expect(await observer.ls(lockPath)).toHaveLength(index + 1));
  }
  await longQueue(observer, lockPath, idleWaiters);
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

beforeEach(() => {
  onTestFailed(async ({ task }) => {
    await workbench.screenshot(`failed-${task.name.slice(0, 40).replaceAll(/\W+/g, '-')}`);
    process.stderr.write(await workbench.logs());
  });
});

afterAll(async () => {
  await workbench.close();
  await contenders.stop();
  await observer.stop();
  await proxy.close();
  await ensemble.stop();
  await rm(folder, { recursive: true, force: true });
});

async function openPanel(path: string): Promise<void> {
  await tree.waitForRow(path);
  await tree.chooseFromMenu(path, 'Show Queue');
}

async function seeHolder(who: string): Promise<void> {
  await eventually(async () => expect(await panel.holders()).toEqual([who]));
}

/** Whether the server knows of a watch on the lock that is none of the contenders' own. */
async function isWatched(path: string): Promise<boolean> {
  const [port = 0] = ensemble.ports;
  return (await fourLetterWord('127.0.0.1', port, 'wchp')).split('\n').includes(path);
}

async function useTheme(name: string, kind: string): Promise<void> {
  await workbench.changeSettings({ 'workbench.colorTheme': name });
  await panel.find(`body[data-vscode-theme-kind='${kind}']`).waitFor();
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
    expect(await panel.find('.picture .node').count()).toBe(50);
    expect((await panel.column('who')).slice(0, 13)).toEqual([...workers, 'host-0.example.org']);
    expect(await panel.find('.lock .summary').innerText()).toBe('92 contenders: 1 hold, 91 wait');
    await workbench.screenshot('panel-dark');
  });

  it('shows ten hand-overs as they happen, and what came of them', async () => {
    for (const [index, worker] of workers.slice(0, 10).entries()) {
      await contenders.release(worker);
      await seeHolder(workers[index + 1] ?? '');
    }
    await eventually(async () => expect(await panel.figure('Hand-overs')).toBe('10'));
    expect(await panel.find('.timeline .bar').count()).toBe(11);
    expect(await panel.figure('Time held')).toMatch(/^median .*, 95 % within .*, longest/);
    expect(await panel.figure('Gap between holders')).toMatch(/^median/);
    expect(await panel.figure('Longest queue')).toBe('92');
    expect((await panel.column('who'))[0]).toBe('worker-k');
  });
});
