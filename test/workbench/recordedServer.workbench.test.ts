import { join } from 'node:path';
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
const workers = ['pay-worker-1', 'pay-worker-2', 'pay-worker-3', 'pay-worker-4'];

beforeAll(async () => {
  ensemble = await startZooKeeper();
  observer = await startObserver(ensemble.connectString);
  contenders = startKazooContenders(ensemble.connectString);
  await observer.ensure(path);
  await contenders.queueUp(observer, { recipe: 'lock', path }, workers);
  const [, , third = ''] = workers;
  await contenders.release('pay-worker-1');
  await contenders.holds('pay-worker-2');
  await contenders.end('pay-worker-2');
  await contenders.holds(third);
  workbench = await openWorkbench({ language: 'zh-cn', viewport: { width: 1400, height: 1000 } });
  keyboard = new Keyboard(workbench.page);
  tree = workbench.tree('集群');
  panel = new LockPanelPage(workbench.page);
});

keepTraceOfFailures(() => workbench);

afterAll(async () => {
  await workbench.close();
  await contenders.stop();
  await observer.stop();
  await ensemble.stop();
});

async function ends(): Promise<string[]> {
  const labels = panel.find('.bar:not(.is-wait)');
  return labels.evaluateAll(bars => bars.map(bar => bar.ariaLabel ?? ''));
}

describe('the logs of a running server, in Chinese', () => {
  it('are opened from the palette', async () => {
    await workbench.openContainer('ZooKeeper 锁');
    await keyboard.run('ZooKeeper 锁: 打开事务日志…');
    const folder = join(ensemble.servers[0]!.folder, 'data', 'version-2');
    await keyboard.answerFileDialog(folder, () => tree.waitForRow('version-2 · ', 500));
    await tree.expand('version-2 · ');
    await tree.seeRow(path, /pay-worker-3/u);
    await workbench.screenshot('recorded-server-tree');
  });

  it('show what the clients did, in the words of the language', async () => {
    await tree.chooseFromMenu(path, '显示队列', () => panel.seeTimeBar());
    await panel.see('recorded');
    await eventually(async () => expect(await ends()).toHaveLength(3));
    const [first, second, third] = await ends();
    expect(first).toMatch(/pay-worker-1.*已释放/u);
    expect(second).toMatch(/pay-worker-2.*会话由其客户端关闭/u);
    expect(third).toMatch(/pay-worker-3 自 .* 起持有/u);
    const texts = await panel.find('.time-bar').innerText();
    for (const text of ['上一次交接', '播放', '速度', '跟随末尾']) expect(texts).toContain(text);
    expect(texts.replaceAll(/zxid|0x[0-9a-f]+/gu, '')).not.toMatch(/[a-z]{3,}/iu);
    await workbench.screenshot('recorded-server-chinese');
  });

  it('are followed while the server goes on', async () => {
    await panel.content.getByRole('button', { name: '跟随末尾', exact: true }).click();
    await contenders.release('pay-worker-3');
    await contenders.holds('pay-worker-4');
    await eventually(async () => {
      const [, , third = '', fourth = ''] = await ends();
      expect(third).toContain('已释放');
      expect(fourth).toContain('pay-worker-4');
      expect(await panel.find('.answer').innerText()).toContain('pay-worker-4');
    }, 20_000);
  });
});
