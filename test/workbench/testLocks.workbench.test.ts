import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Contenders } from '../support/contenders.ts';
import { startCuratorContenders, type CuratorRecipe } from '../support/curatorContenders.ts';
import { eventually } from '../support/eventually.ts';
import { startObserver, type Observer } from '../support/observer.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../support/zookeeperServer.ts';
import { keepTraceOfFailures } from './support/failureTrace.ts';
import type { TreeView } from './support/tree.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

let ensemble: ZooKeeperEnsemble;
let observer: Observer;
let curator: Contenders<CuratorRecipe>;
let workbench: Workbench;
let clusters: TreeView;
let testLocks: TreeView;

beforeAll(async () => {
  ensemble = await startZooKeeper();
  const { connectString } = ensemble;
  const saved = [
    { id: 'orders', name: 'Orders', connectString, environment: 'development' },
    { id: 'live', name: 'Live', connectString, environment: 'production' },
    { id: 'archive', name: 'Archive', connectString, environment: 'staging', readOnly: true },
  ];
  observer = await startObserver(connectString);
  curator = startCuratorContenders(connectString);
  await Promise.all(['/locks/pay', '/locks/ship', '/locks/stock'].map(path => observer.ensure(path)));
  workbench = await openWorkbench({
    settings: { 'zookeeperLocks.clusters': saved, 'zookeeperLocks.testLocks.autoReleaseSeconds': 9 },
    viewport: { width: 1400, height: 900 },
  });
  clusters = workbench.tree('Clusters');
  testLocks = workbench.tree('Test Locks');
});

keepTraceOfFailures(() => workbench);

afterAll(async () => {
  await workbench.close();
  await curator.stop();
  await observer.stop();
  await ensemble.stop();
});

async function seeNoRows(): Promise<void> {
  await eventually(async () => expect(await testLocks.rows()).toEqual([]));
}

async function children(path: string, count: number): Promise<void> {
  await eventually(async () => expect(await observer.ls(path)).toHaveLength(count));
}

async function seeStatus(text: RegExp): Promise<void> {
  await eventually(async () => expect((await workbench.statusBar()).join('|')).toMatch(text));
}

async function seeMessage(text: RegExp): Promise<void> {
  await eventually(async () => expect((await workbench.notifications()).join()).toMatch(text));
}

/** A text that is typed: first one that is no answer, then one that is. */
interface Typed {
  question: string;
  wrong: string;
  fault: string;
  right: string;
}

interface Answers {
  path?: string;
  dialect?: string;
  /** What some recipes and dialects ask beside the others. */
  typed?: Typed;
  wait?: string;
  /** A text for 'Other…'. */
  otherWait?: Typed;
  autoRelease?: string;
}

/** Goes through the steps of one of the acquire commands. */
async function acquire(command: string, answers: Answers): Promise<void> {
  await workbench.runCommand(`ZooKeeper Locks: ${command}…`);
  await answer(answers);
}

async function answer({ path, dialect, typed, wait, otherWait, autoRelease = 'Never' }: Answers): Promise<void> {
  if (path !== undefined) await answerPath(path);
  await workbench.pick('Options…');
  if (dialect !== undefined) await workbench.pick(dialect);
  if (typed !== undefined) await answerText(typed);
  await workbench.pick(otherWait === undefined ? (wait ?? 'Try once') : 'Other…');
  if (otherWait !== undefined) await answerText(otherWait);
  await workbench.pick(autoRelease);
  await workbench.answerQuickInput('Your identifier', 'tester');
}

async function answerPath(path: string): Promise<void> {
  await workbench.answerQuickInput('Which lock?', path);
}

async function answerText({ question, wrong, fault, right }: Typed): Promise<void> {
  await workbench.typeIntoQuickInput(question, wrong);
  await workbench.answerQuickInput(fault, right);
}

/** Messages fade in: a picture taken at once shows nothing. */
async function screenshotWithMessage(name: string): Promise<void> {
  await eventually(async () => {
    const toast = workbench.page.locator('.notifications-toasts .notification-toast').first();
    expect(await toast.evaluate(element => getComputedStyle(element).opacity)).toBe('1');
  });
  await workbench.screenshot(name);
}

const severalPaths = ['/locks/a-ship', '/locks/road', '/locks/stock', '/locks/boat'] as const;

/** For when several clusters are connected. */
async function acquireOnOrders(path: string): Promise<void> {
  await workbench.runCommand('ZooKeeper Locks: Acquire Mutex…');
  await workbench.pick('Orders');
  await answer({ path, dialect: 'Curator' });
  await testLocks.seeRow(path, /^held/);
}

describe('test locks', () => {
  it('take a mutex by the palette before a real Curator process, which gets it after the release', async () => {
    await workbench.openContainer('ZooKeeper Locks');
    await eventually(async () => expect(await testLocks.welcomeText()).toContain('Acquire Mutex'), 30_000);
    await workbench.screenshot('test-locks-welcome');
    await clusters.expand('Orders');
    await clusters.seeRow('Orders', / connected/);

    await workbench.runCommand('ZooKeeper Locks: Acquire Mutex…');
    await workbench.typeIntoQuickInput('Which lock?', '/locks//pay');
    await workbench.seeQuickInput('no empty parts');
    await workbench.screenshot('test-locks-path');
    await answerPath('/locks/pay');
    await workbench.seeQuickInput('Curator · waits up to 1 min · released after 9 s');
    await workbench.screenshot('test-locks-overview');
    await answer({ dialect: 'Curator', autoRelease: 'After 5 min' });
    const held = await testLocks.seeRow(
      '/locks/pay',
      /held · [45]:\d\d left · mutex · token 0x[0-9a-f]+ · for .*Orders/,
    );
    expect(held.ariaLabel).toMatch(/^Test lock \/locks\/pay, held/);
    await children('/locks/pay', 1);
    await seeStatus(/1 held/);

    await curator.start({ contender: 'service', recipe: 'mutex', path: '/locks/pay' });
    await curator.begin('service');
    await children('/locks/pay', 2);
    await testLocks.chooseFromMenu('/locks/pay', 'Reveal in Clusters', () => clusters.seeRow('#1 tester', /^held/));
    await clusters.seeRow('#2', /waits for #1 tester/);
    await workbench.screenshot('test-locks-held-dark');
    await workbench.runCommand('Preferences: Toggle between Light/Dark Themes');
    await workbench.page.locator('.monaco-workbench.vs').waitFor();
    await workbench.screenshot('test-locks-held-light');
    await workbench.runCommand('Preferences: Toggle between Light/Dark Themes');
    expect(await curator.holders()).toEqual([]);

    await testLocks.pressInline('/locks/pay', 'Keep Longer', () =>
      testLocks.seeRow('/locks/pay', /held · (9|10):\d\d left/),
    );
    await testLocks.pressInline('/locks/pay', 'Release', () => curator.holds('service'));
    await children('/locks/pay', 1);
    await clusters.seeRow('#1', /^held/);
    await seeNoRows();
    await seeStatus(/^(?![^]*held)/);
    expect(await workbench.notifications()).toEqual([]);
  });

  it('say who holds what is not free, and leave no node', async () => {
    await acquire('Acquire Mutex', { path: '/locks/pay', dialect: 'Curator' });
    await seeMessage(/\/locks\/pay is not free/);
    await children('/locks/pay', 1);
    await seeNoRows();
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('wait with a position that is kept up to date, until cancelled', async () => {
    await clusters.chooseFromSubmenu('/locks/pay', 'Acquire Test Lock', 'Acquire Mutex', () =>
      eventually(async () => expect(await workbench.quickPickLabels()).toContain('Options…')),
    );
    await answer({ dialect: 'Curator', wait: 'Wait without limit' });
    await testLocks.seeRow('/locks/pay', /waits · position 2 · .+ is in front · mutex/);
    await seeMessage(/Waiting for \/locks\/pay \(mutex\): position 2/);
    await seeStatus(/1 waiting/);
    await screenshotWithMessage('test-locks-waiting');
    await workbench.pressNotificationButton('Cancel');
    await children('/locks/pay', 1);
    await seeNoRows();
    expect(await curator.holders()).toEqual(['service']);
    await eventually(async () => expect(await workbench.notifications()).toEqual([]));
  });

  it('are taken at the path that was pasted, not at one of the list that begins like it', async () => {
    await workbench.runCommand('ZooKeeper Locks: Acquire Exclusive Lock…');
    // Entered while VS Code still shows the list for what was typed before.
    await workbench.answerQuickInput('Which lock?', '/locks/sto');
    await answer({});
    await testLocks.seeRow('/locks/sto', /held/);
    await testLocks.pressInline('/locks/sto', 'Release', seeNoRows);
  });

  it('are released by themselves, quietly', async () => {
    await acquire('Acquire Exclusive Lock', { path: '/locks/ship/truck', autoRelease: 'After 9 s' });
    await Promise.all([
      testLocks.seeRow('/locks/ship/truck', /held · 0:0\d left · exclusive/),
      children('/locks/ship', 1),
    ]);
    await testLocks.seeRow('/locks/ship/truck', /its time ended, released at /);
    await children('/locks/ship', 0);
    await workbench.screenshot('test-locks-auto-released');
    expect(await workbench.notifications()).toEqual([]);
    await testLocks.pressInline('/locks/ship/truck', 'Dismiss', seeNoRows);
  });

  it('refuse to wait for this window itself, but read together', async () => {
    await acquire('Acquire Shared Lock (Read)', { path: '/locks/stock', dialect: 'Curator' });
    await testLocks.seeRow('/locks/stock', /held · until released · read/);
    await acquire('Acquire Shared Lock (Read)', { path: '/locks/stock', dialect: 'Curator' });
    await children('/locks/stock', 2);
    await acquire('Acquire Shared Lock (Write)', {
      path: '/locks/stock',
      dialect: 'Curator',
      wait: 'Wait without limit',
    });
    await seeMessage(/This window already holds \/locks\/stock.*First release "\/locks\/stock" \(read\)/);
    await children('/locks/stock', 2);
    await screenshotWithMessage('test-locks-self-block');
    await workbench.runCommand('Notifications: Clear All Notifications');
    await workbench.runCommand('ZooKeeper Locks: Release All Test Locks');
    expect(await workbench.dialogText()).toContain('Release all 2 test locks?');
    await workbench.pressDialogButton('Release All');
    await children('/locks/stock', 0);
    await seeNoRows();
  });

  it('take several locks at once and give them all back', async () => {
    await workbench.runCommand('ZooKeeper Locks: Acquire Several Locks at Once…');
    const field = workbench.page.locator('.quick-input-box input');
    for (const path of severalPaths) {
      // Pasted and entered at once, as by a person with the path on the clipboard.
      await workbench.typeIntoQuickInput('Check two or more locks', path);
      await workbench.page.keyboard.press('Enter');
      await eventually(async () => expect(await field.inputValue()).toBe(''));
    }
    await workbench.seeQuickInput('4 Selected');
    await workbench.screenshot('test-locks-several');
    await workbench.page.keyboard.press('Enter');
    await answer({ dialect: 'The one in use at each path' });
    await testLocks.seeRow(`${severalPaths[0]} and 3 more`, /held/);
    await Promise.all(severalPaths.map(path => children(path, 1)));
    await testLocks.pressInline(severalPaths[0], 'Release', seeNoRows);
    await Promise.all(severalPaths.map(path => children(path, 0)));
  });

  it.each([
    {
      command: 'Acquire Semaphore',
      path: '/locks/seats',
      dialect: 'Curator',
      occupy: () =>
        curator
          .start({ contender: 'guest', recipe: 'semaphore', path: '/locks/seats', identifier: 'guest', maxLeases: 1 })
          .then(() => curator.begin('guest'))
          .then(() => curator.holds('guest')),
      typed: { question: 'How many clients may hold it at once?', wrong: '0', fault: 'whole number' },
      busy: {
        right: '1',
        message: '/locks/seats was not free within 1 s. The attempt has left the queue. Held by guest',
      },
      free: { right: '2', label: '/locks/seats', directory: '/locks/seats/leases', node: '-lease-' },
    },
    {
      command: 'Acquire Mutex',
      path: '/locks/named',
      dialect: 'named lock',
      occupy: async () => {
        await observer.ensure('/locks/named');
        for (const name of ['billing', 'orders']) {
          const plan = { data: `${name}-app`, ephemeral: true, sequence: true };
          await observer.create(`/locks/named/${name}_lock_`, plan);
        }
      },
      typed: { question: 'Which of the locks in this directory?', wrong: 'a/b', fault: 'contains neither' },
      busy: {
        right: 'orders',
        message: '/locks/named (orders) was not free within 1 s. The attempt has left the queue. Held by orders-app',
      },
      free: { right: 'parts', label: '/locks/named (parts)', directory: '/locks/named', node: 'parts_lock_' },
    },
  ])(
    '$command: what is typed decides whether it waits',
    async ({ command, path, dialect, occupy, typed, busy, free }) => {
      await occupy();
      const before = (await observer.ls(free.directory)).length;
      const otherWait = { question: 'for example 90', wrong: 'soon', fault: 'Type a time', right: '1 s' };
      await acquire(command, { path, dialect, typed: { ...typed, right: busy.right }, otherWait });
      await eventually(async () => expect((await workbench.notifications()).join()).toContain(busy.message));
      await children(free.directory, before);
      await workbench.runCommand('Notifications: Clear All Notifications');

      await acquire(command, { path, dialect, typed: { ...typed, right: free.right } });
      await testLocks.seeRow(free.label, /held · until released/);
      const names = (await observer.ls(free.directory)).map(({ name }) => name);
      expect(names.filter(name => name.includes(free.node))).toHaveLength(free.node === '-lease-' ? 2 : 1);
      await testLocks.pressInline(free.label, 'Release', seeNoRows);
      await children(free.directory, before);
    },
  );

  it('ask before they touch production, offer no "never" there, and leave read-only clusters alone', async () => {
    await clusters.expand('Live');
    await clusters.seeRow('Live', / connected/);
    await workbench.runCommand('ZooKeeper Locks: Acquire Mutex…');
    await workbench.pick('Live');
    await answerPath('/locks/ship');
    await workbench.pick('Options…');
    await workbench.pick('Curator');
    await workbench.pick('Try once');
    await eventually(async () => expect(await workbench.quickPickLabels()).toContain('After 9 s'));
    expect(await workbench.quickPickLabels()).not.toContain('Never');
    await workbench.pick('After 10 s');
    await workbench.answerQuickInput('Your identifier', 'tester');
    const question = await workbench.dialogText();
    for (const part of ['"Live"', '/locks/ship', 'Curator', 'may be blocked']) expect(question).toContain(part);
    await workbench.screenshot('test-locks-production');
    await workbench.pressDialogButton('Cancel');
    await children('/locks/ship', 0);
    await seeNoRows();

    await workbench.runCommand('ZooKeeper Locks: Acquire Mutex…');
    await eventually(async () => expect(await workbench.quickPickLabels()).toEqual(['Orders', 'Live']));
    await workbench.cancelQuickInput();
  });

  it('are shown as lost, and reported once, when another session deletes the node', async () => {
    await acquireOnOrders('/locks/ship');
    const [node] = await observer.ls('/locks/ship');
    await observer.delete(node!.path);
    await testLocks.seeRow('/locks/ship', /lost: .*deleted by another client/);
    await seeMessage(/The test lock \/locks\/ship on Orders is lost/);
    expect(await workbench.notifications()).toHaveLength(1);
    await seeStatus(/1 lost/);
    await screenshotWithMessage('test-locks-lost');
    await workbench.runCommand('Notifications: Clear All Notifications');
    await testLocks.pressInline('/locks/ship', 'Dismiss', seeNoRows);
  });

  it('are uncertain while the server is silent, and lost when the session is over', { timeout: 300_000 }, async () => {
    await acquireOnOrders('/locks/ship');
    const [server] = ensemble.servers;
    server!.pause();
    try {
      await testLocks.seeRow('/locks/ship', /^uncertain/, 40_000);
      await seeStatus(/1 uncertain/);
      await workbench.screenshot('test-locks-uncertain');
      await testLocks.seeRow('/locks/ship', /^lost: /, 60_000);
    } finally {
      server!.resume();
    }
    await eventually(async () => {
      expect((await workbench.notifications()).filter(text => text.includes('is lost'))).toHaveLength(1);
    });
    await testLocks.pressInline('/locks/ship', 'Dismiss', seeNoRows);
    await workbench.runCommand('Notifications: Clear All Notifications');
    // The server counts the session's time anew after its pause.
    await eventually(async () => expect(await observer.ls('/locks/ship')).toEqual([]), 60_000);
  });

  it('leave no node behind when the window is closed', async () => {
    await acquireOnOrders('/locks/ship');
    await children('/locks/ship', 1);
    await workbench.runCommand('Developer: Reload Window');
    // Sooner than the session would end by itself: 30 s after the last of its pings, which come every 10 s.
    await eventually(async () => expect(await observer.ls('/locks/ship')).toEqual([]), 15_000);
  });
});
