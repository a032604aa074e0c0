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
/** How often the Clusters view was drawn again. */
let redraws = 0;
/** Whether the next rows of locks wait for the next time that the Clusters view is drawn again. */
let joins = false;
let held: Buffer | undefined;

const lockPath = '/orders/invoice';

beforeAll(async () => {
  ensemble = await startZooKeeper();
  observer = await startObserver(ensemble.connectString);
  await observer.ensure(lockPath);
  await queueUp();
  const cluster = { id: 'orders', name: 'Orders', connectString: ensemble.connectString, lockRoots: ['/orders'] };
  workbench = await openWorkbench({ settings: { 'zookeeperLocks.clusters': [cluster] } });
  await joinMessages();
  await workbench.reload();
  tree = workbench.tree('Clusters');
  await workbench.openContainer('ZooKeeper Locks');
  await tree.expand('Orders');
  await tree.waitForRow(lockPath);
});

keepTraceOfFailures(() => workbench);

afterAll(async () => {
  await workbench.close();
  await observer.stop();
  await ensemble.stop();
});

async function queueUp(): Promise<void> {
  await observer.create(`${lockPath}/lock-`, { data: 'worker', ephemeral: true, sequence: true });
}

/** What passes from the extension host to the window is a stream: it may arrive in other pieces than it was sent in. */
async function joinMessages(): Promise<void> {
  await workbench.page.routeWebSocket(/./u, window => {
    window.connectToServer().onMessage(message => {
      const text = message.toString('latin1');
      const isRedraw = text.includes('$refresh') && text.includes('zookeeperLocks.clusters');
      if (isRedraw) redraws++;
      if (held !== undefined && typeof message !== 'string') {
        held = Buffer.concat([held, message]);
        if (!isRedraw) return;
        window.send(held);
        [held, joins] = [undefined, false];
      } else if (joins && typeof message !== 'string' && text.includes('parentHandle')) held = message;
      else window.send(message);
    });
  });
}

describe('rows that arrive together with the news that the row above is to be drawn again', () => {
  it('show what changes, and have their commands', async () => {
    const before = redraws;
    await tree.collapse('Orders');
    // It is watched no longer.
    await eventually(() => expect(redraws).toBeGreaterThan(before));
    joins = true;
    await tree.expand('Orders');
    await eventually(() => expect(joins).toBe(false));
    await queueUp();
    await tree.seeRow(lockPath, /1 waiting/u);
    await tree.chooseFromMenu(lockPath, 'Show Queue', () => new LockPanelPage(workbench.page).seeLock(lockPath));
  });
});
