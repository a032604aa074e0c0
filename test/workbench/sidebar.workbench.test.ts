import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startObserver, type Observer } from '../support/observer.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../support/zookeeperServer.ts';
import { keepTraceOfFailures } from './support/failureTrace.ts';
import type { TreeView } from './support/tree.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

let ensemble: ZooKeeperEnsemble;
let observer: Observer;
let workbench: Workbench;
let tree: TreeView;

const region = '/platform/production/eu-central-1';
const services = ['billing', 'catalogue', 'checkout', 'invoice', 'ledger', 'mailing', 'orders', 'payment', 'pricing'];
const shared = ['refunds', 'search', 'stock', 'tax'];
/** Written from right to left. */
const hebrew = '\u05E9\u05DC\u05D5\u05DD';

/** One node of a queue of kazoo, made by this session. */
async function queueUp(session: Observer, path: string, identifier: string): Promise<void> {
  await observer.ensure(path);
  const name = `${crypto.randomUUID().replaceAll('-', '')}__lock__`;
  await session.create(`${path}/${name}`, { ephemeral: true, sequence: true, data: identifier });
}

beforeAll(async () => {
  ensemble = await startZooKeeper();
  const { connectString } = ensemble;
  observer = await startObserver(connectString);
  for (const [index, service] of services.entries()) {
    const worker = (number: number): string => `${service}-${String(number)}`;
    for (let number = 0; number <= index % 4; number++) await queueUp(observer, `${region}/${service}`, worker(number));
  }
  for (const service of shared) await queueUp(observer, `${region}/${service}/lock`, `${service}-0`);
  for (const name of [hebrew, 'b', 'c', 'd', 'e']) await queueUp(observer, `${region}/vault`, name);
  const settings = {
    'zookeeperLocks.clusters': [
      { id: 'live', name: 'Live', connectString, environment: 'production', lockRoots: ['/platform'] },
    ],
    'zookeeperLocks.deadlockSeconds': 15,
  };
  workbench = await openWorkbench({ settings, viewport: { width: 1280, height: 1100 } });
  tree = workbench.tree('Clusters');
  await workbench.openContainer('ZooKeeper Locks');
  await setSideBarWidth(300);
  await tree.expand('Live');
});

keepTraceOfFailures(() => workbench);

afterAll(async () => {
  await workbench.close();
  await observer.stop();
  await ensemble.stop();
});

/** Drags the border of the side bar. */
async function setSideBarWidth(width: number): Promise<void> {
  const { page } = workbench;
  const box = await page.locator('.part.sidebar').boundingBox();
  await page.mouse.move(box!.x + box!.width, 500);
  await page.mouse.down();
  await page.mouse.move(box!.x + width, 500, { steps: 5 });
  await page.mouse.up();
  await eventually(async () => {
    const { width: now } = (await page.locator('.part.sidebar').boundingBox())!;
    expect(Math.abs(now - width)).toBeLessThan(5);
  });
}

/** Which of these texts of a row are on screen whole, not cut at its end. */
async function readable(path: string, texts: readonly string[]): Promise<string[]> {
  return workbench.page.evaluate(
    ([lock, wanted]) => {
      const row = [...document.querySelectorAll('.sidebar .monaco-list-row')].find(one =>
        one.getAttribute('aria-label')?.includes(` ${lock},`),
      );
      const label = row?.querySelector('.monaco-icon-label-container');
      if (label == null) return [];
      const end = label.getBoundingClientRect().right;
      const whole = (node: Node, text: string): boolean => {
        const at = node.textContent?.indexOf(text) ?? -1;
        if (at < 0) return false;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + text.length);
        return range.getBoundingClientRect().right <= end;
      };
      const walker = document.createTreeWalker(label, NodeFilter.SHOW_TEXT);
      const nodes: Node[] = [];
      while (walker.nextNode()) nodes.push(walker.currentNode);
      return wanted.filter(text => nodes.some(node => whole(node, text)));
    },
    [path, texts] as const,
  );
}

/** Where these texts of a row's description are on screen, from left to right. */
async function placesOf(path: string, texts: readonly string[]): Promise<{ left: number; right: number }[]> {
  return workbench.page.evaluate(
    ([lock, wanted]) => {
      const row = [...document.querySelectorAll('.sidebar .monaco-list-row')].find(one =>
        one.getAttribute('aria-label')?.includes(` ${lock},`),
      );
      const node = document
        .createTreeWalker(row!.querySelector('.label-description')!, NodeFilter.SHOW_TEXT)
        .nextNode()!;
      return wanted.map(text => {
        const at = node.textContent!.indexOf(text);
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + text.length);
        const { left, right } = range.getBoundingClientRect();
        return { left, right };
      });
    },
    [path, texts] as const,
  );
}

const themes = [
  ['light', 'Light Modern'],
  ['high-contrast', 'Dark High Contrast'],
  ['high-contrast-light', 'Light High Contrast'],
  ['dark', 'Dark Modern'],
] as const;

/** A picture in every kind of theme; ends in the dark one. */
async function picturesOf(name: string, look = (): Promise<void> => Promise.resolve()): Promise<void> {
  for (const [suffix, theme] of themes) {
    await workbench.chooseTheme(theme);
    await workbench.screenshot(`${name}-${suffix}`);
    await look();
  }
}

describe('a side bar of 300 px', () => {
  it('shows name and holder of every lock of a deep directory', async () => {
    await tree.seeRow(`${region}/tax/lock`, /held by tax-0/);
    for (const service of services) {
      const holder = `held by ${service}-0`;
      await eventually(async () =>
        expect(await readable(`${region}/${service}`, [service, holder])).toEqual([service, holder]),
      );
    }
    for (const service of shared) {
      const name = `${service}/lock`;
      await eventually(async () => expect(await readable(`${region}/${name}`, [name])).toEqual([name]));
    }
    expect(await tree.tooltip(`${region}/payment`)).toContain(`${region}/payment`);
    await workbench.page.mouse.move(800, 400);
    await picturesOf('sidebar-300px');
  });

  it('keeps the words of a row in their order around a name that is written from right to left', async () => {
    await tree.seeRow(`${region}/vault`, /4 waiting/);
    const places = await placesOf(`${region}/vault`, ['held by', hebrew, '4', 'waiting']);
    for (const [index, { left }] of places.slice(1).entries()) {
      expect(left).toBeGreaterThanOrEqual(places[index]!.right);
    }
  });
});

describe('a deadlock', () => {
  const [left, right] = [`${region}/ledger`, `${region}/payment`];

  /** The colours of icon and name. */
  async function coloursOf(path: string): Promise<string[]> {
    return workbench.page.evaluate(lock => {
      const row = [...document.querySelectorAll('.sidebar .monaco-list-row')].find(one =>
        one.getAttribute('aria-label')?.includes(` ${lock},`),
      );
      const parts = ['.custom-view-tree-node-item-icon', '.label-name'].map(part => row!.querySelector(part)!);
      return parts.map(part => getComputedStyle(part).color);
    }, path);
  }

  async function badge(): Promise<string> {
    return workbench.page.locator('.activitybar .action-item:has(a[aria-label^="ZooKeeper Locks"]) .badge').innerText();
  }

  it('has its own icon, and a colour in every theme', async () => {
    const [first, second] = await Promise.all([observer.openSession(), observer.openSession()]);
    for (const path of [left, right]) await observer.delete(path, { recursive: true });
    for (const [path, session, name] of [
      [left, first, 'batch-7'],
      [right, second, 'batch-8'],
      [left, second, 'batch-8'],
      [right, first, 'batch-7'],
    ] as const) {
      await queueUp(session, path, name);
    }
    await tree.seeRow(left, /^may be deadlocked · held by batch-7/);
    expect(await badge()).toBe('');
    await workbench.screenshot('sidebar-possible-deadlock');
    await tree.seeRow(left, /^deadlocked · held by batch-7/, 40_000);
    await tree.seeRow(right, /^deadlocked · held by batch-8/);
    await eventually(async () => expect(await badge()).toBe('2'));
    await tree.expand(left);
    await tree.seeRow('#2 batch-8', /^deadlocked/);
    await picturesOf('sidebar-deadlock', async () => {
      // A theme is applied in steps.
      await eventually(async () => {
        const [icon, name] = await coloursOf(left);
        const [, plainName] = await coloursOf(`${region}/billing`);
        expect(name).not.toBe(plainName);
        expect(icon).toBe(name);
      });
    });
  });
});

describe('the rows below a lock', () => {
  it('are open again after a filter had hidden their lock', async () => {
    const path = `${region}/catalogue`;
    await tree.expand(path);
    await tree.seeRow('#2 catalogue-1', /waits/);
    await workbench.runCommand('ZooKeeper Locks: Filter Locks…');
    await workbench.answerQuickInput('Show only locks', 'billing');
    await eventually(async () => expect((await tree.rows()).map(({ label }) => label)).toEqual(['Live', 'billing']));
    await workbench.runCommand('ZooKeeper Locks: Clear Filter');
    await tree.seeRow('#2 catalogue-1', /waits/);
    await tree.collapse(path);
    await workbench.runCommand('ZooKeeper Locks: Refresh');
    await eventually(async () => expect((await tree.rows()).map(({ label }) => label)).not.toContain('#2 catalogue-1'));
    expect((await tree.waitForRow(path)).expanded).toBe(false);
  });

  /** Counts from now on how often VS Code draws the rows that begin so. @returns the numbers until then */
  async function countDrawings(beginnings: readonly string[]): Promise<() => Promise<number[]>> {
    const counts = await workbench.page.evaluateHandle(starts => {
      const numbers = starts.map(() => 0);
      const isPartOf = (node: Node, start: string): boolean => {
        const row = node instanceof Element ? node.closest('.monaco-list-row') : null;
        return row?.querySelector('.label-name')?.textContent.startsWith(start) === true;
      };
      const look = (records: readonly MutationRecord[]): void => {
        const nodes = records.flatMap(({ target, addedNodes }) => [target, ...addedNodes]);
        for (const [at, start] of starts.entries()) if (nodes.some(node => isPartOf(node, start))) numbers[at]!++;
      };
      new MutationObserver(look).observe(document.querySelector('.sidebar')!, { childList: true, subtree: true });
      return numbers;
    }, beginnings);
    return () => counts.jsonValue();
  }

  it('have their menus also while the lock changes twenty times a second', { timeout: 300_000 }, async () => {
    const path = `${region}/invoice`;
    await tree.expand(path);
    const nodes = await observer.ls(path);
    const last = nodes.at(-1)!;
    await tree.seeRow('#2 invoice-1', /waits/);
    const drawings = await countDrawings(['#2 invoice-1', '#4 invoice-3']);
    const start = performance.now();
    let isOver = false;
    let changes = 0;
    const change = async (): Promise<void> => {
      while (!isOver) {
        await observer.set(last.path, `invoice-3-${String(++changes)}`);
        // The pace of the changes, not a wait for something.
        await new Promise(resolve => setTimeout(resolve, 50));
      }
    };
    const changing = change();
    try {
      for (let choice = 0; choice < 12; choice++) {
        await workbench.page.evaluate(() => navigator.clipboard.writeText(''));
        await tree.chooseFromMenu('#2 invoice-1', 'Copy Name', () =>
          eventually(async () => {
            expect(await workbench.page.evaluate(() => navigator.clipboard.readText())).not.toBe('');
          }),
        );
      }
      await eventually(async () => expect((await drawings())[1]).toBeGreaterThan(20), 60_000);
    } finally {
      isOver = true;
      await changing;
    }
    const seconds = (performance.now() - start) / 1000;
    await tree.seeRow(`#4 invoice-3-${String(changes)}`, /waits/);
    // A choice that falls into a drawing of its row is lost. Only the row that changes is drawn each time; what time has changed is
    // drawn once a second.
    const [resting, changed] = await drawings();
    expect(resting! - seconds).toBeLessThan(changed! / 3);
  });
});

describe('locks in directories', () => {
  it('say what is wrong below them, and open one lock of them for the person', async () => {
    await workbench.runCommand('ZooKeeper Locks: Group Locks by Directory');
    const row = await tree.seeRow('platform/…/eu-central-1', /^2 deadlocked · 14 locks/);
    expect(row.ariaLabel).toContain(`Directory ${region}`);
    const folder = workbench.page.locator('.sidebar .monaco-list-row .codicon-symbol-folder');
    expect(await folder.count()).toBe(0);
    const label = await readable(region, ['platform/…/eu-central-1', '2 dead']);
    expect(label).toEqual(['platform/…/eu-central-1', '2 dead']);
    await workbench.screenshot('sidebar-directories-closed');
    await workbench.runCommand('ZooKeeper Locks: Open Lock by Path…');
    await workbench.answerQuickInput('Path of the lock', `${region}/stock/lock`);
    await tree.seeRow('stock/lock', /^held by stock-0/);
    await tree.seeRow('#1 stock-0', /^held/);
    await picturesOf('sidebar-directories');
    await workbench.runCommand('ZooKeeper Locks: Filter Locks…');
    await workbench.answerQuickInput('Show only locks', 'invoice');
    await tree.seeRow('platform/…/eu-central-1', /^1 lock$/);
    expect((await folder.boundingBox())?.width).toBeGreaterThan(10);
    await workbench.runCommand('ZooKeeper Locks: Clear Filter');
    await tree.seeRow('#1 stock-0', /^held/);
    await workbench.runCommand('ZooKeeper Locks: Show Locks as List');
    await tree.seeRow('stock/lock', /held by stock-0.*\/platform/);
    await eventually(async () =>
      expect((await tree.rows()).some(({ label }) => label.startsWith('platform'))).toBe(false),
    );
  });
});
