import { describe, expect, it } from 'vitest';
import { parseStatus, Refusals, type ServerStatus } from '../../../src/zookeeper/refusals.ts';

const a = { host: 'a', port: 1 };
const b = { host: 'b', port: 2 };

function refusals(answer: ServerStatus | undefined) {
  const state = { now: 0, asked: 0, answer };
  const ask = () => {
    state.asked += 1;
    return Promise.resolve(state.answer);
  };
  return { state, refusals: new Refusals(ask, () => state.now) };
}

describe('verdicts', () => {
  it.each<[string, ServerStatus | undefined, object, boolean, RegExp]>([
    ['read-only', { mode: 'read-only', zxid: 1n }, { failure: 'read-only' }, true, /it has lost its quorum/],
    ['behind', { mode: 'standalone', zxid: 9n }, { failure: 'behind' }, true, /0x9.*0xa/],
    ['level with us', { mode: 'follower', zxid: 10n }, { failure: 'closed', reason: 'hung-up' }, false, /handshake/],
    ['not serving', 'not serving', { failure: 'closed', reason: 'not-serving' }, true, /no quorum/],
    ['mute', undefined, { failure: 'closed', reason: 'mute' }, false, /TLS/],
  ])('%s', async (_, answer, cause, isCertain, detail) => {
    const verdict = await refusals(answer).refusals.judge(a, 10n, 100);
    expect(verdict).toMatchObject({ ...cause, isCertain });
    expect(verdict.detail).toMatch(detail);
  });
});

it('asks once per outage; servers that could not say are asked again later', async () => {
  const { state, refusals: certain } = refusals({ mode: 'read-only', zxid: 1n });
  await certain.judge(a, 1n, 100);
  state.now = 60_000;
  expect(certain.isJudged(a)).toBe(true);
  expect(certain.isJudged(b)).toBe(false);
  certain.clear();
  expect(certain.isJudged(a)).toBe(false);

  const { state: time, refusals: unsure } = refusals(undefined);
  await unsure.judge(a, 1n, 100);
  time.now = 2_999;
  expect(unsure.isJudged(a)).toBe(true);
  time.now = 3_000;
  expect(unsure.isJudged(a)).toBe(false);
});

it('calls a cluster wiped only when every server is behind', async () => {
  const { state, refusals: all } = refusals({ mode: 'standalone', zxid: 1n });
  await all.judge(a, 2n, 100);
  expect(all.areAllBehind([a, b])).toBe(false);
  expect(all.areAllBehind([a])).toBe(true);
  state.answer = { mode: 'follower', zxid: 2n };
  await all.judge(b, 2n, 100);
  expect(all.areAllBehind([a, b])).toBe(false);
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
