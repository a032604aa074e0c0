import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startObserver, type Observer } from '../support/observer.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../support/zookeeperServer.ts';
import { acquireMutex } from './support/acquireMutex.ts';
import { keepTraceOfFailures } from './support/failureTrace.ts';
import type { TreeView } from './support/tree.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

const path = '/locks/pay';

let ensemble: ZooKeeperEnsemble;
let observer: Observer;
let workbench: Workbench;
let testLocks: TreeView;

beforeAll(async () => {
  ensemble = await startZooKeeper();
  const { connectString } = ensemble;
  observer = await startObserver(connectString);
  await observer.ensure(path);
  workbench = await openWorkbench({
    settings: {
      'zookeeperLocks.clusters': [{ id: 'orders', name: 'Orders', connectString, environment: 'development' }],
    },
    viewport: { width: 1400, height: 900 },
  });
  testLocks = workbench.tree('Test Locks');
  await workbench.openContainer('ZooKeeper Locks');
});

keepTraceOfFailures(() => workbench);

afterAll(async () => {
  await workbench.close();
  await observer.stop();
  await ensemble.stop();
});

async function allow(permissions: string): Promise<void> {
  await observer.setAcl(path, [{ scheme: 'world', id: 'anyone', permissions }]);
}

async function seeTestLock(description: RegExp): Promise<void> {
  await eventually(async () => {
    expect(await testLocks.rows()).toMatchObject([{ description: expect.stringMatching(description) as string }]);
  });
}

async function seeNothingLeft(): Promise<void> {
  await eventually(async () => {
    expect([await testLocks.rows(), await observer.ls(path)]).toEqual([[], []]);
  });
}

/** Asks for the lock once, while `permissions` hold on its directory. */
async function startMutex(permissions: string): Promise<void> {
  await allow(permissions);
  await acquireMutex(workbench, path);
}

/** Takes the lock, and may not delete its node then. */
async function acquireForGood(): Promise<void> {
  await startMutex('cdrwa');
  await seeTestLock(/^held/);
  await allow('cra');
}

describe('a test lock that the server does not let go', () => {
  it('says so, and is released by the same button once that is allowed', async () => {
    await acquireForGood();
    await testLocks.pressInline(path, 'Release', () => seeTestLock(/^not released: /));
    expect(await observer.ls(path)).toHaveLength(1);
    await eventually(async () =>
      expect(await testLocks.menu(path)).toEqual(expect.arrayContaining(['Release', 'Dismiss'])),
    );
    await workbench.screenshot('test-locks-not-released');
    await allow('cdrwa');
    await testLocks.pressInline(path, 'Release', seeNothingLeft);
  });

  it('does not stay in the queue either when it was not acquired', async () => {
    const blocker = await observer.create(`${path}/_c_7f3b2f0e-6a2c-4f0e-9d3b-1f0f9d1f2a3b-lock-`, {
      sequence: true,
    });
    await startMutex('cra');
    await eventually(async () => expect((await workbench.notifications()).join('\n')).toContain('is not free'));
    await eventually(async () => expect((await observer.ls(path)).map(node => node.path)).toEqual([blocker]));
    await eventually(async () => expect(await testLocks.rows()).toEqual([]));
    await allow('cdrwa');
    await observer.delete(blocker);
  });

  it('is counted when its cluster is to be removed, and goes with the session when it is dismissed', async () => {
    await acquireForGood();
    await testLocks.pressInline(path, 'Release', () => seeTestLock(/^not released: /));
    await workbench.runCommand('ZooKeeper Locks: Remove Cluster…');
    expect(await workbench.dialogText()).toContain('Test locks that end: 1.');
    await workbench.pressDialogButton('Cancel');
    await testLocks.pressInline(path, 'Dismiss', seeNothingLeft);
  });
});
