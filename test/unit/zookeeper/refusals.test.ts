import { describe, expect, it } from 'vitest';
import type { ServerAddress } from '../../../src/zookeeper/connectString.ts';
import { parseStatus, Refusals, type ServerStatus } from '../../../src/zookeeper/refusals.ts';

const [a, b, c] = ['a', 'b', 'c'].map(host => ({ host, port: 1 })) as [ServerAddress, ServerAddress, ServerAddress];
const behind = { mode: 'follower', zxid: 9n };

function refusals() {
  const state: { now: number; answer: ServerStatus | undefined } = { now: 0, answer: undefined };
  const all = new Refusals(
    () => Promise.resolve(state.answer),
    () => state.now,
  );
  return {
    all,
    at: (now: number) => (state.now = now),
    answers: async (server: ServerAddress, answer: ServerStatus | undefined) => {
      state.answer = answer;
      return all.judge(server, 10n, 100);
    },
  };
}

describe('what a server says', () => {
  it.each<[string, ServerStatus | undefined, object, boolean, RegExp]>([
    ['read-only', { mode: 'read-only', zxid: 1n }, { failure: 'read-only' }, true, /it has lost its quorum/],
    ['a lone server behind', { mode: 'standalone', zxid: 9n }, { failure: 'behind' }, true, /0x9.*0xa.*wiped/],
    ['a leader behind', { mode: 'leader', zxid: 9n }, { failure: 'behind' }, true, /wiped or restored/],
    ['a follower behind', behind, { failure: 'closed', reason: 'not-caught-up' }, true, /0x9.*0xa.*not caught up/],
    ['an observer behind', { ...behind, mode: 'observer' }, { reason: 'not-caught-up' }, true, /not caught up/],
    ['level with us', { mode: 'follower', zxid: 10n }, { failure: 'closed', reason: 'hung-up' }, false, /handshake/],
    ['not serving', 'not serving', { failure: 'closed', reason: 'not-serving' }, true, /no quorum/],
    ['nothing listens any more', 'gone', { failure: 'closed', reason: 'hung-up' }, false, /handshake/],
    ['mute', undefined, { failure: 'closed', reason: 'mute' }, false, /TLS/],
  ])('%s', async (_, answer, expected, isNews, detail) => {
    const { answers } = refusals();
    const { cause, ...verdict } = await answers(a, answer);
    expect(verdict).toEqual({ isNews });
    expect(cause).toMatchObject(expected);
    expect(cause.detail).toMatch(detail);
  });

  it('is news once in an outage, and when it changes', async () => {
    const { all, answers } = refusals();
    expect(await answers(a, 'not serving')).toMatchObject({ isNews: true });
    expect(await answers(a, 'not serving')).toMatchObject({ isNews: false });
    expect(await answers(b, 'not serving')).toMatchObject({ isNews: true });
    expect(await answers(a, { mode: 'read-only', zxid: 1n })).toMatchObject({ isNews: true });
    all.clear();
    expect(await answers(b, 'not serving')).toMatchObject({ isNews: true });
  });

  it('is the cause of later refusals for some seconds, not for a whole outage', async () => {
    const { all, at, answers } = refusals();
    expect(all.refused(a)).toMatchObject({ failure: 'closed', reason: 'hung-up' });
    await answers(a, { mode: 'read-only', zxid: 1n });
    at(9_999);
    expect(all.refused(a)).toMatchObject({ failure: 'read-only' });
    expect(all.refused(b)).toMatchObject({ reason: 'hung-up' });
    at(10_000);
    expect(all.refused(a)).toMatchObject({ reason: 'hung-up' });
  });
});

describe('a server is asked', () => {
  it('after two refusals, each time', async () => {
    const { all, at, answers } = refusals();
    const refused = () => {
      all.refused(a);
      return all.isToBeAsked(a, 0);
    };
    expect([refused(), refused(), refused()]).toEqual([false, true, true]);
    await answers(a, undefined);
    expect([refused(), refused()]).toEqual([false, false]);
    at(10_000);
    expect(all.isToBeAsked(a, 0)).toBe(true);
    await answers(a, undefined);
    // Even where the next visit comes later than the answer is good for, attempts come between the questions.
    at(25_000);
    expect([all.isToBeAsked(a, 0), refused(), refused()]).toEqual([false, false, true]);
    expect(all.isToBeAsked(b, 0)).toBe(false);
  });

  it('when it has refused for some time, where that is wanted', () => {
    const { all, at } = refusals();
    at(1_000);
    for (let time = 0; time < 5; time++) all.refused(a);
    at(3_999);
    expect(all.isToBeAsked(a, 3_000)).toBe(false);
    at(4_000);
    expect(all.isToBeAsked(a, 3_000)).toBe(true);
    all.clear();
    expect(all.isToBeAsked(a, 0)).toBe(false);
  });
});

describe('an older cluster', () => {
  const leader = { mode: 'leader', zxid: 9n };
  it.each<[string, (ServerStatus | undefined)[], boolean]>([
    ['a lone server is behind', [{ mode: 'standalone', zxid: 9n }], true],
    ['all are behind, the leader among them', [behind, leader, behind], true],
    ['a follower is behind', [behind], false],
    ['all that are known are behind, and none of them leads', [behind, { mode: 'observer', zxid: 1n }], false],
    ['the leader is not behind', [behind, { mode: 'leader', zxid: 10n }], false],
    ['a follower is not behind', [leader, { mode: 'follower', zxid: 10n }], false],
    ['one does not serve', [leader, 'not serving'], false],
    ['one is mute', [leader, undefined], false],
  ])('%s', async (_, statuses, expected) => {
    const { all, answers } = refusals();
    const servers = [a, b, c].slice(0, statuses.length);
    for (const [index, server] of servers.entries()) {
      expect(all.showOlderCluster(servers)).toBe(false);
      await answers(server, statuses[index]);
    }
    expect(all.showOlderCluster(servers)).toBe(expected);
  });

  it('shows when all say so within one round of visits', async () => {
    const { all, at, answers } = refusals();
    await answers(a, leader);
    at(10_000);
    await answers(b, behind);
    expect(all.showOlderCluster([a, b])).toBe(true);
    at(10_001);
    expect(all.showOlderCluster([a, b])).toBe(false);
    at(12_000);
    const many = [a, b, a, b];
    expect(all.showOlderCluster(many)).toBe(true);
    at(12_001);
    expect(all.showOlderCluster(many)).toBe(false);
  });
});

describe('srvr reports', () => {
  it.each<[string, ServerStatus | undefined]>([
    [
      'Zookeeper version: 3.8.0\nZxid: 0x10000000a\nMode: follower\nNode count: 5\n',
      { mode: 'follower', zxid: 0x10000000an },
    ],
    ['Zxid: 0xffffffffffffffff\nMode: read-only\n', { mode: 'read-only', zxid: -1n }],
    ['This ZooKeeper instance is not currently serving requests\n', 'not serving'],
    ['srvr is not executed because it is not in the whitelist.\n', undefined],
    ['HTTP/1.1 400 Bad Request\r\n', undefined],
    ['Zxid: 0x123456789012345678\nMode: follower\n', undefined],
    [`Mode: ${'x'.repeat(100)}\nZxid: 0x1\n`, undefined],
    ['', undefined],
  ])('%j', (report, status) => {
    expect(parseStatus(report)).toEqual(status);
  });
});
