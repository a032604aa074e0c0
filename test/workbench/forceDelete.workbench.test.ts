import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startKazooContenders, type KazooContenders } from '../support/kazooContenders.ts';
import { startObserver, type Observer } from '../support/observer.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../support/zookeeperServer.ts';
import { keepTraceOfFailures } from './support/failureTrace.ts';
import { LockPanelPage } from './support/lockPanelPage.ts';
import type { TreeView } from './support/tree.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

let folder: string;
let ensemble: ZooKeeperEnsemble;
let observer: Observer;
let contenders: KazooContenders;
let workbench: Workbench;
let tree: TreeView;

/** What a crashed program left that made its node with `ephemeral=False`, as kazoo names it: a living one looks the same. */
const staleName = `${'ab'.repeat(16)}__lock__`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'force-delete-test-'));
  ensemble = await startZooKeeper();
  const { connectString } = ensemble;
  const saved = [
    { id: 'orders', name: 'Orders', connectString, environment: 'staging', lockRoots: ['/orders'] },
    { id: 'live', name: 'Live', connectString, environment: 'production', lockRoots: ['/live'] },
    { id: 'archive', name: 'Archive', connectString, environment: 'staging', lockRoots: ['/archive'], readOnly: true },
  ];
  observer = await startObserver(connectString);
  contenders = startKazooContenders(connectString);
  for (const root of ['orders', 'live', 'archive']) await block(`/${root}/invoice`, [`${root}-a`, `${root}-b`]);
  workbench = await openWorkbench({
    settings: {
      'zookeeperLocks.clusters': saved,
      'zookeeperLocks.deadlockSeconds': 30,
      'files.simpleDialog.enable': true,
    },
    viewport: { width: 1400, height: 900 },
  });
  tree = workbench.tree('Clusters');
  await workbench.openContainer('ZooKeeper Locks');
});

keepTraceOfFailures(() => workbench);

afterAll(async () => {
  await workbench.close();
  await contenders.stop();
  await observer.stop();
  await ensemble.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A stale persistent node at the head, and real kazoo processes that wait behind it. */
async function block(path: string, names: readonly string[]): Promise<void> {
  await observer.ensure(path);
  await observer.create(`${path}/${staleName}`, { sequence: true, data: 'crashed' });
  await contenders.queueUp(observer, { recipe: 'lock', path }, names);
}

async function seeDialog(text: RegExp): Promise<string> {
  return eventually(async () => {
    const shown = await workbench.dialogText();
    expect(shown).toMatch(text);
    return shown;
  });
}

/** Waits until the report in front is so. The first one of a window starts VS Code's Markdown preview. */
async function seeReport(text: RegExp): Promise<void> {
  await eventually(async () => expect(await workbench.report.innerText({ timeout: 1_000 })).toMatch(text), 30_000);
}

/** @returns the messages that were seen: a moment later they may be gone */
async function seeMessage(text: RegExp): Promise<string> {
  return eventually(async () => {
    const shown = (await workbench.notifications()).join('\n');
    expect(shown).toMatch(text);
    return shown;
  });
}

describe('force delete', () => {
  it('says that no session keeps the node that blocks real waiters, and marks nothing: its program may live', async () => {
    await tree.expand('Orders');
    const lock = await tree.seeRow('/orders/invoice', /^held by crashed .* 2 waiting/);
    expect(lock.ariaLabel).not.toContain('stale');
    await tree.expand('/orders/invoice');
    const head = await tree.seeRow('#1 crashed', /^held .* · exclusive .*not ephemeral/);
    expect(head.ariaLabel).toContain('not ephemeral');
    await tree.seeRow('#2 orders-a', /^waits for #1 crashed/);
    await eventually(async () => {
      await workbench.page.mouse.move(800, 400);
      expect(await tree.tooltip('#1 crashed')).toMatch(/Owner session: none \(not ephemeral\)/);
    }, 30_000);
    await workbench.page.mouse.move(800, 400);
    await workbench.screenshot('stale-dark');
  });

  it('deletes nothing when the question is cancelled', async () => {
    await tree.chooseFromMenu('#1 crashed', 'Force Delete…', () => seeDialog(/Delete a holder of invoice/));
    await workbench.pressDialogButton('Cancel');
    await workbench.page.locator('.monaco-dialog-box').waitFor({ state: 'detached' });
    await tree.seeRow('#1 crashed', /held/);
    expect(await observer.ls('/orders/invoice')).toHaveLength(3);
  });

  it('tells everything in one question, deletes, and the next waiter holds on screen without a click', async () => {
    const text = await tree.chooseFromMenu('#1 crashed', 'Force Delete…', () =>
      seeDialog(/Delete a holder of invoice/),
    );
    for (const part of ['Cluster: Orders (staging)', 'Lock: /orders/invoice', staleName, 'Who: crashed · held ',
      'Owner session: none', 'No session keeps this node alive', 'Gets the lock next: orders-a']) {
      expect(text).toContain(part);
    } // prettier-ignore
    await workbench.screenshot('force-delete-dark');
    await workbench.pressDialogButton('Force Delete');
    await workbench.answerQuickInput('Type "invoice" to delete', 'invoice');
    await seeMessage(/was deleted\. Next: orders-a/);
    // Sooner than the next check for changes that no watch has reported, 15 s after the one before.
    await tree.seeRow('/orders/invoice', /^held by orders-a /, 10_000);
    await tree.seeRow('#1 orders-a', /^held/);
    expect(await observer.ls('/orders/invoice')).toHaveLength(2);
    await contenders.holds('orders-a');
  });

  it('wants the name of the lock typed for a living owner, and deletes nothing without it', async () => {
    const text = await tree.chooseFromMenu('#1 orders-a', 'Force Delete…', () =>
      seeDialog(/Delete a LIVE holder of invoice\?/),
    );
    expect(text).toMatch(/Owner session: 0x[0-9a-f]+ from 127\.0\.0\.1:\d+/);
    expect(text).toContain('two holders at the same time are possible.');
    await workbench.screenshot('force-delete-living');
    await workbench.pressDialogButton('Force Delete');
    await workbench.answerQuickInput('Type "invoice" to delete', 'invoices');
    await workbench.seeQuickInput('This is not "invoice"');
    await workbench.screenshot('force-delete-typed');
    await workbench.cancelQuickInput();
    expect(await observer.ls('/orders/invoice')).toHaveLength(2);
    await tree.seeRow('#1 orders-a', /^held/);
  });

  it('wants it on a production cluster even for a node that nobody owns', async () => {
    await tree.expand('Live');
    await tree.expand('/live/invoice');
    // Two rows begin so: the first belongs to the cluster above as long as that is open.
    await tree.chooseFromMenu('#1 crashed', 'Force Delete…', () => seeDialog(/Cluster: Live \(production\)/));
    await workbench.pressDialogButton('Force Delete');
    await workbench.answerQuickInput('Type "invoice" to delete', 'invoice');
    await tree.seeRow('/live/invoice', /held by live-a/);
    await contenders.holds('live-a');
  });

  it('is not offered on a read-only cluster, and refused by the palette before it asks', async () => {
    await tree.collapse('Live');
    await tree.expand('Archive');
    await tree.expand('/archive/invoice');
    await eventually(async () => expect(await tree.menu('/archive/invoice')).toContain('Explain Lock'));
    expect(await tree.menu('/archive/invoice')).not.toContain('Delete Stale Nodes…');
    expect(await tree.menu('#1 crashed')).not.toContain('Force Delete…');
    await tree.select('#1 crashed');
    await workbench.runCommand('ZooKeeper Locks: Force Delete…');
    await seeMessage(/was not deleted\. The cluster is marked read-only/);
    await workbench.runCommand('ZooKeeper Locks: Delete Stale Nodes…');
    await eventually(async () => expect(await workbench.quickPickLabels()).toEqual(['Orders', 'Live']));
    await workbench.cancelQuickInput();
    expect(await workbench.page.locator('.monaco-dialog-box').count()).toBe(0);
    expect(await observer.ls('/archive/invoice')).toHaveLength(3);
  });

  it('shows who is behind a node, and explains a lock as a text to paste', async () => {
    await tree.chooseFromMenu('#1 orders-a', 'Show Owner', () =>
      seeReport(/Owner session: 0x[0-9a-f]+ from 127\.0\.0\.1:\d+[^]*sessions by four-letter word: answered/),
    );
    await tree.chooseFromMenu('/orders/invoice', 'Explain Lock', () =>
      seeReport(/Lock \/orders\/invoice on Orders[^]*Head of the queue: orders-a[^]*It goes to: orders-b/),
    );
    await workbench.screenshot('explain-lock');
  });

  it('calls sessions deadlocked when their mutual wait lasts, and draws the cycle', { timeout: 300_000 }, async () => {
    await tree.collapse('Archive');
    await tree.chooseFromMenu('Orders', 'Explain Deadlocks', () => seeReport(/No deadlock found among 1 lock/));
    const [first, second] = await Promise.all([observer.openSession(), observer.openSession()]);
    for (const [path, session, data] of [
      ['/orders/x', first, 'A'],
      ['/orders/y', second, 'B'],
      ['/orders/x', second, 'B'],
      ['/orders/y', first, 'A'],
    ] as const) {
      await observer.ensure(path);
      const name = `${crypto.randomUUID().replaceAll('-', '')}__lock__`;
      await session.create(`${path}/${name}`, { ephemeral: true, sequence: true, data });
    }
    await tree.seeRow('/orders/x', /^may be deadlocked · held by A/, 40_000);
    await tree.chooseFromMenu('Orders', 'Explain Deadlocks', () =>
      seeReport(
        /1 possible deadlock found[^]*Locks: \/orders\/x, \/orders\/y[^]*A \(session 0x[0-9a-f]+\) waits at \/orders\/y/,
      ),
    );
    // Nothing happens in the tree meanwhile: time alone draws the rows again.
    await tree.seeRow('/orders/x', /^deadlocked · held by A/, 60_000);
    await tree.seeRow('/orders/y', /^deadlocked · held by B/);
    await tree.chooseFromMenu('Orders', 'Explain Deadlocks', () =>
      seeReport(/1 deadlock found[^]*Threads are not visible[^]*Cycle, seen for \d+ s:/),
    );
    await workbench.runCommand('ZooKeeper Locks: Show Only Contended, Stale or Deadlocked…');
    await workbench.pick('deadlocked');
    await eventually(async () => expect((await tree.rows()).map(row => row.label)).not.toContain('invoice'));
    await workbench.screenshot('deadlock-dark');
    await workbench.runCommand('ZooKeeper Locks: Clear Filter');
    const panel = new LockPanelPage(workbench.page);
    await tree.chooseFromMenu('/orders/x', 'Show Queue', () => panel.seeLock('/orders/x'));
    await panel.see('live');
    const boxes = panel.find('.cycle.is-lasting .cycle-box');
    await eventually(async () =>
      expect(await boxes.allInnerTexts()).toEqual([
        expect.stringMatching(/^A\s+holds \/orders\/x \(this lock\)$/),
        expect.stringMatching(/^B\s+holds \/orders\/y$/),
      ]),
    );
    expect(await panel.findings()).toEqual([]);
    await workbench.screenshot('deadlock-panel');
    await boxes.first().focus();
    await workbench.page.keyboard.press('ArrowRight');
    await workbench.page.keyboard.press('Enter');
    await eventually(async () => expect(await panel.find('h1').innerText()).toBe('y'), 20_000);
    await Promise.all([first.closeSession(), second.closeSession()]);
    await tree.seeRow('/orders/x', /^free/);
  });

  it('deletes stale nodes from a list with reasons, and reports each', async () => {
    await block('/orders/old', ['old-a']);
    await tree.chooseFromMenu('Orders', 'Delete Stale Nodes…', () =>
      workbench.seeQuickInput('not ephemeral, no session'),
    );
    // It fades in.
    await workbench.page.locator('.quick-input-widget:visible').evaluate(async widget => {
      await Promise.all(widget.getAnimations({ subtree: true }).map(animation => animation.finished));
    });
    await workbench.screenshot('delete-stale-list');
    await workbench.pick('/orders/old crashed');
    await workbench.page.keyboard.press('Enter');
    const text = await seeDialog(/Delete 1 node that may still be in use\?/);
    expect(text).toContain('/orders/old: crashed · no session');
    await workbench.screenshot('delete-stale-question');
    await workbench.pressDialogButton('Delete');
    await workbench.answerQuickInput('Type "Orders" to delete', 'Orders');
    await seeReport(/1 of 1 deleted[^]*Deleted\s+\/orders\/old\//);
    await contenders.holds('old-a');
    expect((await observer.ls('/orders/old')).map(({ name }) => name)).not.toContain(`${staleName}0000000000`);
    await workbench.screenshot('delete-stale-report');
  });

  it('keeps a list of what was done', async () => {
    await workbench.runCommand('ZooKeeper Locks: Show Audit List');
    await seeReport(
      /delete stale: deleted[^]*\/orders\/old[^]*force delete: deleted[^]*Live[^]*force delete: deleted[^]*Orders/,
    );
    await workbench.screenshot('audit-list');
  });

  it('saves the list as a file of JSON where the person says', async () => {
    const file = join(folder, 'audit.json');
    await workbench.runCommand('ZooKeeper Locks: Save Audit List…');
    await workbench.answerFileDialog(file, 'OK');
    const message = await seeMessage(/Entries saved to .*audit\.json: [1-9]/);
    const entries = JSON.parse(await readFile(file, 'utf8')) as unknown[];
    expect(entries.at(-1)).toMatchObject({ cluster: 'Orders', outcome: 'deleted' });
    expect(JSON.stringify(entries.at(-1))).toContain(`/orders/old/${staleName}`);
    expect(entries).toHaveLength(Number(/audit\.json: (\d+)/.exec(message)?.[1]));
  });

  it('is readable in a light theme too', async () => {
    await workbench.runCommand('Preferences: Toggle between Light/Dark Themes');
    await workbench.page.locator('.monaco-workbench.vs').waitFor();
    await tree.expand('Archive');
    await tree.seeRow('/archive/invoice', /^held by crashed/);
    await tree.expand('/orders/invoice');
    await tree.chooseFromMenu('#1 orders-a', 'Force Delete…', () => seeDialog(/It is NOT notified/));
    await workbench.screenshot('force-delete-light');
    await workbench.pressDialogButton('Cancel');
  });

  it('deletes nothing of a cluster that was removed while the name was asked for, nor offers it in its panel', async () => {
    const panel = new LockPanelPage(workbench.page);
    await tree.chooseFromMenu('/orders/invoice', 'Show Queue', () => panel.seeLock('/orders/invoice'));
    await panel.see('live');
    await tree.chooseFromMenu('#1 orders-a', 'Force Delete…', () => seeDialog(/It is NOT notified/));
    await workbench.pressDialogButton('Force Delete');
    await workbench.seeQuickInput('Type "invoice" to delete');
    await tree.chooseFromMenu('Orders', 'Remove Cluster', () => seeDialog(/Remove the cluster "Orders"/));
    await workbench.pressDialogButton('Remove');
    await panel.see('failed');
    await workbench.answerQuickInput('Type "invoice" to delete', 'invoice');
    await seeMessage(/Nothing was done: the cluster "Orders" was removed from the list meanwhile\. Start again\./);
    expect(await observer.ls('/orders/invoice')).toHaveLength(2);
    await panel.find('.picture .node').first().click();
    const offered = panel.find('.menu [role=menuitem]', 'Force delete…');
    await offered.waitFor();
    await eventually(async () => expect(await offered.getAttribute('aria-disabled')).toBe('true'));
    await workbench.screenshot('force-delete-removed');
  });
});
