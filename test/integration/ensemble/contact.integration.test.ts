import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { createLock } from '../../../src/recipes/createLock.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { eventually } from '../../support/eventually.ts';
import { JsonLines } from '../../support/jsonLines.ts';
import { lateness } from '../../support/lateness.ts';
import type { LeaseLook } from '../../support/leaseLook.ts';
import { startTcpProxy } from '../../support/tcpProxy.ts';
import { useEnsemble } from '../../support/useEnsemble.ts';
import { granted, healed, hold, machineNow, members, overlapOf, queueKazoo, type WatchedLease } from './twoHolders.ts';

const clients: ZooKeeperClient[] = [];

// Servers that are cut off notice it after a minute only: until then they answer their clients.
const ensemble = useEnsemble({
  breakableLinks: true,
  tickTime: 200,
  // A first election that comes to nothing ends with the initLimit, 3 s, and is repeated.
  config: { syncLimit: 300, initLimit: 15 },
});
afterEach(async () => {
  for (const server of ensemble().servers) server.resume();
  await Promise.all(clients.splice(0).map(client => client.close()));
});

const portOf = (index: number): number => ensemble().ports[index]!;

/** Our contender at other members, in line behind the holder. */
async function queueUp(ports: readonly number[], path: string): Promise<{ taking: Promise<number> }> {
  const client = await connect(ports.map(port => `127.0.0.1:${port}`).join(','), { sessionTimeoutMs: 30_000 });
  clients.push(client);
  const waits = Promise.withResolvers<undefined>();
  const lock = createLock(client, path, { recipe: 'mutex', dialect: 'curator' });
  const taking = lock.acquire({ onWaiting: () => waits.resolve(undefined) }).then(() => machineNow());
  await Promise.race([waits.promise, taking]);
  return { taking };
}

describe('L34 the lease of a session that the leader no longer hears of is not held when another client gets the lock', () => {
  it('a follower is cut off from its leader', async () => {
    const { leader, followers } = await members(ensemble());
    const ours = await hold([portOf(followers[0])], 3_000, '/cut-off');
    const kazoo = await queueKazoo([portOf(leader), portOf(followers[1])], '/cut-off');
    try {
      await eventually(() => expect(ours.state).toBe('held'));
      await ensemble().links.cutBetween(followers[0], leader);
      expect(overlapOf(ours.looks, await granted(kazoo, 20_000))).toBeLessThan(0);
      expect(ours.sessionStates[0]).toMatch(/^uncertain/);
    } finally {
      await kazoo.stop();
      await ours.end();
      await healed(ensemble());
    }
  });

  it('a leader is cut off, and the restarted followers elect another one', { timeout: 120_000 }, async () => {
    const { leader, followers } = await members(ensemble());
    const ours = await hold([portOf(leader)], 3_000, '/deposed');
    const kazoo = await queueKazoo(followers.map(portOf), '/deposed');
    try {
      await eventually(() => expect(ours.state).toBe('held'));
      await ensemble().links.partition([[leader], followers]);
      const others = followers.map(index => ensemble().servers[index]!);
      await Promise.all(others.map(server => server.kill()));
      await Promise.all(others.map(server => server.launch()));
      const grantedAt = await granted(kazoo, 45_000);
      // It has not noticed: it answers its clients, a sync too.
      expect(await ensemble().mode(leader)).toBe('leader');
      expect(overlapOf(ours.looks, grantedAt)).toBeLessThan(0);
    } finally {
      await kazoo.stop();
      await ours.end();
      await healed(ensemble());
    }
  });

  it('this program is stopped for half of its timeout, gets one answer, and then its server freezes', async () => {
    const { leader, followers } = await members(ensemble());
    const proxy = await startTcpProxy(portOf(followers[0]));
    const program = fileURLToPath(new URL('../../support/leaseProgram.ts', import.meta.url));
    const args = [program, `127.0.0.1:${proxy.port}`, '6000', '/stopped'];
    const stopped = new JsonLines('lease program', process.execPath, args);
    const looks = async (): Promise<LeaseLook[]> => (await stopped.request('looks')) as LeaseLook[];
    try {
      // It answers once it holds.
      await looks();
      const { taking } = await queueUp([portOf(leader), portOf(followers[1])], '/stopped');
      stopped.pause();
      await new Promise(resolve => setTimeout(resolve, 3_000));
      let answeredAt = 0;
      proxy.onReply(() => {
        ensemble().servers[followers[0]]!.pause();
        if (answeredAt === 0) answeredAt = machineNow();
        return 'forward';
      });
      stopped.resume();
      const grantedAt = await taking;
      expect(answeredAt).toBeGreaterThan(0);
      expect(overlapOf(await looks(), grantedAt)).toBeLessThan(0);
    } finally {
      stopped.resume();
      await stopped.close();
      ensemble().servers[followers[0]]!.resume();
      await proxy.close();
      await healed(ensemble());
    }
  });
});

it('leases of a healthy ensemble stay held under load', async () => {
  const sessionTimeoutMs = 4_000;
  const late = lateness();
  const all = await Promise.all(
    [0, 1, 2].map(index => hold([portOf(index)], sessionTimeoutMs, `/healthy-${String(index)}`)),
  );
  try {
    const until = machineNow() + 5 * sessionTimeoutMs;
    await Promise.all(all.map(each => load(each, until)));
    // A stop of this process of a quarter of the timeout leaves too little room for the rest.
    if (late() < sessionTimeoutMs / 8) {
      expect(all.map(({ sessionStates }) => sessionStates)).toEqual([[], [], []]);
      expect(all.flatMap(({ looks }) => looks.filter(({ state }) => state !== 'held'))).toEqual([]);
    }
    expect(all.map(({ state }) => state)).toEqual(['held', 'held', 'held']);
  } finally {
    for (const each of all) await each.end();
  }
});

/** Reads and writes, with pauses in which only the keep-alive is left. */
async function load({ client }: WatchedLease, until: number): Promise<void> {
  const { path } = await client.create(`/load-${client.sessionId.toString(16)}`, { mode: 'ephemeral' });
  for (let version = 0; machineNow() < until; version += 50) {
    for (let each = 0; each < 50; each += 1) {
      const reads = Array.from({ length: 200 }, () => client.getData(path));
      await Promise.all([client.setData(path, Buffer.alloc(10_000), version + each), ...reads]);
    }
    await new Promise(resolve => setTimeout(resolve, 2_500));
  }
}
