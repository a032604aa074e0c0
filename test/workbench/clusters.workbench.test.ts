import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { silent, startFakeServer } from '../support/fakeServer.ts';
import { startKazooContenders, type KazooContenders } from '../support/kazooContenders.ts';
import { startObserver, type Observer } from '../support/observer.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../support/zookeeperServer.ts';
import type { TreeView } from './support/tree.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

let ensemble: ZooKeeperEnsemble;
let observer: Observer;
let contenders: KazooContenders;
let workbench: Workbench;
let tree: TreeView;

const hostileName = '[Retry](command:workbench.action.terminal.new)';

beforeAll(async () => {
  ensemble = await startZooKeeper();
  [observer, contenders, workbench] = await Promise.all([
    startObserver(ensemble.connectString),
    Promise.resolve(startKazooContenders(ensemble.connectString)),
    // Rows that are out of sight are not drawn.
    openWorkbench({ viewport: { width: 1280, height: 1100 } }),
  ]);
  tree = workbench.tree('Clusters');
});

afterAll(async () => {
  await workbench.close();
  await contenders.stop();
  await observer.stop();
  await ensemble.stop();
});

/** Kazoo contenders of one lock, queueing in this order. */
async function queueUp(path: string, names: readonly string[]): Promise<void> {
  for (const [index, contender] of names.entries()) {
    await contenders.start({ contender, recipe: 'lock', path, identifier: contender });
    if (index === 0) await contenders.acquire(contender);
    else {
      await contenders.begin(contender);
      await eventually(async () => expect(await observer.ls(path)).toHaveLength(index + 1));
    }
  }
}

async function addPlainCluster(name: string, connectString: string): Promise<void> {
  await workbench.runCommand('ZooKeeper Locks: Add Cluster…');
  await workbench.answerQuickInput('(1/5)', name);
  await workbench.answerQuickInput('(2/5)', connectString);
  await workbench.pick('production');
  await workbench.pick('Not encrypted');
  await workbench.pick('No log-in');
  await tree.waitForRow(name);
}

/** Less than the 15 s between two checks for changes that no watch has reported. */
const sooner = 10_000;

describe('the Clusters view', () => {
  it('adds a cluster through the quick input, telling at once what is wrong with a connect string', async () => {
    await workbench.openContainer('ZooKeeper Locks');
    // The welcome is there, without its text, a moment before the extension says that there are no clusters.
    await eventually(async () => expect(await tree.welcomeText()).toContain('Add Cluster'), 30_000);
    await workbench.screenshot('clusters-welcome');
    await tree.pressWelcomeButton('Add Cluster');
    await workbench.answerQuickInput('(1/5)', 'Orders');
    await workbench.typeIntoQuickInput('(2/5)', 'localhost:99999');
    await workbench.seeQuickInput('from 1 to 65535');
    await workbench.typeIntoQuickInput('(2/5)', 'admin:secret@localhost:2181');
    await workbench.seeQuickInput('Leave out user and password');
    await workbench.screenshot('clusters-add');
    await workbench.answerQuickInput('(2/5)', ensemble.connectString);
    await workbench.pick('staging');
    await workbench.pick('Not encrypted');
    await workbench.pick('No log-in');
    const row = await tree.waitForRow('Orders');
    expect(row.description).toContain('staging');
    expect(row.description).toContain('not connected');
  });

  it('shows holder and waiters, and the next holder without a click', async () => {
    await queueUp('/locks/invoice', ['worker-a', 'worker-b', 'worker-c']);
    await observer.create('/locks/invoice/README');
    await tree.expand('Orders');
    await tree.seeRow('/locks/invoice', /held by worker-a · 2 waiting .*kazoo/);
    await tree.expand('/locks/invoice');
    await tree.seeRow('#1 worker-a', /^held/);
    const second = await tree.seeRow('#2 worker-b', /waits for #1 worker-a/);
    expect(second.ariaLabel).toContain('Position 2');
    await tree.seeRow('#3 worker-c', /waits for #2 worker-b/);
    await tree.seeRow('README', /no contender/);
    await workbench.screenshot('clusters-dark');
    await eventually(async () => {
      // Away first: a row that was drawn anew under a resting pointer shows no tooltip.
      await workbench.page.mouse.move(800, 400);
      expect(await tree.tooltip('#1 worker-a')).toMatch(/Owner session: 0x[0-9a-f]+[^]*Data[^]*worker-a/);
    }, 30_000);
    await workbench.screenshot('clusters-tooltip');

    await contenders.release('worker-a');
    await tree.seeRow('#1 worker-b', /^held/, sooner);
    await tree.seeRow('/locks/invoice', /held by worker-b · 1 waiting/, sooner);
    expect(await workbench.notifications()).toEqual([]);
    await workbench.runCommand('Preferences: Toggle between Light/Dark Themes');
    await workbench.page.locator('.monaco-workbench.vs').waitFor();
    await workbench.screenshot('clusters-light');
    await workbench.runCommand('Preferences: Toggle between Light/Dark Themes');
  });

  it('shows hostile names as text', async () => {
    await observer.create(`/hostile/${hostileName}`, { ephemeral: true });
    await observer.create('/hostile/__proto__', { ephemeral: true });
    await observer.create('/hostile/\u202Eevil-lock-', { ephemeral: true, sequence: true });
    await tree.pressInline('Orders', 'Refresh', () => tree.waitForRow('\\u202Eevil-lock'));
    await tree.expand('\\u202Eevil-lock');
    await tree.seeRow('__proto__', /no contender/);
    await tree.seeRow('[Retry]', /no contender/);
    expect(
      await workbench.page.locator('.sidebar .monaco-list a[href^="command:"], .sidebar .monaco-list img').count(),
    ).toBe(0);
    await workbench.screenshot('clusters-hostile');
    await tree.collapse('\\u202Eevil-lock');
  });

  it('shows every hand-off without a refresh', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `runner-${String(index)}`);
    const prefix = `/relay/_c_${crypto.randomUUID()}-lock-`;
    const plans = names.map(data => ({ path: prefix, data, ephemeral: true, sequence: true }));
    await observer.ensure('/relay');
    const paths = await observer.createMany(plans);
    await tree.pressInline('Orders', 'Refresh', () => tree.seeRow('/relay', /held by runner-0/));
    for (const [index, path] of paths.slice(0, -1).entries()) {
      await observer.delete(path);
      // Without a watch a check may come in time for one of them, but not for the next.
      await tree.seeRow('/relay', new RegExp(`held by ${names[index + 1]!}`), sooner);
    }
    await observer.delete('/relay', { recursive: true });
  });

  it('opens a lock by its path, found or free, and keeps it live', async () => {
    await workbench.runCommand('ZooKeeper Locks: Open Lock by Path…');
    await workbench.answerQuickInput('Path of the lock', '/locks/later');
    await tree.seeRow('/locks/later', /free/);
    await queueUp('/locks/later', ['late-comer']);
    await tree.seeRow('/locks/later', /held by late-comer/, sooner);
    await contenders.end('late-comer');
    await tree.seeRow('/locks/later', /free/, sooner);
  });

  it('copies the path of the selected row by keyboard', async () => {
    await tree.select('#2 worker-c');
    await workbench.page.keyboard.press('ControlOrMeta+c');
    await eventually(async () => {
      const copied = await workbench.page.evaluate(() => navigator.clipboard.readText());
      expect(copied).toMatch(/^\/locks\/invoice\/[0-9a-f]+__lock__\d{10}$/);
    });
  });

  it('filters, and shows again what was hidden', async () => {
    await workbench.runCommand('ZooKeeper Locks: Filter Locks…');
    await workbench.answerQuickInput('Show only locks', 'INVOICE');
    await eventually(async () => expect((await tree.rows()).map(row => row.label)).not.toContain('later'));
    await tree.waitForRow('/locks/invoice');
    await workbench.runCommand('ZooKeeper Locks: Clear Filter');
    await tree.waitForRow('/locks/later');
  });

  it('rests while paused and catches up afterwards', async () => {
    await tree.seeRow('/locks/later', /free/);
    await workbench.runCommand('ZooKeeper Locks: Pause Live Updates');
    const header = workbench.page.locator('.sidebar .pane-header', { hasText: 'Clusters' });
    await eventually(async () => expect(await header.innerText()).toContain('paused'));
    await queueUp('/locks/later', ['pause-breaker']);
    await observer.sync();
    const changed = eventually(
      async () => expect((await tree.waitForRow('/locks/later')).description).toMatch(/held/),
      1_000,
    );
    await expect(changed).rejects.toThrow();
    await workbench.runCommand('ZooKeeper Locks: Resume Live Updates');
    await tree.seeRow('/locks/later', /held by pause-breaker/);
    await contenders.end('pause-breaker');
  });

  it('keeps rows open when the cluster is renamed', async () => {
    await workbench.runCommand('ZooKeeper Locks: Edit Cluster…');
    await workbench.answerQuickInput('(1/5)', 'Orders EU');
    await workbench.answerQuickInput('(2/5)', ensemble.connectString);
    await workbench.pick('staging');
    await workbench.pick('Not encrypted');
    await workbench.pick('No log-in');
    await tree.waitForRow('Orders EU');
    await eventually(async () => expect((await tree.waitForRow('/locks/invoice')).expanded).toBe(true));
    await tree.waitForRow('#1 worker-b');
  });

  it('keeps the rows of a lost session, dimmed, and brings them back by itself', { timeout: 300_000 }, async () => {
    ensemble.servers[0]!.pause();
    await tree.seeRow('Orders', /uncertain|session lost/, 40_000);
    await tree.seeRow('Orders', /session lost, last contact/, 40_000);
    await tree.seeRow('/locks/invoice', /as of .*held by worker-b/);
    await workbench.screenshot('clusters-lost');
    ensemble.servers[0]!.resume();
    await tree.seeRow('Orders', / connected/, 40_000);
    await tree.seeRow('/locks/invoice', /^(?!as of)/);
    await eventually(async () => expect((await tree.waitForRow('/locks/invoice')).expanded).toBe(true));
    expect(await workbench.notifications()).toEqual([]);
  });

  it('shows a failure as a row with a retry, not as a message', async () => {
    await addPlainCluster('Nobody there', 'localhost:1');
    await tree.expand('Nobody there');
    await tree.waitForRow('localhost:1: nothing listens', 20_000);
    await workbench.screenshot('clusters-failure');
    await tree.pressInline('localhost:1:', 'Retry', () => tree.seeRow('Connecting…', /./));
    await tree.seeRow('Nobody there', /cannot connect, trying again/);
    await tree.waitForRow('localhost:1: nothing listens', 20_000);
    await eventually(async () => expect(await workbench.notifications()).toEqual([]));
    await tree.pressInline('Nobody there', 'Disconnect', () => tree.seeRow('Nobody there', /not connected/));
  });

  it('shows that a command connects, and stops that', async () => {
    const server = await startFakeServer(silent);
    try {
      await addPlainCluster('Mute', server.connectString);
      await workbench.runCommand('ZooKeeper Locks: Open Lock by Path…');
      await workbench.pick('Mute');
      // Cancelled at once: the attempt ends by itself after ten seconds.
      await eventually(async () => expect((await workbench.notifications()).join()).toContain('Connecting to Mute'));
      await workbench.pressNotificationButton('Cancel');
      await eventually(async () => expect(await workbench.notifications()).toEqual([]));
      await tree.seeRow('Mute', /not connected/);
      await eventually(() => expect(server.openConnections).toBe(0));
    } finally {
      await server.close();
    }
  });

  it('shows a lock that came after the search, without a refresh', async () => {
    await queueUp('/locks/late', ['worker-late']);
    await tree.seeRow('/locks/late', /held by worker-late/, 30_000);
  });

  it('leads from a search that found nothing to the lock roots in the settings', async () => {
    await addPlainCluster('Empty', `${ensemble.connectString}/zookeeper`);
    await tree.expand('Empty');
    await tree.seeRow('No locks found', /select to change the lock roots/);
    await tree.select('No locks found');
    // The breadcrumbs show the setting that the cursor stands at, once VS Code's JSON support has started.
    const place = workbench.page.locator('.breadcrumbs-control', { hasText: 'settings.json' });
    await place.filter({ hasText: 'zookeeperLocks.clusters' }).waitFor({ timeout: 30_000 });
    await workbench.screenshot('clusters-lock-roots');
  });
});
