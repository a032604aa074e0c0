import { expect } from 'vitest';
import { createLock } from '../../../src/recipes/createLock.ts';
import type { Lease } from '../../../src/recipes/lock.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { isZooKeeperError } from '../../../src/zookeeper/errors.ts';
import { eventually } from '../../support/eventually.ts';
import { seededRandom, type SeededRandom } from '../../support/seededRandom.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcpProxy.ts';
import { connectAt } from '../../support/useEnsemble.ts';
import type { ZooKeeperEnsemble } from '../../support/zookeeperServer.ts';

/** How a holder leaves its lock. `deleteThenClose`: another session deletes its node, and it closes its session at once. */
type Way = 'release' | 'close' | 'releaseThenClose' | 'delete' | 'deleteThenClose' | 'expire' | 'expireThenDelete';

interface Holder {
  path: string;
  client: ZooKeeperClient;
  lease: Lease;
  /** Of one whose session is to run out. */
  proxy?: TcpProxy;
}

const locks = 12;
/** The shortest that the servers grant. */
const victimTimeoutMs = 4_000;
const calmTimeoutMs = 20_000;
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

/**
 * Holders with sessions at all members of an ensemble, that come and go in random ways; and one session at each member that deletes
 * their nodes.
 */
export class EnsembleCast {
  /** While members come and go: what clients do may fail. */
  isTurbulent = false;
  /** Nodes that were released by sessions that closed at once: no member can say any more what those did last. */
  readonly hasty = new Set<string>();
  private readonly ensemble: ZooKeeperEnsemble;
  private readonly random: SeededRandom;
  private interferers: ZooKeeperClient[] = [];
  /** Looks on only: what others did last stays what their members say of them. */
  private onlooker: ZooKeeperClient | undefined;
  private readonly holders = new Map<string, Holder>();
  /** They hold nothing any more. */
  private idle: ZooKeeperClient[] = [];
  private readonly proxies: TcpProxy[] = [];
  private readonly dying = new Map<string, Promise<void>>();

  constructor(ensemble: ZooKeeperEnsemble, seed: number) {
    this.ensemble = ensemble;
    this.random = seededRandom(seed);
  }

  async open(): Promise<void> {
    const members = [...this.ensemble.servers.keys()];
    const at = (index: number) => connectAt(this.ensemble, index, { sessionTimeoutMs: calmTimeoutMs });
    this.interferers = await Promise.all(members.map(at));
    this.onlooker = await connect(this.ensemble.connectString, { sessionTimeoutMs: calmTimeoutMs });
  }

  /** Plays random steps: one lock, or two holders that leave at the same moment. */
  async play(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) {
      const first = this.random.below(locks);
      const isPair = this.random.below(2) === 0;
      const second = (first + 1 + this.random.below(locks - 1)) % locks;
      const paths = [`/lock-${first}`, `/lock-${second}`];
      const areHeld = paths.every(path => this.holders.has(path));
      await Promise.all((isPair && areHeld ? paths : paths.slice(0, 1)).map(path => this.step(path)));
      await pause(150 + this.random.below(100));
    }
  }

  /** All leave, and those that are cut off run out. */
  async leaveAll(): Promise<void> {
    for (const path of [...this.holders.keys()]) {
      await this.step(path);
      await pause(150);
    }
    await Promise.all(this.dying.values());
  }

  async close(): Promise<void> {
    const clients = [
      this.onlooker!,
      ...this.interferers,
      ...this.idle,
      ...Array.from(this.holders.values(), each => each.client),
    ];
    await Promise.all(clients.map(client => client.close()));
    await Promise.all(this.proxies.map(proxy => proxy.close()));
  }

  private async step(path: string): Promise<void> {
    const holder = this.holders.get(path);
    // Drawn before anything waits, so that the choices do not depend on how fast servers answer.
    const [member, kind, deleter] = [this.random.below(3), this.random.below(100), this.random.below(3)];
    if (this.dying.has(path)) return;
    try {
      if (holder === undefined) await this.join(path, member, kind < 20, this.isTurbulent || kind % 3 === 0);
      else await this.leave(holder, wayOf(holder, kind), this.interferers[deleter]!);
    } catch (error) {
      if (!this.isTurbulent) throw error;
    }
  }

  /** @param isMovable it goes to another member when its own one dies */
  private async join(path: string, member: number, isVictim: boolean, isMovable: boolean): Promise<void> {
    const { ensemble } = this;
    const at = `127.0.0.1:${ensemble.ports[member]!}`;
    const proxy = isVictim ? await startTcpProxy(ensemble.ports[member]!) : undefined;
    if (proxy !== undefined) this.proxies.push(proxy);
    const client =
      proxy === undefined
        ? await connect(isMovable ? ensemble.connectString : at, { sessionTimeoutMs: calmTimeoutMs })
        : await connect(proxy.connectString, { sessionTimeoutMs: victimTimeoutMs });
    try {
      const lock = createLock(client, path, { recipe: 'mutex', dialect: 'curator' });
      const lease = await lock.acquire({ timeoutMs: 15_000 });
      this.holders.set(path, { path, client, lease, ...(proxy === undefined ? {} : { proxy }) });
    } catch (error) {
      void client.close();
      throw error;
    }
  }

  private async leave(holder: Holder, way: Way, deleter: ZooKeeperClient): Promise<void> {
    const { path, client, lease } = holder;
    this.holders.delete(path);
    if (way === 'expire' || way === 'expireThenDelete') {
      this.dying.set(path, this.runOut(holder, way === 'expireThenDelete' ? deleter : undefined));
      return;
    }
    if (way === 'release' || way === 'releaseThenClose') {
      const released = lease.release();
      if (way === 'release') {
        await released;
        await this.keepOn(client);
      } else {
        this.hasty.add(lease.path);
        await Promise.all([released, client.close()]);
      }
    } else if (way === 'close') await client.close();
    else await this.deprive(holder, deleter, way === 'deleteThenClose');
  }

  private async deprive({ client, lease }: Holder, deleter: ZooKeeperClient, isClosed: boolean): Promise<void> {
    // The member of the deleter may not have the node yet.
    await eventually(async () => expect(await deleter.exists(lease.path)).toBeDefined());
    await removeNode(deleter, lease.path);
    await (isClosed ? client.close() : this.keepOn(client));
  }

  /** It goes on without a lock for a while. */
  private async keepOn(client: ZooKeeperClient): Promise<void> {
    this.idle.push(client);
    await pause(200);
    if (this.idle.length > 3) await this.idle.shift()!.close();
  }

  /** Cuts its connection. @param deleter deletes its node when the session is about to run out */
  private async runOut({ path, lease, proxy }: Holder, deleter: ZooKeeperClient | undefined): Promise<void> {
    const wait = victimTimeoutMs - 400 + this.random.below(600);
    await proxy!.setAccepting(false);
    proxy!.cut();
    if (deleter !== undefined) {
      await pause(wait);
      // A member may be away.
      await removeNode(deleter, lease.path).catch(() => undefined);
    }
    await eventually(async () => {
      expect(await this.onlooker!.exists(lease.path)).toBeUndefined();
    }, 20_000);
    this.dying.delete(path);
  }
}

function wayOf({ proxy }: Holder, kind: number): Way {
  if (proxy !== undefined) return kind < 75 ? 'expire' : 'expireThenDelete';
  if (kind < 30) return 'release';
  if (kind < 55) return 'close';
  if (kind < 58) return 'releaseThenClose';
  return kind < 80 ? 'delete' : 'deleteThenClose';
}

/** Nodes of locks are not written here. Its owner may end at the same moment: then it is gone already. */
async function removeNode(client: ZooKeeperClient, path: string): Promise<void> {
  await client.remove(path, 0).catch((error: unknown) => {
    if (!isZooKeeperError(error, 'NO_NODE')) throw error;
  });
}
