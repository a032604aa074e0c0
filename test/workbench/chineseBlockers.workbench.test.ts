import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../support/zookeeperServer.ts';
import { startBlockedServices, startCircle, type BlockedServices, type Service } from './support/blockedServices.ts';
import { expectChinese, foreignWords } from './support/chineseText.ts';
import { keepTraceOfFailures } from './support/failureTrace.ts';
import { SessionPage } from './support/sessionPage.ts';
import type { TreeView } from './support/tree.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

let ensemble: ZooKeeperEnsemble;
let services: BlockedServices;
let circle: Service[] = [];
let workbench: Workbench;
let blockers: TreeView;
let page: SessionPage;

beforeAll(async () => {
  ensemble = await startZooKeeper();
  const { connectString } = ensemble;
  services = await startBlockedServices(connectString);
  circle = await startCircle(connectString);
  workbench = await openWorkbench({
    language: 'zh-cn',
    settings: {
      'zookeeperLocks.clusters': [{ id: 'live', name: '订单', connectString, lockRoots: ['/shop'] }],
      'zookeeperLocks.deadlockSeconds': 5,
    },
    viewport: { width: 1400, height: 1000 },
  });
  blockers = workbench.tree('阻塞者');
  page = new SessionPage(workbench.page);
  await workbench.openContainer('ZooKeeper 锁');
  const clusters = workbench.tree('集群');
  await clusters.waitForRow('订单', 30_000);
  await clusters.expand('订单');
});

keepTraceOfFailures(() => workbench);

afterAll(async () => {
  await workbench.close();
  await services.stop();
  for (const service of circle) await service.stop();
  await ensemble.stop();
});

/** What a page shows, and what it says to a screen reader. */
async function pageTexts(): Promise<string> {
  const body = page.content.locator('body');
  const labels = await body
    .locator('[aria-label], [title]')
    .evaluateAll(all =>
      all.map(each => `${each.getAttribute('aria-label') ?? ''}\n${each.getAttribute('title') ?? ''}`),
    );
  return [await body.innerText(), ...labels].join('\n');
}

describe('in Chinese', () => {
  it('the view Blockers has its chain', async () => {
    await blockers.seeRow('billing', /等待/u);
    for (const row of ['billing', 'checkout', 'mailing']) await blockers.expand(row);
    await blockers.waitForRow('search');
    await blockers.seeRow(/^2 个/u, /死锁/u, 60_000);
    const rows = await blockers.rows();
    expect(rows.flatMap(row => foreignWords(`${row.label} ${row.description} ${row.ariaLabel}`))).toEqual([]);
    for (const row of ['billing', 'checkout', 'mailing']) {
      await eventually(async () => {
        const text = await blockers.tooltip(row);
        expect(text).toContain(row);
        expectChinese(text);
      }, 30_000);
    }
    await workbench.screenshot('chinese-blockers');
    for (const entry of await blockers.menu('checkout')) expectChinese(entry);
  });

  it('the page of a session is written in it, also once the servers were asked', async () => {
    await blockers.pressInline('billing', '显示会话', () => page.see('live'));
    await page.seeIn('facts-known', /127\.0\.0\.1/u);
    await page.find('.graph .node').first().waitFor();
    await eventually(async () => expectChinese(await pageTexts()));
    await workbench.screenshot('chinese-session');
    await page.find('#facts-known .button').click();
    await page.seeIn('watches', /[1-9]/u);
    await eventually(async () => expectChinese(await pageTexts()));
    await page.find('#watches').evaluate(section => section.scrollIntoView());
    await workbench.screenshot('chinese-session-below');
    await page.find('#facts-known .link', '127.0.0.1').click();
    await page.seeIn('sessions-found', /0x/u);
    await eventually(async () => expectChinese(await pageTexts()));
    await workbench.screenshot('chinese-address');
  });

  it('Find has its kinds', async () => {
    await workbench.runCommand('ZooKeeper 锁: 查找锁、客户端或会话');
    for (const typed of ['o', 'billing', '127.0.0.1', '0x123']) {
      await workbench.typeIntoQuickInput('查找', typed);
      await eventually(async () => {
        expect(await workbench.quickPickLabels()).not.toEqual([]);
        // A label and its description follow each other without a blank: an id would take letters of the name along.
        const text = await workbench.quickInputText();
        expectChinese(text.replaceAll(/billing|checkout|mailing|pricing|ledger|east|west/gu, ' $& '));
      });
    }
    await workbench.typeIntoQuickInput('查找', 'o');
    await eventually(async () => expect((await workbench.quickPickLabels()).length).toBeGreaterThan(1));
    await workbench.screenshot('chinese-find');
    await workbench.page.keyboard.press('Escape');
  });
});
