import { beforeEach, describe, expect, it } from 'vitest';
import { CancelledError, ZooKeeperError } from '../../../../src/zookeeper/errors.ts';
import { tableColumns, type NodeIdentity } from '../../../../src/protocol.ts';
import { contender, queueOf, queueWith } from '../../extension/fixtures.ts';
import { ownerFacts } from './ownerAnswers.ts';
import { lockPath, PanelUnderTest, settled, wholeView } from './panelUnderTest.ts';

const noAuth = -102;
let test: PanelUnderTest;

beforeEach(() => {
  test = new PanelUnderTest();
});

describe('LockPanel', () => {
  it('sends and watches nothing before the first message of the page', async () => {
    await test.browser.connect();
    await test.pass(1_000);
    test.page.say({ type: 'view', view: wholeView });
    await test.pass(1_000);
    expect(test.page.sent).toEqual([]);
    expect(test.watches.size).toBe(0);
  });

  it('answers with its texts, then the queue as it is', async () => {
    await test.open(queueWith(2));
    expect(test.page.sent.map(({ type }) => type)).toEqual(['texts', 'snapshot']);
    expect(test.last).toMatchObject({
      revision: 1,
      status: { state: 'live' },
      lock: { name: 'a', cluster: 'orders', isProduction: true, isReadOnly: false, dialect: 'Curator' },
      totals: { contenders: 3, holders: 1, waiters: 2 },
    });
    expect(test.last.picture.contenders.map(({ name }) => name)).toEqual(['worker-0', 'worker-1', 'worker-2']);
    expect(test.last.history).toMatchObject({ events: 2, unwatched: [] });
  });

  it('sends the next snapshot when the page has drawn the last, and then only the newest', async () => {
    await test.open(queueWith(2));
    test.page.isDrawing = false;
    test.report(queueWith(3));
    await test.pass(1_000);
    for (let waiters = 4; waiters < 9; waiters++) {
      test.report(queueWith(waiters));
      await test.pass(1_000);
    }
    expect(test.last).toMatchObject({ revision: 2, totals: { waiters: 3 } });
    test.page.draw();
    await test.pass(1_000);
    expect(test.last).toMatchObject({ revision: 3, totals: { waiters: 8 } });
  });

  it('does not wait for a page that was hidden before it drew', async () => {
    await test.open(queueWith(2));
    test.page.isDrawing = false;
    test.report(queueWith(3));
    await test.pass(1_000);
    test.page.show(false);
    test.page.show(true);
    test.page.say({ type: 'ready', view: wholeView });
    await test.pass(1_000);
    expect(test.last).toMatchObject({ revision: 3 });
  });

  it('claims nothing of the time in which the holder may not be read', async () => {
    const holder = contender('other', { role: 'holder', czxid: 99n });
    await test.open(queueOf([holder]));
    await test.pass(1_000);
    test.report(queueOf([contender('x')], { hazards: [{ kind: 'unreadable', names: ['h'] }] }));
    await test.pass(1_000);
    expect(test.last.status.state).toBe('live');
    expect(test.last.history.unwatched).toHaveLength(1);
    test.report(queueOf([contender('x', { role: 'holder' })]));
    await test.pass(1_000);
    expect(test.last.history.figures.handOvers).toBe(0);
    expect(test.last.history.unwatched).toMatchObject([{ until: expect.any(Number) as number }]);
  });

  it('sends at most ten snapshots a second, the last one right', async () => {
    await test.open(queueWith(1));
    const before = test.page.snapshots.length;
    for (let change = 0; change < 100; change++) {
      test.report(queueWith(change % 7));
      await test.pass(10);
    }
    await test.pass(100);
    expect(test.page.snapshots.length - before).toBeGreaterThanOrEqual(9);
    expect(test.page.snapshots.length - before).toBeLessThanOrEqual(11);
    expect(test.last.totals.contenders).toBe((99 % 7) + 1);
    expect(test.page.snapshots.map(({ revision }) => revision)).toEqual(test.page.snapshots.map((_, at) => at + 1));
  });

  it('costs nothing while it is hidden, and comes back with its history', async () => {
    await test.open(queueWith(1));
    await test.pass(1_000);
    test.page.show(false);
    expect(test.watches.size).toBe(0);
    const sent = test.page.sent.length;
    test.lock.queue = queueOf([contender('other', { role: 'holder', czxid: 99n })]);
    await test.pass(60_000);
    expect(test.page.sent).toHaveLength(sent);
    test.page.show(true);
    test.page.say({ type: 'ready', view: { ...wholeView, filter: 'worker' } });
    await test.pass(200);
    expect(test.watches.size).toBe(1);
    const [span] = test.last.history.unwatched;
    expect((span?.until ?? 0) - (span?.from ?? 0)).toBeGreaterThanOrEqual(60_000);
    expect(test.last.history.holds).toHaveLength(1);
    expect(test.last.table.matching).toBe(2);
  });

  it('shares the watch of the tree, and leaves it alone when it goes', async () => {
    test.browser.setAttention({ expanded: true, visible: true, paused: false });
    await test.open(queueWith(1));
    expect(test.browser.node.watched).toBe(1);
    test.panel.dispose();
    expect(test.watches.size).toBe(1);
    test.browser.setAttention({ expanded: false, visible: true, paused: false });
    expect(test.watches.size).toBe(0);
  });

  it('takes the place of a lock that only the tree shows when no more may be watched', async () => {
    test.limit = 1;
    test.browser.node.locks.delete(lockPath);
    test.browser.setAttention({ expanded: true, visible: true, paused: false });
    await test.browser.connect();
    await test.browser.open('/locks/0-first');
    await settled();
    expect([...test.watches.keys()]).toEqual(['/locks/0-first']);
    await test.open(queueWith(1));
    expect([...test.watches.keys()]).toEqual([lockPath]);
  });

  it('says so when no watch is left for it', async () => {
    test.limit = 0;
    await test.open(queueWith(1));
    expect(test.last.status).toMatchObject({ state: 'failed', text: expect.stringContaining('setting') as string });
  });

  it('keeps the last picture when the connection is gone, with the time of the last contact', async () => {
    await test.open(queueWith(2));
    test.clients[0]!.disconnect();
    await test.pass(200);
    expect(test.last.status).toMatchObject({ state: 'disconnected', lastContact: expect.any(Number) as number });
    expect(test.last.totals.contenders).toBe(3);
    expect(test.last.history.unwatched).toHaveLength(1);
    test.clients[0]!.reconnect();
    await test.pass(200);
    expect(test.last.status).toEqual({ state: 'live' });
  });

  it('replaces a lost session by itself, and reads the lock again', async () => {
    await test.open(queueWith(2));
    test.queues = [queueWith(4)];
    test.clients[0]!.lose();
    await test.pass(60_000);
    expect(test.clients.length).toBe(2);
    expect(test.last.status).toEqual({ state: 'live' });
    expect(test.last.totals.contenders).toBe(5);
  });

  it('keeps what it saw when the person disconnects the cluster, and goes on when it is back', async () => {
    await test.open(queueWith(2));
    await test.browser.disconnect();
    await test.pass(200);
    expect(test.last).toMatchObject({ status: { state: 'disconnected' }, totals: { contenders: 3 } });
    test.queues = [queueWith(1)];
    await test.browser.connect();
    await test.pass(200);
    expect(test.last).toMatchObject({ status: { state: 'live' }, totals: { contenders: 2 } });
  });

  it('watches nothing while live updates are paused', async () => {
    await test.open(queueWith(1));
    test.state.paused = true;
    test.browser.setAttention({ expanded: false, visible: true, paused: true });
    await test.pass(200);
    expect(test.watches.size).toBe(0);
    expect(test.last.status).toMatchObject({ state: 'disconnected', text: 'Live updates are paused.' });
  });

  it('distinguishes a lock without permission from one that cannot be read', async () => {
    test.failure = new ZooKeeperError(noAuth, 'getData', lockPath);
    await test.open();
    expect(test.last.status.state).toBe('denied');
    test.failure = new Error('broken');
    await test.browser.refresh(lockPath);
    await test.pass(200);
    expect(test.last.status).toMatchObject({ state: 'failed', text: expect.stringContaining('broken') as string });
  });

  it('distinguishes an empty lock from one that is gone', async () => {
    await test.browser.connect();
    test.clients[0]!.put(lockPath);
    await test.open();
    expect(test.last.status).toEqual({ state: 'empty' });
    test.clients[0]!.drop(lockPath);
    test.report(undefined);
    await test.pass(200);
    expect(test.last.status).toEqual({ state: 'gone' });
    test.report(queueWith(0));
    await test.pass(200);
    expect(test.last.status).toEqual({ state: 'live' });
  });

  it('says that its cluster is no longer in the list', async () => {
    await test.open(queueWith(1));
    test.isListed = false;
    test.registryChanged.fire(undefined);
    await test.pass(200);
    expect(test.last).toMatchObject({ status: { state: 'failed' }, totals: { contenders: 2 } });
  });

  it('drops what the page must not say', async () => {
    await test.open(queueWith(1));
    const sent = test.page.sent.length;
    for (const message of [undefined, 'ready', { type: 'intent', intent: { kind: 'eval' } }]) {
      test.page.say(message);
    }
    await test.pass(1_000);
    expect(test.page.sent).toHaveLength(sent);
    expect(test.asked).toEqual([]);
  });

  it('leaves no listener, watch or timer behind', async () => {
    await test.open(queueWith(1));
    test.panel.dispose();
    await test.pass(1_000);
    expect(test.listeners).toBe(0);
    expect(test.watches.size).toBe(0);
    const sent = test.page.sent.length;
    test.browser.node.locks.get(lockPath)!.queue = queueWith(3);
    await test.pass(1_000);
    expect(test.page.sent).toHaveLength(sent);
  });
});

/** What the page knows of a node that it shows. */
function shownAt(index: number): NodeIdentity {
  const { name, czxid } = test.last.table.rows[index]!;
  return { name, czxid };
}

describe('the intents', () => {
  const hostile = 'x](command:workbench.action.quit)\u202E\u0000';

  it('copy foreign text as it is, not as it is shown, and a row as one row without a formula', async () => {
    await test.open(
      queueOf([contender(hostile, { role: 'holder', identifier: `=1\t${hostile}`, path: `${lockPath}/${hostile}` })]),
    );
    const node = shownAt(0);
    expect(node.name).not.toBe(hostile);
    expect(await test.ask({ kind: 'copy', ...node, part: 'path' })).toMatchObject({ outcome: 'done' });
    await test.ask({ kind: 'copy', ...node, part: 'who' });
    await test.ask({ kind: 'copy', ...node, part: 'row' });
    expect(test.asked[0]).toEqual(['copy', `${lockPath}/${hostile}`]);
    expect(test.asked[1]).toEqual(['copy', `=1\t${hostile}`]);
    const cells = String(test.asked[2]?.[1]).split('\t');
    expect(cells).toHaveLength(tableColumns.length);
    expect(cells[2]).toBe(`'=1 ${hostile.replace('\u0000', ' ')}`);
  });

  it('go to the one way to delete, with the row of the node', async () => {
    await test.open(queueWith(2));
    expect(await test.ask({ kind: 'forceDelete', ...shownAt(1) })).toMatchObject({ outcome: 'done' });
    expect(test.asked).toMatchObject([
      ['forceDelete', { type: 'contender', position: 2, contender: { name: 'worker-1' }, ahead: { position: 1 } }],
    ]);
  });

  it('fail for a node that is not in the queue any more', async () => {
    await test.open(queueWith(2));
    const node = shownAt(1);
    test.report(queueWith(0));
    expect(await test.ask({ kind: 'forceDelete', ...node })).toMatchObject({ outcome: 'failed' });
    expect(test.asked).toEqual([]);
  });

  it('open the page of the session of a node, if one owns it', async () => {
    const owned = contender('a', { role: 'holder' });
    await test.open(queueOf([owned, contender('b', { ownerSession: 0n, czxid: 8n })]));
    expect(await test.ask({ kind: 'showSession', ...shownAt(0) })).toMatchObject({ outcome: 'done' });
    expect(test.asked).toMatchObject([['showSession', { contender: { ownerSession: owned.ownerSession } }]]);
    expect(await test.ask({ kind: 'showSession', ...shownAt(1) })).toMatchObject({ outcome: 'failed' });
    expect(test.asked).toHaveLength(1);
  });

  it.each([{ kind: 'forceDelete' }, { kind: 'showNodeData' }, { kind: 'copy', part: 'who' }] as const)(
    'fail for a node that was deleted and created again: $kind',
    async intent => {
      await test.open(queueOf([contender('leader', { role: 'holder', czxid: 1n, identifier: 'dead-host' })]));
      const node = shownAt(0);
      test.report(queueOf([contender('leader', { role: 'holder', czxid: 2n, identifier: 'healthy-host' })]));
      expect(await test.ask({ ...intent, ...node })).toMatchObject({
        outcome: 'failed',
        text: expect.stringContaining('no longer in the queue') as string,
      });
      expect(test.asked).toEqual([]);
    },
  );

  it.each(['forceDelete', 'showNodeData'] as const)(
    'fail with advice when the cluster was removed from the list: %s',
    async kind => {
      await test.open(queueWith(2));
      expect(test.last.lock.isRemoved).toBe(false);
      test.isListed = false;
      test.registryChanged.fire(undefined);
      await test.pass(200);
      expect(test.last).toMatchObject({ status: { state: 'failed' }, lock: { isRemoved: true } });
      expect(await test.ask({ kind, ...shownAt(1) })).toMatchObject({
        outcome: 'failed',
        text: expect.stringMatching(/^This row is gone/) as string,
      });
      expect(test.asked).toEqual([]);
    },
  );

  it('say that the person cancelled, or what went wrong', async () => {
    await test.open(queueWith(0));
    test.answers.save = () => Promise.reject(new CancelledError('Save'));
    expect(await test.ask({ kind: 'saveHistory', format: 'csv' })).toEqual({
      type: 'outcome',
      outcome: 'cancelled',
    });
    test.answers.save = () => Promise.reject(new Error('disk full'));
    const failed = await test.ask({ kind: 'saveHistory', format: 'json' });
    expect(failed).toMatchObject({ outcome: 'failed', text: expect.stringContaining('disk full') as string });
    expect(test.asked[1]?.slice(0, 3)).toEqual(['save', 'a-history.json', 'json']);
  });

  it('fill the address column once the owners are found', async () => {
    await test.open(queueOf([contender('a', { role: 'holder', ownerSession: 0x5n })]));
    test.answers.findOwners = () => Promise.resolve(ownerFacts({ session: 0x5n, address: '10.0.0.7:51234' }));
    expect(await test.ask({ kind: 'findOwners' })).toMatchObject({ outcome: 'done' });
    await test.pass(200);
    expect(test.last.table.rows[0]?.cells.address).toBe('10.0.0.7:51234');
    expect(test.last.answer.holders[0]).toMatchObject({ address: '10.0.0.7:51234', seen: { isAlive: true } });
    test.answers.findOwners = () => Promise.resolve(ownerFacts());
    expect(await test.ask({ kind: 'findOwners' })).toMatchObject({ outcome: 'failed' });
  });

  it('pause and clear the history', async () => {
    await test.open(queueWith(0));
    await test.ask({ kind: 'pauseHistory', paused: true });
    test.report(queueWith(5));
    await test.pass(200);
    expect(test.last.history).toMatchObject({ isPaused: true, figures: { longestQueue: 1 } });
    await test.ask({ kind: 'pauseHistory', paused: false });
    await test.pass(200);
    expect(test.last.history).toMatchObject({ isPaused: false, figures: { longestQueue: 6 } });
    await test.ask({ kind: 'clearHistory' });
    await test.pass(200);
    expect(test.last.history).toMatchObject({ events: 2, unwatched: [], holds: [{ isFromBefore: true }] });
  });

  it('reconnect and explain the lock of the panel', async () => {
    await test.open(queueWith(0));
    await test.ask({ kind: 'reconnect' });
    await test.ask({ kind: 'explain' });
    expect(test.asked).toMatchObject([
      ['reconnect', { path: lockPath }],
      ['explain', { path: lockPath }],
    ]);
  });
});
