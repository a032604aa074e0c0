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

interface Joining {
  /** How often the Clusters view was drawn again. */
  redraws: number;
  /** `wanted`: the next rows wait for the next time that the Clusters view is drawn again; `missed`: that came first, or not at all. */
  rows: 'as sent' | 'wanted' | 'held' | 'joined' | 'missed';
}

/** What passes from the extension host to the window is a stream: it may arrive in other pieces than it was sent in. */
async function joinMessages(): Promise<void> {
  await workbench.page.addInitScript(() => {
    const joining: Joining = { redraws: 0, rows: 'as sent' };
    Object.assign(window, { joining });

    /** A window has several connections. Only the messages of the one to its extension host are joined. */
    const joined = (pass: (data: Blob) => void): ((bytes: ArrayBuffer) => void) => {
      let held: ArrayBuffer[] = [];
      const end = (rows: Joining['rows']): void => {
        if (held.length === 0) return;
        joining.rows = rows;
        pass(new Blob(held));
        held = [];
      };
      return bytes => {
        const text = new TextDecoder('latin1').decode(bytes);
        const isRedraw = text.includes('$refresh') && text.includes('zookeeperLocks.clusters');
        if (isRedraw) joining.redraws++;
        if (joining.rows === 'wanted' && text.includes('parentHandle')) {
          joining.rows = 'held';
          // The view is not drawn a second time while the rows of the first are under way.
          setTimeout(() => end('missed'), 2_000);
        } else if (held.length === 0) {
          if (isRedraw && joining.rows === 'wanted') joining.rows = 'missed';
          pass(new Blob([bytes]));
          return;
        }
        held.push(bytes);
        if (isRedraw) end('joined');
      };
    };

    window.WebSocket = class extends WebSocket {
      override addEventListener(type: string, listener: EventListenerOrEventListenerObject): void {
        this.binaryType = 'arraybuffer';
        const deliver = joined(data => {
          if (typeof listener === 'function') listener.call(this, new MessageEvent('message', { data }));
        });
        const take = (event: Event): void => {
          if (typeof listener !== 'function') return;
          if (event instanceof MessageEvent) deliver(event.data as ArrayBuffer);
          else listener.call(this, event);
        };
        super.addEventListener(type, take);
      }
    };
  });
}

async function joining(change: Partial<Joining> = {}): Promise<Joining> {
  return workbench.page.evaluate(
    given => Object.assign((window as unknown as { joining: Joining }).joining, given),
    change,
  );
}

/** Unfolds the cluster so that its rows arrive together with the news that the cluster is drawn again. */
async function unfold(): Promise<void> {
  const { redraws } = await joining();
  await tree.collapse('Orders');
  // It is watched no longer.
  await eventually(async () => expect((await joining()).redraws).toBeGreaterThan(redraws));
  await joining({ rows: 'wanted' });
  await tree.expand('Orders');
  await eventually(async () => expect((await joining()).rows).toMatch(/joined|missed/u));
  await tree.waitForRow(lockPath);
}

describe('rows that arrive together with the news that the row above is to be drawn again', () => {
  it('show what changes, and have their commands', async () => {
    // The news comes before the rows at times.
    await eventually(async () => {
      await unfold();
      expect((await joining()).rows).toBe('joined');
    }, 60_000);
    await queueUp();
    await tree.seeRow(lockPath, /1 waiting/u);
    const copied = (): Promise<string> => workbench.page.evaluate(() => navigator.clipboard.readText());
    await tree.chooseFromMenu(lockPath, 'Copy Path', () =>
      eventually(async () => expect(await copied()).toBe(lockPath)),
    );
  });
});
