import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Contenders } from '../support/contenders.ts';
import { startCuratorContenders, type CuratorRecipe } from '../support/curatorContenders.ts';
import { eventually } from '../support/eventually.ts';
import { startObserver, type Observer } from '../support/observer.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../support/zookeeperServer.ts';
import { expectChinese, foreignWords } from './support/chineseText.ts';
import { keepTraceOfFailures } from './support/failureTrace.ts';
import { LockPanelPage } from './support/lockPanelPage.ts';
import type { TreeView } from './support/tree.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

let ensemble: ZooKeeperEnsemble;
let observer: Observer;
let curator: Contenders<CuratorRecipe>;
let workbench: Workbench;
let clusters: TreeView;
let testLocks: TreeView;
let panel: LockPanelPage;

beforeAll(async () => {
  ensemble = await startZooKeeper();
  const { connectString } = ensemble;
  const saved = [
    { id: 'orders', name: '订单', connectString, environment: 'staging', lockRoots: ['/orders'] },
    { id: 'live', name: '支付', connectString, environment: 'production', lockRoots: ['/live'] },
    { id: 'gone', name: '失联', connectString: '127.0.0.1:1', environment: 'development', readOnly: true },
  ];
  observer = await startObserver(connectString);
  curator = startCuratorContenders(connectString);
  for (const path of ['/orders/invoice', '/orders/report', '/live/pay']) await observer.ensure(path);
  await queue('/orders/invoice', 'mutex', ['worker-a', 'worker-b', 'worker-c']);
  await queue('/orders/report', 'read', ['reader-a', 'reader-b']);
  await queue('/live/pay', 'mutex', ['worker-d']);
  workbench = await openWorkbench({
    language: 'zh-cn',
    settings: { 'zookeeperLocks.clusters': saved },
    viewport: { width: 1400, height: 900 },
  });
  clusters = workbench.tree('集群');
  testLocks = workbench.tree('测试锁');
  panel = new LockPanelPage(workbench.page);
});

keepTraceOfFailures(() => workbench);

afterAll(async () => {
  await workbench.close();
  await curator.stop();
  await observer.stop();
  await ensemble.stop();
});

async function queue(path: string, recipe: CuratorRecipe, contenders: readonly string[]): Promise<void> {
  for (const [index, contender] of contenders.entries()) {
    await curator.start({ contender, recipe, path, identifier: contender });
    await curator.begin(contender);
    await eventually(async () => expect(await observer.ls(path)).toHaveLength(index + 1));
  }
}

async function expectChineseRows(tree: TreeView): Promise<void> {
  const rows = await tree.rows();
  expect(rows.flatMap(row => foreignWords(`${row.label} ${row.description} ${row.ariaLabel}`))).toEqual([]);
}

async function seeQuestion(question: string): Promise<void> {
  await eventually(async () => expectChinese(await workbench.seeQuickInput(question)));
}

/** Goes through the questions of *Acquire Mutex* and looks at each. */
async function acquire(path: string, wait: string, cluster?: string): Promise<void> {
  await workbench.runCommand('ZooKeeper 锁: 获取互斥锁…');
  // Asked only when several are connected.
  if (cluster !== undefined) {
    await seeQuestion('选择哪个集群？');
    await workbench.pick(cluster);
  }
  await seeQuestion('选择哪把锁？');
  await workbench.answerQuickInput('选择哪把锁？', path);
  await seeQuestion('要这样获取吗？');
  await workbench.pick('选项…');
  await seeQuestion('采用哪种命名方案？');
  // It fades in.
  const widget = workbench.page.locator('.quick-input-widget:visible');
  await eventually(async () => expect(await widget.evaluate(one => getComputedStyle(one).opacity)).toBe('1'));
  await workbench.screenshot('chinese-quick-pick');
  await workbench.pick('Curator');
  await seeQuestion('要等待多久？');
  await workbench.pick(wait);
  await seeQuestion('何时自动释放？');
  await workbench.pick('5 分钟后');
  await workbench.answerQuickInput('您的标识。', 'worker-z');
}

describe('in Chinese', () => {
  it('views and rows speak it, errors included', async () => {
    await workbench.openContainer('ZooKeeper 锁');
    // The extension starts with its first view.
    await eventually(async () => expectChinese(await testLocks.welcomeText()), 30_000);
    await clusters.expand('订单');
    await clusters.seeRow('/orders/invoice', /2 个等待/u);
    await clusters.expand('/orders/invoice');
    await clusters.seeRow('#2 worker-b', /^等待 #1 worker-a · 排他锁/u);
    await clusters.expand('失联');
    await clusters.seeRow(/^127\.0\.0\.1:1.*没有服务在监听/u, /^$/u);
    await workbench.screenshot('chinese-tree');
    await expectChineseRows(clusters);
    await eventually(async () => expectChinese(await clusters.tooltip('/orders/invoice')));
    await eventually(async () => {
      const text = await clusters.tooltip('#2 worker-b');
      // The hover of the row before goes away by itself, and this one says at first that it is loading.
      expect(text).toContain('所属会话');
      expectChinese(text);
    });
    await workbench.screenshot('chinese-tooltip');
    for (const entry of await clusters.menu('#2 worker-b')) expectChinese(entry);
  });

  it('a test lock is asked for, waits and is shown', async () => {
    await acquire('/orders/invoice', '一直等待');
    await testLocks.seeRow('/orders/invoice', /第 4 位/u);
    await workbench.screenshot('chinese-test-locks');
    await expectChineseRows(testLocks);
    await eventually(async () => expectChinese(await testLocks.tooltip('/orders/invoice')));
  });

  it('production and deleting by force ask in it', async () => {
    await clusters.expand('支付');
    await clusters.seeRow('/live/pay', /由 worker-d 持有/u);
    await acquire('/live/pay', '只尝试一次', '支付');
    await eventually(async () => expectChinese(await workbench.dialogText()));
    await workbench.screenshot('chinese-production');
    await workbench.pressDialogButton('取消');
    await clusters.chooseFromMenu('#1 worker-a', '强制删除…', () =>
      eventually(async () => expect(await workbench.dialogText()).toContain('持有者吗')),
    );
    expectChinese(await workbench.dialogText());
    await workbench.screenshot('chinese-force-delete');
    await workbench.pressDialogButton('取消');
  });

  it('the panel of a lock and its explanation are written in it', async () => {
    await clusters.chooseFromMenu('/orders/invoice', '显示队列', () => panel.see('live'));
    await eventually(async () => expect(await panel.holders()).toHaveLength(1));
    const page = panel.content.locator('body');
    expectChinese(await page.innerText());
    await workbench.screenshot('chinese-panel');
    await page
      .locator('.timeline, .history')
      .first()
      .evaluate(element => element.scrollIntoView());
    await workbench.screenshot('chinese-panel-below');
    const labels = await page
      .locator('[aria-label], [title]')
      .evaluateAll(elements =>
        elements.map(element => `${element.getAttribute('aria-label') ?? ''} ${element.getAttribute('title') ?? ''}`),
      );
    expect(labels.flatMap(foreignWords)).toEqual([]);

    await clusters.chooseFromMenu('/orders/invoice', '解释锁', () =>
      eventually(async () => expectChinese(await workbench.report.innerText({ timeout: 1_000 })), 30_000),
    );
    await workbench.screenshot('chinese-explanation');
  });

  it('the walkthrough is written in it', async () => {
    await workbench.runCommand('Welcome: Open Walkthrough...');
    await workbench.pick('查看谁持有锁');
    const steps = workbench.page.locator('.gettingStartedSlideDetails .getting-started-step');
    await steps.first().waitFor();
    for (const title of ['添加集群', '查找集群中的锁', '查看队列', '获取测试锁', '清理残留节点']) {
      await steps.filter({ hasText: title }).first().click();
      await eventually(async () => expectChinese(await steps.filter({ hasText: title }).first().innerText()));
    }
    await workbench.screenshot('chinese-walkthrough');
  });

  it('the settings are explained in it, in the text of the settings too', async () => {
    await workbench.runCommand('Preferences: Open User Settings (JSON)');
    const { page } = workbench;
    for (const key of ['zookeeperLocks.clusters', 'environment']) {
      const word = page.locator('.view-line span', { hasText: `"${key}"` }).last();
      const hover = page.locator('.monaco-hover:visible');
      await eventually(async () => {
        await page.mouse.move(0, 0);
        await hover.first().waitFor({ state: 'hidden', timeout: 2_000 });
        await word.hover({ timeout: 2_000 });
        await hover.first().waitFor({ timeout: 2_000 });
        expectChinese((await hover.allInnerTexts()).join('\n'));
      }, 30_000);
    }
    await workbench.screenshot('chinese-settings');
  });
});
