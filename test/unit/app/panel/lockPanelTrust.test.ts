import type { OwnerFacts } from '../../../../src/inspector/owners/ownerFacts.ts';
import { ownerFacts } from './ownerAnswers.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { curatorMutex } from '../../../support/contenderNames.ts';
import type { FakeClient } from '../../../support/fakeClient.ts';
import { contender, queueOf, queueWith } from '../../extension/fixtures.ts';
import { lockPath, PanelUnderTest, wholeView } from './panelUnderTest.ts';
import { realInspector } from './realInspector.ts';

let test: PanelUnderTest;

describe('a lock panel after an outage', () => {
  let client: FakeClient;
  const node = (number: number): string => `${lockPath}/${curatorMutex(number)}`;

  beforeEach(async () => {
    test = new PanelUnderTest(realInspector);
    await test.browser.connect();
    client = test.clients[0]!;
    client.put(node(1), { owner: 1n });
    client.put(node(2), { owner: 2n });
    await test.open();
    await test.shows({ status: { state: 'live' } });
  });

  it('is not live before the queue was read again, and claims nothing of the time between', async () => {
    client.disconnect();
    await test.pass(600_000);
    client.drop(node(1));
    let goOn = (): void => undefined;
    client.beforeReply = () => new Promise<void>(resolve => (goOn = resolve));
    client.reconnect();
    await test.pass(1_000);
    expect(test.last.status.state).toBe('loading');
    expect(test.last.history.unwatched).toEqual([{ from: expect.any(Number) as number }]);
    client.beforeReply = undefined;
    goOn();
    await test.shows({ status: { state: 'live' }, totals: { contenders: 1, holders: 1 } });
    expect(test.last.history.figures).toMatchObject({ handOvers: 0 });
    expect(test.last.history.holds.at(-1)).toMatchObject({ isFromBefore: true });
    const [span] = test.last.history.unwatched;
    expect((span?.until ?? 0) - (span?.from ?? 0)).toBeGreaterThanOrEqual(600_000);
  });

  it('is live again when nothing has changed meanwhile', async () => {
    client.disconnect();
    await test.pass(60_000);
    client.reconnect();
    await test.shows({ status: { state: 'live' }, totals: { contenders: 2 } });
    expect(test.last.history.unwatched).toHaveLength(1);
  });

  it('is live at once when the connection was only late: no event was missed', async () => {
    const reads = client.reads.length;
    client.disconnect();
    await test.pass(1_000);
    expect(test.last.status.state).toBe('disconnected');
    client.recover();
    await test.pass(1_000);
    expect(test.last.status).toEqual({ state: 'live' });
    expect(client.reads).toHaveLength(reads);
  });
});

/** The panel comes to the front again, and its page is ready. */
async function showAgain(): Promise<void> {
  test.page.show(true);
  test.page.say({ type: 'ready', view: wholeView });
  await test.pass(500);
}

describe('a lock panel that cannot see', () => {
  beforeEach(() => {
    test = new PanelUnderTest();
  });

  it('does not begin to watch when an answer comes while it is hidden', async () => {
    test.browser.setAttention({ expanded: true, visible: true, paused: false });
    await test.open(queueWith(1));
    let answer: (facts: OwnerFacts) => void = () => undefined;
    test.answers.findOwners = () => new Promise(resolve => (answer = resolve));
    test.page.say({ type: 'intent', intent: { kind: 'findOwners' } });
    await test.pass(1_000);
    test.page.show(false);
    await test.pass(1_000);
    answer(ownerFacts({ session: 0x100n, address: '10.0.0.7:51234' }));
    await test.pass(3_600_000);
    test.report(queueOf([contender('other', { role: 'holder', czxid: 99n })]));
    test.page.show(true);
    test.page.say({ type: 'ready', view: wholeView });
    await test.pass(1_000);
    const [span] = test.last.history.unwatched;
    expect((span?.until ?? 0) - (span?.from ?? 0)).toBeGreaterThanOrEqual(3_600_000);
    expect(test.last.history.figures.handOvers).toBe(0);
  });

  it('is not live without a row', async () => {
    await test.open(queueWith(1));
    test.browser.node.locks.delete(lockPath);
    await test.pass(20_000);
    expect(test.last.status.state).toBe('loading');
  });

  const ways = {
    pause: (): void => {
      test.state.paused = true;
      test.browser.setAttention({ expanded: false, visible: true, paused: true });
    },
    disconnect: (): void => void test.browser.disconnect(),
    outage: (): void => test.clients[0]!.disconnect(),
    loss: (): void => test.clients[0]!.lose(),
  };

  it.each(['pause', 'disconnect'] as const)(
    'shows when the picture was last current, not when it changed last: %s',
    async way => {
      await test.open(queueWith(1));
      await test.pass(3 * 3_600_000);
      const until = test.clock;
      test.clients[0]!.lastContactAt = until;
      ways[way]();
      await test.pass(60_000);
      expect(test.last.status).toMatchObject({ state: 'disconnected', lastContact: until });
    },
  );

  it.each(['pause', 'disconnect', 'outage', 'loss'] as const)(
    'shows no later time than that of the last contact: %s',
    async way => {
      await test.open(queueWith(1));
      await test.pass(3_600_000);
      const contact = test.clock - 4_000;
      test.clients[0]!.lastContactAt = contact;
      ways[way]();
      await test.pass(50);
      expect(test.last.status).toMatchObject({ state: 'disconnected', lastContact: contact });
    },
  );

  it.each(['outage', 'loss'] as const)('records nothing as watched after the last contact: %s', async way => {
    await test.open(queueWith(1));
    await test.pass(3_600_000);
    const contact = test.clock - 4_000;
    test.clients[0]!.lastContactAt = contact;
    ways[way]();
    await test.pass(50);
    expect(test.last.history.unwatched).toEqual([{ from: contact }]);
  });

  it('records as watched what it watched until it was hidden, however long the cluster had nothing to say', async () => {
    await test.open(queueWith(1));
    await test.pass(3_600_000);
    const hidden = test.clock;
    test.clients[0]!.lastContactAt = hidden - 4_000;
    test.page.show(false);
    await test.pass(1_000);
    await showAgain();
    expect(test.last.history.unwatched).toMatchObject([{ from: hidden }]);
  });

  it('shows when it was hidden if the cluster was disconnected meanwhile', async () => {
    await test.open(queueWith(1));
    await test.pass(3_600_000);
    const until = test.clock;
    test.clients[0]!.lastContactAt = until;
    test.page.show(false);
    await test.pass(3_600_000);
    await test.browser.disconnect();
    await showAgain();
    expect(test.last.status).toMatchObject({ state: 'disconnected', lastContact: until });
  });
});
