import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { createLock } from '../../../src/recipes/createLock.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { eventually } from '../../support/eventually.ts';
import { JsonLines } from '../../support/jsonLines.ts';
import { lateness } from '../../support/lateness.ts';
import type { LeaseLook } from '../../support/leaseLook.ts';
import { startProxyGroup } from '../../support/proxyGroup.ts';
import { startTcpProxy } from '../../support/tcpProxy.ts';
import { useEnsemble } from '../../support/useEnsemble.ts';
import {
  granted,
  healed,
  hold,
  lastHeldAt,
  machineNow,
  members,
  overlapOf,
  queueBehind,
  startKazoo,
  WatchedMode,
} from './twoHolders.ts';

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
  it('a follower is cut off from its leader', { timeout: 150_000 }, async () => {
    const { leader, followers } = await members(ensemble());
    const kazoo = await startKazoo([portOf(leader), portOf(followers[1])], '/cut-off');
    const ours = await hold([portOf(followers[0])], 3_000, '/cut-off');
    try {
      await queueBehind(ours, kazoo, '/cut-off');
      await ensemble().links.cutBetween(followers[0], leader);
      expect(overlapOf(ours.looks, await granted(kazoo, 20_000))).toBeLessThan(0);
      expect(ours.sessionStates[0]).toMatch(/^uncertain/);
    } finally {
      await kazoo.stop();
      await ours.end();
      await healed(ensemble());
    }
  });

  it('a leader is cut off, and the restarted followers elect another one', { timeout: 180_000 }, async () => {
    const { leader, followers } = await members(ensemble());
    const network = await startProxyGroup(followers.map(portOf));
    const kazoo = await startKazoo(network.ports, '/deposed');
    const ours = await hold([portOf(leader)], 3_000, '/deposed');
    const mode = new WatchedMode(ensemble(), leader);
    try {
      await queueBehind(ours, kazoo, '/deposed');
      await ensemble().links.partition([[leader], followers]);
      // A server that starts may accept a connection and never answer: kazoo would wait for it.
      await network.setAccepting(false);
      network.cut();
      const others = followers.map(index => ensemble().servers[index]!);
      await Promise.all(others.map(server => server.kill()));
      await Promise.all(others.map(server => server.launch()));
      await Promise.all(others.map(server => server.serving()));
      await network.setAccepting(true);
      expect(overlapOf(ours.looks, await granted(kazoo, 45_000))).toBeLessThan(0);
      // It had not noticed when ours ended: it answers its clients, a sync too.
      expect(mode.since(lastHeldAt(ours.looks))).toContain('leader');
    } finally {
      await mode.end();
      await kazoo.stop();
      await network.close();
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

it('leases of a healthy ensemble stay held under load', { timeout: 120_000 }, async () => {
  const sessionTimeoutMs = 12_000;
  const probes = await Promise.all(ensemble().ports.map(port => connect(`127.0.0.1:${port}`)));
  clients.push(...probes);
  const late = lateness();
  const all = await Promise.all(
    [0, 1, 2].map(index => hold([portOf(index)], sessionTimeoutMs, `/healthy-${String(index)}`)),
  );
  try {
    const until = machineNow() + 3 * sessionTimeoutMs;
    const loads = all.map((each, index) => new Load(each.client, probes[index]!, (sessionTimeoutMs * 5) / 8));
    const failures: unknown[] = [];
    await Promise.all(loads.map(each => each.run(until).catch((error: unknown) => failures.push(error))));
    // Where this process or a member is late by a quarter of the timeout, too little room is left for the rest.
    const isHealthy = Math.max(late(), ...loads.map(({ slowestMs }) => slowestMs)) < sessionTimeoutMs / 8;
    if (isHealthy) {
      expect(failures).toEqual([]);
      expect(all.map(({ sessionStates }) => sessionStates)).toEqual([[], [], []]);
      expect(all.flatMap(({ looks }) => looks.filter(({ state }) => state !== 'held'))).toEqual([]);
      await eventually(() => expect(all.map(({ state }) => state)).toEqual(['held', 'held', 'held']));
    }
  } finally {
    for (const each of all) await each.end();
  }
});

/** Reads and writes of a session, with pauses in which only its keep-alive is left. */
class Load {
  /** The slowest answer, of the session or of its server meanwhile. */
  slowestMs = 0;
  private readonly client: ZooKeeperClient;
  private readonly probe: ZooKeeperClient;
  private readonly pauseMs: number;

  /** @param probe another session at the same server: shows in the pauses how slow that server is */
  constructor(client: ZooKeeperClient, probe: ZooKeeperClient, pauseMs: number) {
    this.client = client;
    this.probe = probe;
    this.pauseMs = pauseMs;
  }

  async run(until: number): Promise<void> {
    const { client } = this;
    const { path } = await client.create(`/load-${client.sessionId.toString(16)}`, { mode: 'ephemeral' });
    for (let version = 0; machineNow() < until; version += 50) {
      for (let each = 0; each < 50; each += 1) {
        await this.timed(() => {
          const reads = Array.from({ length: 200 }, () => client.getData(path));
          return Promise.all([client.setData(path, Buffer.alloc(10_000), version + each), ...reads]);
        });
      }
      for (const end = machineNow() + this.pauseMs; machineNow() < end;) {
        await this.timed(() => this.probe.sync('/'));
        await new Promise(resolve => setTimeout(resolve, 50));
      }
    }
  }

  private async timed(ask: () => Promise<unknown>): Promise<void> {
    const start = machineNow();
    try {
      await ask();
    } finally {
      this.slowestMs = Math.max(this.slowestMs, machineNow() - start);
    }
  }
}
