import { expect } from 'vitest';
import { createLock } from '../../../src/recipes/createLock.ts';
import type { Lease, LeaseState } from '../../../src/recipes/lock.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { eventually } from '../../support/eventually.ts';
import { startKazooContenders, type KazooContenders } from '../../support/kazooContenders.ts';
import type { LeaseLook } from '../../support/leaseLook.ts';
import type { ZooKeeperEnsemble } from '../../support/zookeeperServer.ts';

/** Milliseconds of the machine's monotonic clock, which all programs share. */
export const machineNow = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Indices of the leader and of the two others. */
export async function members(ensemble: ZooKeeperEnsemble): Promise<{ leader: number; followers: [number, number] }> {
  const leader = await ensemble.complete();
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

/** kazoo's Lock at the members with these ports. Before `hold`: the start of its program may cost a short session its contact. */
export async function startKazoo(ports: readonly number[], path: string): Promise<KazooContenders> {
  const kazoo = startKazooContenders(ports.map(port => `127.0.0.1:${port}`).join(','));
  await kazoo.start({ contender: 'kazoo', recipe: 'lock', path });
  return kazoo;
}

/** kazoo waits behind ours, which is held. */
export async function queueBehind(ours: WatchedLease, kazoo: KazooContenders, path: string): Promise<void> {
  await kazoo.begin('kazoo');
  await eventually(async () => expect((await ours.client.getChildren(path)).children).toHaveLength(2));
  await eventually(() => expect(ours.state).toBe('held'));
}

/** Asks a member what it is, again and again until its end. */
export class WatchedMode {
  /** `askedAt` by `machineNow`. */
  private readonly answers: { askedAt: number; mode: string | undefined }[] = [];
  private readonly asking: Promise<void>;
  private hasEnded = false;

  constructor(ensemble: ZooKeeperEnsemble, index: number) {
    this.asking = this.ask(ensemble, index);
  }

  /** What it said when it was asked after that moment; without the questions to which it gave no answer. */
  since(moment: number): string[] {
    return this.answers.flatMap(({ askedAt, mode }) => (askedAt > moment && mode !== undefined ? [mode] : []));
  }

  async end(): Promise<void> {
    this.hasEnded = true;
    await this.asking;
  }

  private async ask(ensemble: ZooKeeperEnsemble, index: number): Promise<void> {
    while (!this.hasEnded) {
      const askedAt = machineNow();
      this.answers.push({ askedAt, mode: await ensemble.mode(index) });
      await new Promise(resolve => setTimeout(resolve, 50));
    }
  }
}

/** When kazoo got the lock, by `machineNow`. */
export async function granted(kazoo: KazooContenders, withinMs: number): Promise<number> {
  await kazoo.holds('kazoo', withinMs);
  return (await kazoo.states())['kazoo']!.since!;
}

/** When ours was last seen held, by `machineNow`. */
export function lastHeldAt(looks: readonly LeaseLook[]): number {
  return looks.findLast(({ state }) => state === 'held')?.at ?? -Infinity;
}

/** How long two held at once, ms; negative: how long before the grant ours had ended. */
export function overlapOf(looks: readonly LeaseLook[], grantedAt: number): number {
  return lastHeldAt(looks) - grantedAt;
}
