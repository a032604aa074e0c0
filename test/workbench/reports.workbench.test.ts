import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startObserver, type Observer } from '../support/observer.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../support/zookeeperServer.ts';
import { keepTraceOfFailures } from './support/failureTrace.ts';
import { LockPanelPage } from './support/lockPanelPage.ts';
import type { TreeView } from './support/tree.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

let ensemble: ZooKeeperEnsemble;
let observer: Observer;
let workbench: Workbench;
let tree: TreeView;
let panel: LockPanelPage;

/** Written from right to left. */
const hebrew = '\u05E9\u05DC\u05D5\u05DD';

const hostile = [
  '[x](command:workbench.action.quit)',
  '<img src=x onerror="document.body.dataset.owned=1">',
  '`a` https://evil.example.org www.evil.example.org <script>document.body.dataset.owned=1</script>',
  '# Deadlock: none\n\n- ![x](https://evil.example.org/x.png) $x^2$ &amp; a@evil.example.org',
];

beforeAll(async () => {
  ensemble = await startZooKeeper();
  observer = await startObserver(ensemble.connectString);
  for (const [lock, contenders] of [
    ['/orders/invoice', ['worker-a', 'worker-b']],
    ['/orders/hostile', hostile],
    ['/orders/stock', [hebrew, 'worker-c']],
  ] as const) {
    await observer.ensure(lock);
    for (const data of contenders) {
      const name = `${crypto.randomUUID().replaceAll('-', '')}__lock__`;
      await observer.create(`${lock}/${name}`, { data, ephemeral: true, sequence: true });
    }
  }
  const cluster = { id: 'orders', name: 'Orders', connectString: ensemble.connectString, lockRoots: ['/orders'] };
  workbench = await openWorkbench({ settings: { 'zookeeperLocks.clusters': [cluster] } });
  tree = workbench.tree('Clusters');
  panel = new LockPanelPage(workbench.page);
  await workbench.openContainer('ZooKeeper Locks');
  await tree.expand('Orders');
});

keepTraceOfFailures(() => workbench);

afterAll(async () => {
  await workbench.close();
  await observer.stop();
  await ensemble.stop();
});

async function labelOf(lock: RegExp): Promise<string> {
  return (await tree.seeRow(lock, /./)).label;
}

async function seeReport(text: RegExp): Promise<void> {
  await eventually(async () => expect(await workbench.report.innerText({ timeout: 1_000 })).toMatch(text), 20_000);
}

async function clipboard(): Promise<string> {
  return workbench.page.evaluate(() => navigator.clipboard.readText());
}

async function showTab(title: string): Promise<void> {
  await workbench.page.locator('.tabs-container .tab', { hasText: title }).first().click();
}

describe('a report', () => {
  it('is a page with the answer as its headline, about the panel that the person looks at', async () => {
    const [invoice, other] = [await labelOf(/invoice$/), await labelOf(/hostile$/)];
    await tree.chooseFromMenu(invoice, 'Show Queue', () => panel.see('live'));
    await workbench.runCommand('ZooKeeper Locks: Explain Lock');
    await seeReport(/^Held by worker-a[^]*Lock \/orders\/invoice on Orders/);
    expect(await workbench.report.locator('h1').innerText()).toBe('Held by worker-a, 1 waiting');
    await showTab('invoice');
    await panel.see('live');
    // A row that is selected after that comes before the panel, which is still in front.
    await tree.select(other);
    await workbench.runCommand('ZooKeeper Locks: Explain Lock');
    await seeReport(/Lock \/orders\/hostile on Orders/);
    await showTab('invoice');
    await panel.find('h1').click();
    await workbench.runCommand('ZooKeeper Locks: Explain Lock');
    await seeReport(/Lock \/orders\/invoice on Orders/);
  });

  it('is copied as text in lines of 80 columns, by its button and from the palette', async () => {
    await workbench.page.locator('.editor-actions .action-label[aria-label^="Copy as Text"]').click();
    await eventually(async () => expect(await clipboard()).toMatch(/^Held by worker-a, 1 waiting\n\n- Lock \/orders/));
    const text = await clipboard();
    // Names of nodes are longer, and stay whole.
    for (const line of text.split('\n').filter(each => !each.includes('__lock__'))) {
      expect(line.length, line).toBeLessThanOrEqual(80);
    }
    expect(text).not.toMatch(/[\\`]|\*\*/);
    await workbench.page.evaluate(() => navigator.clipboard.writeText(''));
    await workbench.runCommand('ZooKeeper Locks: Copy as Text');
    await eventually(async () => expect(await clipboard()).toBe(text));
  });

  it('makes nothing but code of what nodes hold', async () => {
    await tree.chooseFromMenu(await labelOf(/hostile$/), 'Explain Lock', () => seeReport(/Lock \/orders\/hostile/));
    const found = await workbench.report.evaluate(page => ({
      elements: page.querySelectorAll('a, img, script, svg, iframe, math, .katex').length,
      headings: [...page.querySelectorAll('h1, h2')].filter(one => one.textContent.startsWith('Deadlock')).length,
      owned: document.body.dataset['owned'],
      codes: [...page.querySelectorAll('code')].map(code => code.textContent),
    }));
    expect(found).toMatchObject({ elements: 0, headings: 0, owned: undefined });
    for (const text of hostile) expect(found.codes).toContain(text.replaceAll('\n', '\\u000A'));
  });

  it('keeps its words in their order around a name that is written from right to left', async () => {
    await tree.chooseFromMenu(await labelOf(/stock$/), 'Explain Lock', () => seeReport(/Lock \/orders\/stock/));
    const places = await workbench.report.locator('h1').evaluate(heading => {
      const nodes = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);
      const lefts: number[] = [];
      while (nodes.nextNode()) {
        const range = document.createRange();
        range.selectNodeContents(nodes.currentNode);
        lefts.push(range.getBoundingClientRect().left);
      }
      return lefts;
    });
    expect(await workbench.report.locator('h1').innerText()).toBe(`Held by \u2068${hebrew}\u2069, 1 waiting`);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    await workbench.screenshot('report-right-to-left');
    await tree.chooseFromMenu(await labelOf(/hostile$/), 'Explain Lock', () => seeReport(/Lock \/orders\/hostile/));
  });

  it.each([
    ['light', 'Light Modern'],
    ['high-contrast', 'Dark High Contrast'],
    ['dark', 'Dark Modern'],
  ] as const)('can be read in a %s theme', async (name, theme) => {
    await workbench.chooseTheme(theme);
    await seeReport(/Lock \/orders\/hostile/);
    await workbench.screenshot(`report-${name}`);
    await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
    await workbench.page.setViewportSize({ width: 360, height: 800 });
    await eventually(async () => {
      const { width, hidden } = await workbench.report.evaluate(page => {
        const { clientWidth, scrollWidth } = page.ownerDocument.documentElement;
        return { width: clientWidth, hidden: scrollWidth - clientWidth };
      });
      expect(width).toBeLessThan(310);
      expect(hidden).toBe(0);
    });
    await workbench.screenshot(`report-${name}-300px`);
    await workbench.page.setViewportSize({ width: 1280, height: 800 });
    await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
  });
});
