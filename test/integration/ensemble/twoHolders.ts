import { expect } from 'vitest';
import { createLock } from '../../../src/recipes/createLock.ts';
import type { Lease, LeaseState } from '../../../src/recipes/lock.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { startKazooContenders, type KazooContenders } from '../../support/kazooContenders.ts';
import type { LeaseLook } from '../../support/leaseLook.ts';
import type { ZooKeeperEnsemble } from '../../support/zookeeperServer.ts';

/** Milliseconds of the machine's monotonic clock, which all programs share. */
export const machineNow = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Indices of the leader and of the two others. */
export async function members(ensemble: ZooKeeperEnsemble): Promise<{ leader: number; followers: [number, number] }> {
  const leader = await ensemble.leader();
  return { leader, followers: [(leader + 1) % 3, (leader + 2) % 3] };
}

/** All links pass again, and the members have found each other. */
export async function healed(ensemble: ZooKeeperEnsemble): Promise<void> {
  await ensemble.links.heal();
  await ensemble.complete(40_000);
}

/** Our lease at some members, looked at every few milliseconds. */
export class WatchedLease {
  readonly looks: LeaseLook[] = [];
  readonly sessionStates: string[] = [];
  readonly client: ZooKeeperClient;
  private readonly lease: Lease;
  private readonly timer: NodeJS.Timeout;

  constructor(client: ZooKeeperClient, lease: Lease) {
    this.client = client;
    this.lease = lease;
    client.onState(({ state, cause }) =>
      this.sessionStates.push(cause === undefined ? state : `${state}: ${cause.kind}`),
    );
    this.timer = setInterval(() => {
      const at = machineNow();
      this.looks.push({ at, state: lease.state, isAborted: lease.signal.aborted });
    }, 2);
  }

  get state(): LeaseState {
    return this.lease.state;
  }

  async end(): Promise<void> {
    clearInterval(this.timer);
    await this.client.close();
  }
}

/** Takes the lock at `path` at the members with these ports. */
export async function hold(ports: readonly number[], sessionTimeoutMs: number, path: string): Promise<WatchedLease> {
  const client = await connect(ports.map(port => `127.0.0.1:${port}`).join(','), { sessionTimeoutMs });
  expect(client.sessionTimeoutMs).toBe(sessionTimeoutMs);
  return new WatchedLease(client, await createLock(client, path, { recipe: 'mutex', dialect: 'kazoo' }).acquire());
}

/** kazoo's Lock waits behind ours, at other members. */
export async function queueKazoo(ports: readonly number[], path: string): Promise<KazooContenders> {
  const kazoo = startKazooContenders(ports.map(port => `127.0.0.1:${port}`).join(','));
  await kazoo.start({ contender: 'kazoo', recipe: 'lock', path });
  await kazoo.begin('kazoo');
  return kazoo;
}

/** When kazoo got the lock, by `machineNow`. */
export async function granted(kazoo: KazooContenders, withinMs: number): Promise<number> {
  await kazoo.holds('kazoo', withinMs);
  return (await kazoo.states())['kazoo']!.since!;
}

/** How long two held at once, ms; negative: how long before the grant ours had ended. */
export function overlapOf(looks: readonly LeaseLook[], grantedAt: number): number {
  const lastHeld = looks.findLast(({ state }) => state === 'held');
  return lastHeld === undefined ? -Infinity : lastHeld.at - grantedAt;
}
