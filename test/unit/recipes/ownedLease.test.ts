import { afterEach, describe, expect, it, vi } from 'vitest';
import { OwnedLease } from '../../../src/recipes/ownedLease.ts';
import { ZooKeeperError } from '../../../src/zookeeper/errors.ts';
import { eventually } from '../../support/eventually.ts';
import { FakeClient } from '../../support/fakeClient.ts';

async function ownNode(client: FakeClient): Promise<{ path: string; czxid: bigint }> {
  const { path, stat } = await client.create('/lock', { mode: 'ephemeral' });
  return { path, czxid: stat.czxid };
}

describe('a lease', () => {
  afterEach(() => void vi.useRealTimers());

  it.each(['lost', 'closed'] as const)('is lost from the start when its session is %s by then', async state => {
    const client = new FakeClient();
    const node = await ownNode(client);
    client.state = state;
    const lease = new OwnedLease(client, node, true);
    expect([lease.state, lease.signal.aborted, lease.stateCause?.kind]).toEqual(['lost', true, 'session']);
    expect(client.stateListenerCount).toBe(0);
  });

  it('is lost when it finds its session over without an event', async () => {
    const client = new FakeClient();
    const lease = new OwnedLease(client, await ownNode(client), true);
    client.state = 'lost';
    await eventually(() => expect([lease.state, lease.signal.aborted]).toEqual(['lost', true]));
    expect(lease.stateCause?.kind).toBe('session');
  });

  it('asks for confirmation by a quorum until it ends', async () => {
    const client = new FakeClient();
    const released = new OwnedLease(client, await ownNode(client), true);
    expect(client.quorumUsers).toBe(1);
    await released.release();
    expect(client.quorumUsers).toBe(0);
    const lost = new OwnedLease(client, await ownNode(client), true);
    client.lose();
    expect([lost.state, client.quorumUsers]).toEqual(['lost', 0]);
  });

  it('shows the latest reason of an outage, and reports each', async () => {
    const client = new FakeClient();
    const lease = new OwnedLease(client, await ownNode(client), true);
    const reported: unknown[] = [];
    lease.onState(state => reported.push([state, lease.stateCause]));
    const late = { kind: 'late' } as const;
    const failure = { host: 'a', port: 1, failure: 'read-only', detail: '' } as const;
    const lost = { kind: 'connection', failure } as const;
    client.disconnect(late);
    client.disconnect(lost);
    expect(reported).toEqual([
      ['uncertain', { kind: 'session', cause: late }],
      ['uncertain', { kind: 'session', cause: lost }],
    ]);
    client.reconnect();
    await eventually(() => expect([lease.state, lease.stateCause]).toEqual(['held', undefined]));
  });

  it('is not held by a reading that is answered in doubt, and reads again', async () => {
    vi.useFakeTimers();
    const client = new FakeClient();
    const lease = new OwnedLease(client, await ownNode(client), true);
    const reported: unknown[] = [];
    lease.onState(state => reported.push(state));
    const cause = { kind: 'unconfirmed' } as const;
    const read = vi.spyOn(client, 'getData');
    const answer = await client.getData(lease.path);
    read.mockImplementation(() => {
      client.disconnect(cause);
      return Promise.resolve(answer);
    });
    await vi.advanceTimersByTimeAsync(100);
    expect([lease.state, lease.stateCause]).toEqual(['uncertain', { kind: 'session', cause }]);
    read.mockRestore();
    // Trusted again before the doubt was reported: no change of state is.
    client.state = 'connected';
    expect([lease.state, reported]).toEqual(['uncertain', ['uncertain']]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([lease.state, reported]).toEqual(['held', ['uncertain', 'held']]);
  });

  it('reads its node until an overloaded server takes that, so that its end is noticed', async () => {
    vi.useFakeTimers();
    const client = new FakeClient();
    const node = await ownNode(client);
    const read = vi.spyOn(client, 'getData');
    const throttled = new ZooKeeperError(-127, 'getData', node.path);
    read.mockRejectedValueOnce(throttled).mockRejectedValueOnce(throttled);
    const lease = new OwnedLease(client, node, true);
    await vi.advanceTimersByTimeAsync(2_500);
    expect([read.mock.calls.length, lease.state]).toEqual([3, 'held']);
    client.drop(node.path);
    await vi.advanceTimersByTimeAsync(100);
    expect(lease.state).toBe('lost');
  });

  it('reads its node once for a change, however often the connection faltered before', async () => {
    vi.useFakeTimers();
    const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(100);
    const client = new FakeClient();
    const node = await ownNode(client);
    const lease = new OwnedLease(client, node, true);
    for (let blip = 0; blip < 50; blip += 1) {
      client.disconnect();
      client.reconnect();
      await settle();
    }
    expect(lease.state).toBe('held');
    const before = client.reads.length;
    client.change(node.path, 'x');
    await settle();
    expect(client.reads.slice(before)).toEqual([`getData ${node.path}`]);
    client.drop(node.path);
    await settle();
    expect(lease.state).toBe('lost');
  });
});
