import { beforeEach, describe, expect, it } from 'vitest';
import { ensureLock } from '../../../../src/app/clusters/lockCatalogue.ts';
import { eventually } from '../../../support/eventually.ts';
import type { FakeClient } from '../../../support/fakeClient.ts';
import { lockPath, PanelUnderTest, wholeView } from './panelUnderTest.ts';
import { realInspector } from './realInspector.ts';

const looking = { expanded: true, visible: true, paused: false };
let test: PanelUnderTest;
let client: FakeClient;

beforeEach(async () => {
  test = new PanelUnderTest(realInspector);
  await connect();
});

async function connect(): Promise<void> {
  await test.browser.connect();
  client = test.clients.at(-1)!;
  client.put(lockPath);
}

function take(name: string): void {
  client.put(`${lockPath}/${name}`, { owner: 0x77n, data: name });
}

/** The rows of the tree: name and number of contenders, if read. */
function rows(): string[] {
  return [...test.browser.node.locks.values()]
    .map(({ lockName, queue }) => `${String(lockName)} ${String(queue?.contenders.length)}`)
    .sort();
}

describe('the panel of a free lock that was opened by its path', () => {
  beforeEach(async () => {
    await test.open();
    await test.shows({ status: { state: 'empty' } });
  });

  it.each([
    ['generic', 'payments-0000000000'],
    ['Curator', '_c_3f1c7d2e-1111-2222-3333-444455556666-payments-0000000000'],
    ['named-lock', 'payments_lock_0000000000'],
  ])('shows the first contender, whatever name that gives the lock: %s', async (_, name) => {
    take(name);
    await test.shows({
      status: { state: 'live' },
      lock: { name: 'payments' },
      totals: { contenders: 1, holders: 1 },
    });
    expect(test.last.history).toMatchObject({ unwatched: [], holds: [{ isFromBefore: false }] });
  });

  it('follows that lock through release, and through another connection', async () => {
    take('payments-0000000000');
    await test.shows({ status: { state: 'live' } });
    client.drop(`${lockPath}/payments-0000000000`);
    await test.shows({ status: { state: 'empty' }, totals: { contenders: 0 } });
    await test.browser.disconnect();
    await connect();
    await test.shows({ status: { state: 'empty' }, totals: { contenders: 0 } });
    take('payments-0000000001');
    await test.shows({ status: { state: 'live' }, totals: { holders: 1 } });
  });

  it('says so when the path holds several locks, and shows none of them as its own', async () => {
    take('payments-0000000000');
    take('orders-0000000001');
    await test.shows({ status: { state: 'failed' } });
    expect(test.last.history.unwatched).toEqual([{ from: expect.any(Number) as number }]);
    client.drop(`${lockPath}/payments-0000000000`);
    client.drop(`${lockPath}/orders-0000000001`);
    await eventually(() => expect(rows()).toEqual(['orders 0', 'payments 0']));
    await test.pass(20_000);
    expect(test.last.status).toMatchObject({ state: 'failed' });
    expect(test.last.history.unwatched).toHaveLength(1);
  });

  it('is the panel of the lock that it follows', async () => {
    expect(test.panel.shows(test.lock)).toBe(true);
    take('payments-0000000000');
    await test.shows({ status: { state: 'live' } });
    const [named] = test.browser.node.locks.values();
    expect(test.panel.shows(named!)).toBe(true);
    expect(test.panel.shows(test.lock)).toBe(true);
    take('orders-0000000001');
    await test.shows({ status: { state: 'failed' } });
    expect(rows()).toEqual(['orders 1', 'payments 1']);
    expect([...test.browser.node.locks.values()].some(lock => test.panel.shows(lock))).toBe(false);
  });
});

describe('the panel of a lock with a name', () => {
  beforeEach(async () => {
    take('payments-0000000000');
    const named = ensureLock(test.browser.node, lockPath, 'payments', 'generic').lock;
    test.browser.node.locks.delete(lockPath);
    test.openOn(named);
    await test.open();
    await test.shows({ status: { state: 'live' }, totals: { holders: 1 } });
  });

  it('is that of a free lock when its path was opened again, and follows when there are contenders again', async () => {
    test.page.show(false);
    await test.browser.disconnect();
    test.browser.setAttention(looking);
    await connect();
    await test.browser.open(lockPath);
    await eventually(() => expect(rows()).toEqual(['undefined 0']));
    test.page.show(true);
    test.page.say({ type: 'ready', view: wholeView });
    await test.shows({
      status: { state: 'empty' },
      lock: { name: 'payments' },
      totals: { contenders: 0 },
    });
    take('payments-0000000001');
    await test.shows({ status: { state: 'live' }, totals: { holders: 1 } });
  });

  it('does not take another lock of its path for its own', async () => {
    await test.browser.disconnect();
    await connect();
    take('orders-0000000001');
    await eventually(() => expect(rows()).toEqual(['orders 1', 'payments 0']));
    await test.shows({
      status: { state: 'empty' },
      lock: { name: 'payments' },
      totals: { contenders: 0 },
    });
  });
});
