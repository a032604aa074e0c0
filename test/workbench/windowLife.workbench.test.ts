import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startObserver, type Observer } from '../support/observer.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../support/zookeeperServer.ts';
import { acquireMutex } from './support/acquireMutex.ts';
import { keepTraceOfFailures } from './support/failureTrace.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

// Two windows at once: each is silent for as long as it takes to be given up.
let ensemble: ZooKeeperEnsemble;
let observer: Observer;
let crashing: Workbench;
let pausing: Workbench;

/** From the last sign of life until the node is gone, ms: up to 10 s to the next question, 60 s for its answer. */
const givenUpWithinMs = 90_000;

beforeAll(async () => {
  ensemble = await startZooKeeper();
  const { connectString } = ensemble;
  observer = await startObserver(connectString);
  await Promise.all(['/locks/crash', '/locks/pause'].map(path => observer.ensure(path)));
  const saved = [{ id: 'orders', name: 'Orders', connectString, environment: 'development' }];
  const open = () => openWorkbench({ settings: { 'zookeeperLocks.clusters': saved } });
  crashing = await open();
  pausing = await open();
});

keepTraceOfFailures(() => pausing);

afterAll(async () => {
  await Promise.all([crashing, pausing].map(workbench => workbench.close()));
  await observer.stop();
  await ensemble.stop();
});

/** Takes a mutex that only the person, or the end of the window, releases. */
async function takeLock(workbench: Workbench, path: string): Promise<void> {
  await workbench.openContainer('ZooKeeper Locks');
  await workbench.tree('Clusters').expand('Orders');
  await acquireMutex(workbench, path);
  await workbench.tree('Test Locks').seeRow(path, /^held/);
  expect(await observer.ls(path)).toHaveLength(1);
}

async function seeNoNode(path: string): Promise<void> {
  await eventually(async () => expect(await observer.ls(path)).toEqual([]), givenUpWithinMs, 500);
}

async function crash({ page }: Workbench): Promise<void> {
  const tools = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  // A page that is gone does not answer.
  void tools.send('Page.crash').catch(() => undefined);
  await crashed;
}

/** Lets the page stand still, as when its machine sleeps or its network is gone. @returns what lets it go on */
async function pause({ page }: Workbench): Promise<() => Promise<void>> {
  const tools = await page.context().newCDPSession(page);
  await tools.send('Debugger.enable');
  await tools.send('Debugger.pause');
  return async () => {
    await tools.send('Debugger.resume');
  };
}

describe('a window that does not answer', () => {
  it('loses its test locks, crashed or only standing still, and then says so', { timeout: 300_000 }, async () => {
    await takeLock(crashing, '/locks/crash');
    await takeLock(pausing, '/locks/pause');
    await crash(crashing);
    const resume = await pause(pausing);
    expect(await observer.ls('/locks/crash')).toHaveLength(1);
    await Promise.all([seeNoNode('/locks/crash'), seeNoNode('/locks/pause')]);

    await resume();
    await pausing.tree('Test Locks').seeRow('/locks/pause', /^given up at .*no sign of life/);
    await eventually(async () =>
      expect((await pausing.notifications()).join()).toMatch(/given up.*no sign of life.*\/locks\/pause/),
    );
    for (const [suffix, theme] of [
      ['light', 'Light Modern'],
      ['high-contrast', 'Dark High Contrast'],
      ['dark', 'Dark Modern'],
    ] as const) {
      await pausing.chooseTheme(theme);
      await pausing.screenshot(`test-locks-given-up-${suffix}`);
    }
  });
});
