import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startKazooContenders, type KazooContenders } from '../support/kazooContenders.ts';
import { startObserver, type Observer } from '../support/observer.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../support/zookeeperServer.ts';
import { keepTraceOfFailures } from './support/failureTrace.ts';
import { Keyboard } from './support/keyboard.ts';
import { LockPanelPage } from './support/lockPanelPage.ts';
import type { TreeView } from './support/tree.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

let ensemble: ZooKeeperEnsemble;
let observer: Observer;
let contenders: KazooContenders;
let workbench: Workbench;
let keyboard: Keyboard;
let tree: TreeView;
let panel: LockPanelPage;

const path = '/orders/payment';
const recorded = 'Orders (recorded)';
/** And neither waits, nor begins, nor leaves it to another window. */
const records = /(?:^|· )recording(?: ·|$)/u;

beforeAll(async () => {
  ensemble = await startZooKeeper();
  observer = await startObserver(ensemble.connectString);
  contenders = startKazooContenders(ensemble.connectString);
  await observer.ensure(path);
  await contenders.queueUp(observer, { recipe: 'lock', path }, ['pay-1', 'pay-2', 'pay-3', 'pay-4']);
  await contenders.holds('pay-1');
  const cluster = { id: 'orders', name: 'Orders', connectString: ensemble.connectString, lockRoots: ['/orders'] };
  workbench = await openWorkbench({
    settings: { 'zookeeperLocks.clusters': [cluster] },
    viewport: { width: 1400, height: 900 },
  });
  keyboard = new Keyboard(workbench.page);
  tree = workbench.tree('Clusters');
  panel = new LockPanelPage(workbench.page);
  await workbench.openContainer('ZooKeeper Locks');
  await tree.waitForRow('Orders', 30_000);
});

keepTraceOfFailures(() => workbench);

afterAll(async () => {
  await workbench.close();
  await contenders.stop();
  await observer.stop();
  await ensemble.stop();
});

/** What the bars of the holds say. */
async function holds(): Promise<string[]> {
  return panel.find('.bar:not(.is-wait)').evaluateAll(bars => bars.map(bar => bar.ariaLabel ?? ''));
}

async function seeHolds(...expected: RegExp[]): Promise<void> {
  await eventually(async () => {
    const labels = await holds();
    expect(labels).toHaveLength(expected.length);
    for (const [index, label] of labels.entries()) expect(label).toMatch(expected[index]!);
  }, 30_000);
}

describe('the recorder on a real server', () => {
  it('says what it costs before it begins, and then how it stands', async () => {
    await tree.chooseFromMenu('Orders', 'Record Locks…', () => workbench.page.locator('.monaco-dialog-box').waitFor({ timeout: 20_000 })); // prettier-ignore
    const text = await workbench.dialogText();
    expect(text).toContain('Record the locks of "Orders"?');
    for (const part of ['1 watch', 'each server is asked', '7 days, 50 MB', 'all of a short text'])
      expect(text).toContain(part);
    await workbench.screenshot('recorder-cost');
    await keyboard.pressInDialog(/Record the locks/u, 'Record');
    await tree.seeRow('Orders', records, 30_000);
    await tree.expand('Orders');
    await tree.seeRow(path, /held by pay-1/u);
    await workbench.screenshot('recorder-row');
  });

  it('gives the panel of a lock the history from before it was opened', async () => {
    await contenders.release('pay-1');
    await contenders.holds('pay-2');
    await tree.seeRow(path, /held by pay-2/u);
    await tree.chooseFromMenu(path, 'Show Queue', () => panel.seeLock(path));
    await panel.see('live');
    await seeHolds(/pay-1.*Ended: released/u, /pay-2/u);
  });

  it('goes on in a window that is loaded again, once it is connected', async () => {
    await workbench.waitForState('connectedClusters', '/orders/payment');
    await workbench.reload();
    await workbench.openContainer('ZooKeeper Locks');
    await panel.see('unconnected');
    await tree.seeRow('Orders', /recording waits|waits/u);
    await panel.find('.lock vscode-button:visible', 'Connect').click();
    await panel.see('live');
    // The window before may still be there for a moment, and be the one that records.
    await tree.seeRow('Orders', records, 60_000);
    await contenders.end('pay-2');
    await contenders.holds('pay-3');
    await eventually(async () => {
      const labels = (await holds()).join('\n');
      expect(labels).toMatch(/pay-1.*Ended: released/u);
      expect(labels).toMatch(/pay-2.*Ended: .*session/u);
      expect(labels).toMatch(/pay-3/u);
    }, 30_000);
    await workbench.screenshot('recorder-panel-after-reload');
    expect(await panel.findings()).toEqual([]);
  });

  it('is opened as a recording, whose panel comes back after a reload, too', async () => {
    await keyboard.run('ZooKeeper Locks: Focus on Clusters View');
    await tree.chooseFromMenu('Orders', 'Open Recording', () => tree.waitForRow(recorded, 30_000));
    await tree.collapse('Orders');
    await tree.expand(recorded);
    await tree.seeRow(path, /held by pay-/u);
    await tree.chooseFromMenu(path, 'Show Queue', () => panel.seeTimeBar());
    await panel.see('recorded');
    const end = await panel.find('.time-now').innerText();
    await keyboard.run('ZooKeeper Locks: Previous Hand-Over');
    const before = await eventually(async () => {
      const now = await panel.find('.time-now').innerText();
      expect(now).not.toBe(end);
      return now;
    }, 20_000);
    await workbench.screenshot('recorder-opened');
    const [day = ''] = before.split('.');
    await eventually(async () => expect(await panel.find('.answer').innerText()).toContain(day));
    // The zxid alone would not do: the end of the recording may be behind the same transaction, at a later time.
    const time = await workbench.page.evaluate(text => new Date(text.replace(' ', 'T')).getTime(), before);
    await workbench.waitForState(String(time));
    await workbench.reload();
    await workbench.openContainer('ZooKeeper Locks');
    await panel.see('recorded');
    await eventually(async () => expect(await panel.find('.time-now').innerText()).toBe(before), 20_000);
  });

  it('stops, and its files are deleted after a question', async () => {
    await tree.seeRow('Orders', /./u);
    await keyboard.run('ZooKeeper Locks: Focus on Clusters View');
    await tree.chooseFromMenu('Orders', 'Stop Recording', () => eventually(async () => expect((await workbench.notifications()).join()).toContain('not recorded any more'), 20_000)); // prettier-ignore
    await tree.chooseFromMenu('Orders', 'Delete Recordings…', () => workbench.page.locator('.monaco-dialog-box').waitFor({ timeout: 20_000 })); // prettier-ignore
    expect(await workbench.dialogText()).toMatch(/Delete the recordings of "Orders"\?[^]*[KM]B in /u);
    await keyboard.pressInDialog(/Delete the recordings/u, 'Delete');
    await eventually(async () => expect((await workbench.notifications()).join()).toContain('were deleted'), 20_000);
    await eventually(async () => expect((await tree.rows()).map(({ label }) => label)).not.toContain(recorded), 20_000);
    await panel.see('failed');
    await keyboard.run('ZooKeeper Locks: Focus on Clusters View');
    await tree.chooseFromMenu('Orders', 'Open Recording', () => eventually(async () => expect((await workbench.notifications()).join()).toContain('Nothing of "Orders" is recorded yet'), 20_000)); // prettier-ignore
  });
});
