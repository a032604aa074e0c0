import { describe, expect, it } from 'vitest';
import { OwnedLease } from '../../../src/recipes/ownedLease.ts';
import { eventually } from '../../support/eventually.ts';
import { FakeClient } from '../../support/fakeClient.ts';

async function ownNode(client: FakeClient): Promise<{ path: string; czxid: bigint }> {
  const { path, stat } = await client.create('/lock', { mode: 'ephemeral' });
  return { path, czxid: stat.czxid };
}

describe('a lease', () => {
  it.each(['lost', 'closed'] as const)('is lost from the start when its session is %s by then', async state => {
    const client = new FakeClient();
    const node = await ownNode(client);
    client.state = state;
    const lease = new OwnedLease(client, node, true);
    expect([lease.state, lease.signal.aborted, lease.stateCause?.kind]).toEqual(['lost', true, 'session']);
    expect(client.stateListenerCount).toBe(0);
  });

  it('is lost when it finds its session over without having been told', async () => {
    const client = new FakeClient();
    const lease = new OwnedLease(client, await ownNode(client), true);
    client.state = 'lost';
    await eventually(() => expect([lease.state, lease.signal.aborted]).toEqual(['lost', true]));
    expect(lease.stateReason).not.toBe('');
  });
});
