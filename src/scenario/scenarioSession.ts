import { setTimeout as pause } from 'node:timers/promises';
import type { Contender } from '../locks/lockQueue.ts';
import { createLock } from '../recipes/createLock.ts';
import type { Lease, Lock } from '../recipes/lock.ts';
import { createMultiLock } from '../recipes/multiLock.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { Attempt, type AttemptPlan } from './attempt.ts';
import type { Member } from './claims.ts';
import type { ScenarioCluster } from './scenarioCluster.ts';
import { SessionLink } from './sessionLink.ts';
import { StepFailed } from './stepFailed.ts';

/** How often the end of a session is looked for, ms. */
const lookEveryMs = 20;

/** What one name of a scenario stands for: a session of ZooKeeper, opened when it is first needed and again after its end. */
export class ScenarioSession implements Member {
  readonly name: string;
  /** The newest last. */
  readonly attempts: Attempt[] = [];
  link = this.newLink();
  private readonly cluster: ScenarioCluster;
  /** czxids of nodes that it has left without an owner. */
  private readonly left = new Set<bigint>();
  private opening: Promise<ZooKeeperClient> | undefined;
  private client: ZooKeeperClient | undefined;
  private formerNotifications = 0;
  private readonly locks = new Map<string, Lock>();

  constructor(name: string, cluster: ScenarioCluster) {
    this.name = name;
    this.cluster = cluster;
  }

  /** Of its session now; `undefined` before the first. */
  get sessionId(): bigint | undefined {
    return this.client?.sessionId;
  }

  /** That the servers have sent to it so far. */
  get notifications(): number {
    return this.formerNotifications + this.link.notifications;
  }

  owns({ ownerSession, czxid }: Contender): boolean {
    return ownerSession === 0n ? this.left.has(czxid) : ownerSession === this.sessionId;
  }

  /** @throws what `connect` throws */
  async open(signal: AbortSignal): Promise<ZooKeeperClient> {
    const { client } = this;
    if (client !== undefined && client.state !== 'lost' && client.state !== 'closed') return client;
    this.opening ??= this.begin(signal).finally(() => (this.opening = undefined));
    return this.opening;
  }

  /** Queues up. Resolves once it holds or waits; the attempt says which. */
  async acquire(plan: AttemptPlan, signal: AbortSignal, onHeld: (lease: Lease) => void): Promise<Attempt> {
    const client = await this.open(signal);
    const attempt = new Attempt(this.lockOf(client, plan), plan, onHeld);
    this.attempts.push(attempt);
    await attempt.placed;
    return attempt;
  }

  /**
   * Ends its session as if its process had died: at once where the cluster can do that, otherwise its link stays cut until the servers
   * have given it up. What it held is lost then, and its nodes are gone.
   */
  async expire(isGone: (sessionId: bigint) => Promise<boolean>, signal: AbortSignal): Promise<void> {
    const { client, cluster } = this;
    if (client === undefined) throw new StepFailed({ kind: 'no-session', session: this.name });
    if (cluster.expire === undefined) this.link.cut();
    else cluster.expire(client.sessionId);
    while (client.state !== 'lost' || !(await isGone(client.sessionId))) {
      await pause(lookEveryMs, undefined, { signal });
    }
  }

  /** Restores its link, and resolves once its session has contact or is over. */
  async reconnect(signal: AbortSignal): Promise<void> {
    const { client } = this;
    this.link.restore();
    while (client?.state === 'uncertain') await pause(lookEveryMs, undefined, { signal });
  }

  /** A node of its own that no session keeps alive. */
  noteLeft(czxid: bigint): void {
    this.left.add(czxid);
  }

  async close(): Promise<void> {
    this.link.restore();
    await this.client?.close();
  }

  private async begin(signal: AbortSignal): Promise<ZooKeeperClient> {
    const link = this.newLink();
    const client = await this.cluster.connect(open => link.over(open), signal);
    this.locks.clear();
    this.formerNotifications += this.link.notifications;
    [this.link, this.client] = [link, client];
    return client;
  }

  /** Its own nodes are watched by its leases: that their end is reported wakes no waiter. */
  private newLink(): SessionLink {
    return new SessionLink(path => this.attempts.some(attempt => attempt.ownPaths.some(own => path.endsWith(own))));
  }

  /** One object for each lock, so that a mutex is reentrant. */
  private lockOf(client: ZooKeeperClient, { recipe, paths, dialect }: AttemptPlan): Lock {
    const key = JSON.stringify([recipe, paths, dialect]);
    const known = this.locks.get(key);
    if (known !== undefined) return known;
    const { name } = recipe;
    const spec = {
      identifier: this.name,
      recipe: name === 'multi' ? ('mutex' as const) : name,
      ...(dialect === undefined ? {} : { dialect, besideOthers: true }),
      ...('maxLeases' in recipe ? { maxLeases: recipe.maxLeases } : {}),
    };
    const locks = paths.map(path => createLock(client, path, spec));
    const [first] = locks;
    const lock = name === 'multi' || first === undefined ? createMultiLock(locks) : first;
    this.locks.set(key, lock);
    return lock;
  }
}
