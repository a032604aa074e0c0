import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startObserver, type Observer } from '../support/observer.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../support/zookeeperServer.ts';
import { acquireMutex } from './support/acquireMutex.ts';
import { keepTraceOfFailures } from './support/failureTrace.ts';
import type { TreeView } from './support/tree.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

let ensemble: ZooKeeperEnsemble;
let observer: Observer;
let workbench: Workbench;
let testLocks: TreeView;

const lockPath = '/locks/pay';
const question = /no longer lead to the servers of the cluster "Orders", where this window has test locks: 1\./;

/** The list of clusters as it is at first, or leading elsewhere. */
function clusters(place: '' | '/elsewhere') {
  return {
    'zookeeperLocks.clusters': [{ id: 'orders', name: 'Orders', connectString: `${ensemble.connectString}${place}` }],
  };
}

beforeAll(async () => {
  ensemble = await startZooKeeper();
  observer = await startObserver(ensemble.connectString);
  for (const path of [lockPath, '/elsewhere']) await observer.ensure(path);
  workbench = await openWorkbench({ settings: clusters('') });
  testLocks = workbench.tree('Test Locks');
  await workbench.openContainer('ZooKeeper Locks');
  await workbench.tree('Clusters').expand('Orders');
  await acquireMutex(workbench, lockPath);
  await testLocks.seeRow(lockPath, /^held/);
});

keepTraceOfFailures(() => workbench);

afterAll(async () => {
  await workbench.close();
  await observer.stop();
  await ensemble.stop();
});

async function seeQuestion(): Promise<void> {
  await eventually(async () => expect((await workbench.notifications()).join()).toMatch(question), 20_000);
  expect(await observer.ls(lockPath)).toHaveLength(1);
}

async function seeNoQuestion(): Promise<void> {
  await eventually(async () => expect(await workbench.notifications()).toEqual([]));
}

describe('a cluster that is replaced in the settings file while a test lock is held there', () => {
  it('keeps the lock until the question is answered, and for as long as the person says so', async () => {
    await workbench.editSettings(clusters('/elsewhere'));
    await seeQuestion();
    await workbench.screenshot('settings-edit-question');
    await workbench.pressNotificationButton('Keep Connected as Before');
    await seeNoQuestion();
    await testLocks.seeRow(lockPath, /^held/);
    expect(await observer.ls(lockPath)).toHaveLength(1);
  });

  it('asks again when it is replaced again, and ends the lock where the person wants that', async () => {
    await workbench.editSettings(clusters(''));
    // VS Code reads changes that follow each other quickly as one.
    await eventually(async () => {
      expect(await workbench.tree('Clusters').tooltip('Orders')).not.toContain('/elsewhere');
    }, 30_000);
    await testLocks.seeRow(lockPath, /^held/);
    await workbench.editSettings(clusters('/elsewhere'));
    await seeQuestion();
    await workbench.pressNotificationButton('End Test Locks (1)');
    await eventually(async () => expect(await observer.ls(lockPath)).toEqual([]));
    await eventually(async () => expect(await testLocks.rows()).toEqual([]));
  });
});
