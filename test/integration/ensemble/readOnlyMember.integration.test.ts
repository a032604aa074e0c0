import { expect, it } from 'vitest';
import { createLock } from '../../../src/recipes/createLock.ts';
import type { SessionState } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { eventually } from '../../support/eventually.ts';
import { connectAt, useEnsemble } from '../../support/useEnsemble.ts';

// A member without word from the others gives up after 3 s, while it joins a leader after 2 s.
const ensemble = useEnsemble({
  breakableLinks: true,
  tickTime: 200,
  config: { syncLimit: 15, initLimit: 10 },
  systemProperties: { 'readonlymode.enabled': 'true' },
});

it(
  'F6 a member that lost the others is read-only: sessions leave it, the majority serves them',
  { timeout: 90_000 },
  async () => {
    const leader = await ensemble().complete();
    const alone = (leader + 1) % 3;
    const name = `127.0.0.1:${ensemble().ports[alone]!}`;
    const client = await connectAt(ensemble(), alone, { sessionTimeoutMs: 12_000 });
    const states: SessionState[] = [];
    client.onState(({ state }) => states.push(state));
    const lease = await createLock(client, '/locks/alone', { recipe: 'mutex' }).acquire({ timeoutMs: 10_000 });
    try {
      await ensemble().links.cutOff(alone);
      await eventually(() => expect(client.server).not.toBe(name), 20_000);
      await eventually(() => expect([client.state, lease.state]).toEqual(['connected', 'held']), 20_000);
      await eventually(async () => expect(await ensemble().mode(alone)).toBe('read-only'), 20_000);

      await expect(connect(name)).rejects.toMatchObject({ causes: [{ failure: 'read-only' }] });
      // Whichever comes first in the list.
      for (let order = 0; order < 4; order++) {
        const other = await connect(ensemble().connectString);
        expect((await other.exists(lease.path))?.ephemeralOwner).toBe(client.sessionId);
        await other.close();
      }
      expect(lease.state).toBe('held');

      await ensemble().links.heal();
      await eventually(async () => expect(await ensemble().mode(alone)).toBe('follower'), 20_000);
      const healed = await connect(name);
      expect((await healed.exists(lease.path))?.ephemeralOwner).toBe(client.sessionId);
      await healed.close();
      expect(states).not.toContain('lost');
    } finally {
      await ensemble().links.heal();
      await lease.release();
      await client.close();
    }
  },
);
