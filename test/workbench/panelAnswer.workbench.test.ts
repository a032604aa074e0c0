import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startKazooContenders, type KazooContenders } from '../support/kazooContenders.ts';
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

const lockPath = '/orders/payment';
const workers = ['pay-worker-1', 'pay-worker-2', 'pay-worker-3'];

beforeAll(async () => {
  ensemble = await startZooKeeper();
  const [port = 0] = ensemble.ports;
  proxy = await startTcpProxy(port);
  observer = await startObserver(ensemble.connectString);
  contenders = startKazooContenders(ensemble.connectString);
  await observer.ensure(lockPath);
  await contenders.queueUp(observer, { recipe: 'lock', path: lockPath }, workers);
  await observer.ensure('/orders/refund');
  // go-zookeeper makes no nodes without a session: the others may be stale.
  for (const [index, ephemeral] of [true, false, false, true].entries()) {
    const name = `_c_${String(index).repeat(32)}-lock-`;
    await observer.create(`/orders/refund/${name}`, { data: `refund-${index}`, ephemeral, sequence: true });
  }
  const cluster = (id: string, name: string, environment: string) => ({
    id,
    name,
    connectString: proxy.connectString,
    environment,
    lockRoots: ['/orders'],
  });
  workbench = await openWorkbench({
    settings: {
      'zookeeperLocks.clusters': [cluster('eu', 'Orders EU', 'production'), cluster('us', 'Orders US', 'staging')],
    },
  });
  tree = workbench.tree('Clusters');
  panel = new LockPanelPage(workbench.page);
  await workbench.openContainer('ZooKeeper Locks');
  await openPanel('Orders EU', 'payment');
});

keepTraceOfFailures(() => workbench);

afterAll(async () => {
  await workbench.close();
  await contenders.stop();
  await observer.stop();
  await proxy.close();
  await ensemble.stop();
});

/** Both clusters have a lock of one name, so only one of them is expanded. */
async function openPanel(cluster: string, name: string): Promise<void> {
  await tree.expand(cluster);
  const { label } = await eventually(async () => {
    const row = (await tree.rows()).find(each => each.label.includes(name));
    if (row === undefined) throw new Error('The lock has no row yet.');
    return row;
  }, 20_000);
  await tree.chooseFromMenu(label, 'Show Queue', () => panel.seeLock(name, cluster));
  await panel.see('live');
}

async function answer(): Promise<string> {
  return panel.find('.answer').innerText();
}

async function panelTitles(): Promise<string[]> {
  return workbench.page.locator('.tabs-container .tab .label-name').allInnerTexts();
}

/** In the timeline of the panel in front. */
async function unwatchedStretches(): Promise<number> {
  return panel.find('.timeline .chart').first().locator('.unwatched').count();
}

/** What a narrow page may get wrong, by the measures of the browser. */
async function measures() {
  const frame = await panel.frame();
  return frame.evaluate(() => {
    const box = (selector: string) => document.querySelector(selector)!.getBoundingClientRect();
    const isCut = ({ scrollWidth, clientWidth }: Element): boolean => scrollWidth > clientWidth;
    const isShown = (cell: Element): boolean => getComputedStyle(cell).display !== 'none';
    const scroller = document.querySelector('.table-scroller')!;
    const sessions = [...document.querySelectorAll('[role=gridcell][data-column=session]')].filter(isShown);
    const ages = [...document.querySelectorAll('[role=gridcell][data-column=age] > span')];
    return {
      width: window.innerWidth,
      isPageCut: isCut(document.documentElement),
      isTableCut: isCut(scroller),
      cutSessions: sessions.filter(isCut).length,
      agesOfTwoLines: ages.filter(age => age.getClientRects().length > 1).length,
      isBesides: box('.timeline').left >= box('.picture').right,
    };
  });
}

describe('the head of the lock panel', () => {
  it('answers who holds, how many wait and who is next, and where the holder is once that was asked', async () => {
    await eventually(async () =>
      expect(await answer()).toMatch(/^Held by pay-worker-1 for .+; 2 wait, the longest for .+; next: pay-worker-2\.$/),
    );
    expect(await panel.find('.card-who').allInnerTexts()).toEqual(['pay-worker-1', 'pay-worker-2']);
    await panel.tabTo('.card button');
    await eventually(async () => expect(await panel.focusedText()).toBe('Find owners'));
    await workbench.page.keyboard.press('Enter');
    await eventually(async () =>
      expect(await answer()).toMatch(/^Held by pay-worker-1 \(127\.0\.0\.1:\d+\) for .+; 2 wait, .+\.$/),
    );
    await eventually(async () =>
      expect(await panel.find('.card-seen').first().innerText()).toMatch(/^alive at \d\d:\d\d:\d\d$/),
    );
  });

  it('leads from what it counts to the rows that are marked', async () => {
    expect(await unwatchedStretches()).toBe(0);
    await openPanel('Orders EU', 'refund');
    await panel.find('.warnings li', '2 contenders may be stale.').locator('.link').click();
    await eventually(async () => expect(await panel.column('position')).toEqual(['2', '3']));
    const marked = ['maybe stale', 'maybe stale'];
    for (const place of ['.grid-row', '.node']) {
      await eventually(async () => expect(await panel.find(`${place} .mark`).allInnerTexts()).toEqual(marked));
    }
    await eventually(async () => expect(await panel.hasFocus('.table vscode-text-field')).toBe(true));
    await workbench.screenshot('panel-answer-filtered');
    await workbench.runCommand('View: Close Editor');
    await panel.see('live');
    await eventually(async () =>
      expect(await panel.column('waitsFor')).toEqual(['', '#1 pay-worker-1', '#2 pay-worker-2']),
    );
    // This panel was behind the other one once, and watched at all other times.
    await eventually(async () => expect(await unwatchedStretches()).toBe(1));
  });

  it.each([
    ['dark', 'Dark Modern', 'vscode-dark'],
    ['light', 'Light Modern', 'vscode-light'],
    ['high-contrast', 'Dark High Contrast', 'vscode-high-contrast'],
  ] as const)('fits its page in a %s theme, whatever its width', async (name, theme, kind) => {
    await workbench.chooseTheme(theme);
    await panel.find(`body[data-vscode-theme-kind='${kind}']`).waitFor({ timeout: 10_000 });
    await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
    for (const width of [300, 620, 900, 1280]) {
      // Beside the page stand the bar of the activities and borders.
      await workbench.page.setViewportSize({ width: width + 60, height: 1000 });
      // The charts follow a new width a frame later: until then they may cut the page.
      await eventually(async () => {
        const all = await measures();
        expect(Math.abs(all.width - width)).toBeLessThan(10);
        expect(all.isBesides).toBe(all.width >= 900);
        expect(all).toMatchObject({ isPageCut: false, cutSessions: 0, agesOfTwoLines: 0, isTableCut: width < 420 });
      });
      await workbench.screenshot(`panel-answer-${name}-${width}`);
      await panel.find('.table').evaluate(table => table.scrollIntoView());
      await workbench.screenshot(`panel-answer-${name}-${width}-table`);
      await (await panel.frame()).evaluate(() => window.scrollTo(0, 0));
    }
    expect(await panel.findings()).toEqual([]);
    await workbench.page.setViewportSize({ width: 1280, height: 800 });
    await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
  });

  it('is of a cluster that the title names where two panels have one name', async () => {
    expect(await panelTitles()).toEqual(['payment']);
    await tree.collapse('Orders EU');
    await openPanel('Orders US', 'payment');
    await eventually(async () => expect(await panelTitles()).toEqual(['payment · Orders EU', 'payment · Orders US']));
    await workbench.screenshot('panel-answer-two-clusters');
    await workbench.runCommand('View: Close Editor');
    await eventually(async () => expect(await panelTitles()).toEqual(['payment']));
  });

  it('says first that it is not current, and keeps the sign of production', async () => {
    await panel.see('live');
    await proxy.setAccepting(false);
    proxy.cut();
    await panel.see('disconnected');
    await eventually(async () =>
      expect(await answer()).toMatch(
        /^Not current, as of \d\d:\d\d:\d\d\. Held by pay-worker-1 .*; next: pay-worker-2\.$/,
      ),
    );
    expect(await panel.find('.badge.is-production').isVisible()).toBe(true);
    await workbench.screenshot('panel-answer-disconnected');
    await proxy.setAccepting(true);
    await panel.see('live');
  });
});
