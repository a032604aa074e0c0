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

const living = 53;
const crashed = 4;
const readers = 5;
const longName = 'settlement-of-all-open-invoices-'.repeat(8);

/** As kazoo names its contenders; `at` keeps the names apart. */
function kazooName(at: number): string {
  return `${at.toString(16).padStart(32, '0')}__lock__`;
}

beforeAll(async () => {
  ensemble = await startZooKeeper();
  const { connectString } = ensemble;
  observer = await startObserver(connectString);
  const readLock = `/orders/${longName}`;
  for (const path of ['/orders/invoice', readLock]) await observer.ensure(path);
  // What crashed programs left without an owner, then a session that lives, and whose waiters watch nothing.
  const crashedPlans = Array.from({ length: crashed }, (_, at) => ({
    path: `/orders/invoice/${kazooName(at)}`, sequence: true, data: `crashed-${String(at)}`,
  })); // prettier-ignore
  const livingPlans = Array.from({ length: living }, (_, at) => ({
    path: `/orders/invoice/${kazooName(100 + at)}`, sequence: true, ephemeral: true, data: `worker-${String(at)}`,
  })); // prettier-ignore
  await observer.createMany([...crashedPlans, ...livingPlans]);
  await observer.create(`${readLock}/${'a'.repeat(32)}__lock__`, { ephemeral: true, sequence: true, data: longName });
  for (let at = 0; at < readers; at++) {
    const data = `${String(at)}-${longName}`;
    await observer.create(`${readLock}/${kazooName(at).replace('__lock__', '__rlock__')}`, { sequence: true, ephemeral: true, data });
  } // prettier-ignore
  workbench = await openWorkbench({
    settings: {
      'zookeeperLocks.clusters': [
        { id: 'orders', name: 'Orders', connectString, environment: 'production', lockRoots: ['/orders'] },
      ],
    },
    viewport: { width: 1280, height: 800 },
  });
  tree = workbench.tree('Clusters');
  await workbench.openContainer('ZooKeeper Locks');
  await tree.expand('Orders');
});

keepTraceOfFailures(() => workbench);

afterAll(async () => {
  await workbench.close();
  await observer.stop();
  await ensemble.stop();
});

const sizes = [
  [1280, 800],
  [1280, 720],
  [600, 480],
] as const;

async function countNodes(): Promise<number> {
  return (await observer.ls('/orders/invoice')).length;
}

async function seeFocusOn(text: string): Promise<void> {
  const focused = (): Promise<string> => workbench.page.evaluate(() => document.activeElement?.textContent ?? '');
  await eventually(async () => expect(await focused()).toBe(text));
}

/** The dialog is whole on screen at every size, with nothing to scroll to, and *Cancel* has the keyboard. */
async function expectFits(name: string): Promise<void> {
  for (const [width, height] of sizes) {
    await workbench.page.setViewportSize({ width, height });
    await eventually(async () => {
      const box = await workbench.page.locator('.monaco-dialog-box').boundingBox();
      expect(box).not.toBeNull();
      expect(Math.min(box!.x, box!.y)).toBeGreaterThanOrEqual(0);
      expect(box!.x + box!.width).toBeLessThanOrEqual(width);
      expect(box!.y + box!.height).toBeLessThanOrEqual(height);
      expect(await hiddenPixels()).toEqual([0, 0]);
    });
    await seeFocusOn('Cancel');
    await workbench.screenshot(`${name}-${String(width)}x${String(height)}`);
  }
  await workbench.page.setViewportSize({ width: 1280, height: 800 });
}

/** What does not fit: of the text, and of the row of buttons. */
function hiddenPixels(): Promise<number[]> {
  return workbench.page
    .locator('.monaco-dialog-box .dialog-message-container, .monaco-dialog-box .dialog-buttons')
    .evaluateAll(parts =>
      parts
        .map(part => Math.max(part.scrollHeight - part.clientHeight, part.scrollWidth - part.clientWidth))
        .map(hidden => Math.max(0, hidden)),
    );
}

async function seeDialog(text: RegExp): Promise<string> {
  return eventually(async () => {
    const shown = await workbench.dialogText();
    expect(shown).toMatch(text);
    return shown;
  });
}

async function seeNoDialog(): Promise<void> {
  await workbench.page.locator('.monaco-dialog-box').waitFor({ state: 'detached' });
}

async function seePicked(count: number): Promise<void> {
  await eventually(async () => {
    expect(await workbench.page.locator('.quick-input-widget .quick-input-count').innerText()).toMatch(
      new RegExp(`^${String(count)} `),
    );
  });
}

async function openStaleList(): Promise<void> {
  await workbench.runCommand('ZooKeeper Locks: Delete Stale Nodes…');
  await workbench.seeQuickInput('What is deleted?');
}

const pickAll = (): Promise<void> =>
  workbench.page.locator('.quick-input-widget .quick-input-header > .monaco-custom-toggle').first().click();

async function openLock(part: string): Promise<void> {
  const label = await eventually(async () => {
    const row = (await tree.rows()).find(one => `${one.label} ${one.ariaLabel}`.includes(part));
    if (row === undefined) throw new Error(`no ${part}`);
    return row.label;
  }, 20_000);
  await tree.expand(label);
}

describe('the list of stale nodes', () => {
  it('leaves nodes of living owners out until they are asked for, and the box that picks all never picks them', async () => {
    await openStaleList();
    const asked = await workbench.seeQuickInput(`may be alive: ${String(living + readers)}`);
    expect(asked).not.toContain('worker-');
    await pickAll();
    await seePicked(crashed);
    await workbench.screenshot('delete-stale-without-living');
    await workbench.page.locator('.quick-input-titlebar [aria-label^="Include Living Owners"]').click();
    await workbench.seeQuickInput('The owner is alive, or may be');
    await seePicked(crashed);
    await pickAll();
    await seePicked(crashed);
    await workbench.page.keyboard.type('worker-17');
    await eventually(async () => expect((await workbench.quickPickLabels()).length).toBeLessThan(crashed + 2));
    await pickAll();
    await seePicked(crashed);
    await workbench.screenshot('delete-stale-with-living');
    await workbench.page.keyboard.press('Control+A');
  });

  it('takes those that are ticked one by one, and asks about them first', async () => {
    await workbench.page.keyboard.type('worker-1');
    for (const worker of ['worker-11', 'worker-12', 'worker-13']) {
      await workbench.pick(`/orders/invoice ${worker}`);
    }
    await seePicked(crashed + 3);
    await workbench.page.keyboard.press('Enter');
    const text = await seeDialog(/Delete 7 nodes, 3 with a living owner, 4 that may still be in use\?/);
    expect(text.indexOf('NOT notified')).toBeLessThan(text.indexOf('/orders/invoice'));
    expect(text).toMatch(/worker-1\d · session alive[^]*and 4 more/);
    await expectFits('delete-stale-dialog');
  });

  it('deletes nothing by Enter', async () => {
    await workbench.page.keyboard.press('Enter');
    await seeNoDialog();
    expect(await countNodes()).toBe(crashed + living);
  });

  it('is there again with the same choice after Escape', async () => {
    await openStaleList();
    await pickAll();
    await seePicked(crashed);
    await workbench.page.keyboard.press('Enter');
    await seeDialog(/Delete 4 nodes that may still be in use\?/);
    await workbench.page.keyboard.press('Escape');
    await workbench.seeQuickInput('What is deleted?');
    await seePicked(crashed);
    expect(await countNodes()).toBe(crashed + living);
  });

  it('can be read as a document before the question is answered', async () => {
    await workbench.page.keyboard.press('Enter');
    await seeDialog(/Delete 4 nodes/);
    await workbench.pressDialogButton('Show List');
    await workbench.seeQuickInput('Read the list, then choose');
    await eventually(async () => {
      const shown = await workbench.report.innerText({ timeout: 1_000 });
      for (let at = 0; at < crashed; at++) expect(shown).toContain(kazooName(at));
    }, 30_000);
    await workbench.screenshot('delete-stale-document');
    await workbench.pick('Continue…');
    await seeDialog(/Delete 4 nodes/);
    await workbench.pressDialogButton('Cancel');
    await seeNoDialog();
    expect(await countNodes()).toBe(crashed + living);
  });
});

describe('the question before a force delete', () => {
  it('fits a small window with long names and many who get the lock next, and deletes nothing by Enter or Escape', async () => {
    await openLock('settlement');
    for (const key of ['Enter', 'Escape']) {
      await tree.chooseFromMenu('#1 ', 'Force Delete…', () => seeDialog(/Delete a LIVE holder of /));
      expect(await workbench.dialogText()).toMatch(/NOT notified[^]*Gets the lock next: [^]*and 2 more[^]*Cluster: /);
      await expectFits('force-delete-long');
      await workbench.page.keyboard.press(key);
      await seeNoDialog();
    }
    expect(await observer.ls(`/orders/${longName}`)).toHaveLength(6);
  });

  it('asks for the end of a long name only', async () => {
    await tree.chooseFromMenu('#1 ', 'Force Delete…', () => seeDialog(/Delete a LIVE holder of /));
    await workbench.pressDialogButton('Force Delete');
    await workbench.seeQuickInput('its last ten characters, "-invoices-"');
    await workbench.cancelQuickInput();
  });

  it('is not asked for a node with children, which the server would not delete', async () => {
    await openLock('invoice');
    const [first] = await observer.ls('/orders/invoice');
    await observer.create(`${first!.path}/child`);
    await tree.chooseFromMenu('#1 crashed-0', 'Force Delete…', () =>
      eventually(async () => expect((await workbench.notifications()).join('\n')).toMatch(/was not deleted.*children/)),
    );
    expect(await workbench.page.locator('.monaco-dialog-box').count()).toBe(0);
  });

  it.each([
    ['light', 'Light Modern'],
    ['high-contrast', 'Dark High Contrast'],
    ['dark', 'Dark Modern'],
  ] as const)('can be read in %s', async (name, theme) => {
    await workbench.chooseTheme(theme);
    await tree.chooseFromMenu('#2 crashed-1', 'Force Delete…', () => seeDialog(/waiter of invoice that may be alive/));
    await workbench.screenshot(`force-delete-waiter-${name}`);
    await workbench.pressDialogButton('Cancel');
    await openStaleList();
    await pickAll();
    await seePicked(crashed);
    await workbench.page.keyboard.press('Enter');
    await seeDialog(/Delete 4 nodes/);
    await workbench.screenshot(`delete-stale-dialog-${name}`);
    await workbench.pressDialogButton('Cancel');
    await seeNoDialog();
  });
});

describe('every other question about what cannot be undone', () => {
  it('has its Cancel in the same place, with the keyboard', async () => {
    await workbench.runCommand('ZooKeeper Locks: Remove Cluster…');
    await seeDialog(/Remove the cluster "Orders"/);
    await seeFocusOn('Cancel');
    await workbench.screenshot('remove-cluster-dialog');
    await workbench.page.keyboard.press('Enter');
    await seeNoDialog();
    expect((await tree.rows()).map(({ label }) => label)).toContain('Orders');
  });
});
