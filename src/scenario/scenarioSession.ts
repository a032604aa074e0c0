import { setTimeout as pause } from 'node:timers/promises';
import { Deadline } from '../base/deadline.ts';
import type { Contender } from '../locks/lockQueue.ts';
import { createLock } from '../recipes/createLock.ts';
import type { Lease, Lock } from '../recipes/lock.ts';
import { createMultiLock } from '../recipes/multiLock.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { Attempt, type AttemptPlan } from './attempt.ts';
import { LeftNodes } from './leftNodes.ts';
import type { Member } from './places.ts';
import type { ScenarioRecipe } from './scenario.ts';
import type { ScenarioCluster } from './scenarioCluster.ts';
import { SessionLink } from './sessionLink.ts';
import { StepFailed } from './stepFailed.ts';

/** How often the end of a session or a lease is looked for, ms. */
const lookEveryMs = 20;

/** How long a recipe has to see that its node was deleted, ms. */
const noticeMs = 1_000;

/** What one name of a scenario stands for: a session of ZooKeeper, opened when it is first needed and again after its end. */
export class ScenarioSession {
  readonly name: string;
  /** The newest last. */
  readonly attempts: Attempt[] = [];
  /** What it has left without an owner. */
  readonly left = new LeftNodes();
  /** Of all its sessions so far, the current one last. */
  readonly sessionIds: bigint[] = [];
  private readonly cluster: ScenarioCluster;
  private opening: Promise<ZooKeeperClient> | undefined;
  private client: ZooKeeperClient | undefined;
  private link: SessionLink | undefined;
  private formerNotifications = 0;
  private readonly locks = new Map<string, Lock>();

  constructor(name: string, cluster: ScenarioCluster) {
    this.name = name;
    this.cluster = cluster;
  }

  /** That the servers have sent to it so far. */
  get notifications(): number {
    return this.formerNotifications + (this.link?.notifications ?? 0);
  }

  /** As it is now. */
  get member(): Member {
    return {
      owns: contender => this.owns(contender),
      attempts: this.attempts.map(({ plan: { recipe }, paths, state, ownPaths }) => ({
        recipe: recipe.name,
        paths,
        state,
        ownPaths,
      })),
    };
  }

  owns({ ownerSession, czxid }: Contender): boolean {
    return ownerSession === 0n ? this.left.has(czxid) : ownerSession === this.sessionIds.at(-1);
  }

  /** @throws what `connect` throws */
  async open(signal: AbortSignal): Promise<ZooKeeperClient> {
    const { client } = this;
    if (client !== undefined && client.state !== 'lost' && client.state !== 'closed') return client;
    this.opening ??= this.begin(signal).finally(() => (this.opening = undefined));
    return this.opening;
  }

  /**
   * Queues up. Resolves once it holds or waits; the attempt says which. Without a link it cannot queue up before `reconnect`, so the
   * attempt goes on by itself.
   */
  async acquire(plan: AttemptPlan, signal: AbortSignal, onHeld: (lease: Lease) => void): Promise<Attempt> {
    const client = await this.open(signal);
    const lock = this.lockOf(client, plan);
    const attempt = new Attempt(lock, plan, () => client.state === 'connected', onHeld);
    this.attempts.push(attempt);
    if (this.link?.isCut !== true) await attempt.placed;
    return attempt;
  }

  /**
   * Gives back the newest lock that fits, or leaves its queue. Without contact it takes until the session is over.
   *
   * @param paths [] for any
   * @param recipe absent for any
   * @throws StepFailed, and what the release throws
   */
  async release(paths: readonly string[], recipe: ScenarioRecipe['name'] | undefined): Promise<void> {
    const { attempts } = this;
    const isMeant = ({ isOpen, plan }: Attempt): boolean =>
      isOpen && paths.every(path => plan.paths.includes(path)) && (recipe ?? plan.recipe.name) === plan.recipe.name;
    const attempt = attempts.findLast(isMeant);
    if (attempt === undefined) throw new StepFailed({ kind: 'nothing-to-release', session: this.name });
    const ending = attempt.finish();
    // A mutex that was taken more than once is still held: how the others stand is what counts.
    const key = keyOf(attempt.plan);
    if (attempts.some(each => each.isOpen && keyOf(each.plan) === key)) attempts.splice(attempts.indexOf(attempt), 1);
    await ending;
  }

  /**
   * Ends its session as if its process had died: at once where the cluster can do that, otherwise its link stays cut until the servers
   * have given it up. What it held is lost then, and its nodes are gone.
   */
  async expire(isGone: (sessionId: bigint) => Promise<boolean>, signal: AbortSignal): Promise<void> {
    const { client, link } = this.needSession();
    if (this.cluster.expire === undefined) link.cut();
    else this.cluster.expire(client.sessionId);
    while (client.state !== 'lost' || !(await isGone(client.sessionId))) {
      await pause(lookEveryMs, undefined, { signal });
    }
  }

  disconnect(): void {
    this.needSession().link.cut();
  }

  /**
   * Waits until its recipes have seen that their nodes at these paths were deleted: until then a mutex that is taken once more would be
   * reentrant. A multi-lock that waits at another path sees it only later, so the wait is short.
   */
  async noticesLoss(paths: readonly string[], signal: AbortSignal): Promise<void> {
    const deadline = new Deadline(noticeMs);
    const hasLost = ({ isOpen, plan: { recipe }, ownPaths, paths: own }: Attempt): boolean =>
      !isOpen || (recipe.name === 'exclusive' && ownPaths.length === 0) || !paths.some(path => own.includes(path));
    while (!deadline.isOver && !this.attempts.every(hasLost)) await pause(lookEveryMs, undefined, { signal });
  }

  /** Restores its link, and resolves once its session has contact or is over. */
  async reconnect(signal: AbortSignal): Promise<void> {
    const { client, link } = this.needSession();
    link.restore();
    while (client.state === 'uncertain') await pause(lookEveryMs, undefined, { signal });
  }

  async loseReply(signal: AbortSignal): Promise<void> {
    await this.open(signal);
    this.link?.loseNextCreate();
  }

  /** Resolves when all notifications have come that its server has sent until now. */
  async flush(): Promise<void> {
    // Its server answers in order; without contact nothing comes.
    if (this.client?.state === 'connected') await this.client.sync('/').catch(() => undefined);
  }

  /** Gives up its attempts and ends the session, which ends what it held. Never rejects. */
  async close(): Promise<void> {
    for (const attempt of this.attempts) attempt.cancel();
    await this.opening?.catch(() => undefined);
    this.link?.restore();
    await this.client?.close();
  }

  private needSession(): { readonly client: ZooKeeperClient; readonly link: SessionLink } {
    const { client, link } = this;
    if (client === undefined || link === undefined) throw new StepFailed({ kind: 'no-session', session: this.name });
    return { client, link };
  }

  private async begin(signal: AbortSignal): Promise<ZooKeeperClient> {
    // Its own nodes are watched by its leases: that their end is reported wakes no waiter.
    const link = new SessionLink(path =>
      this.attempts.some(attempt => attempt.ownPaths.some(own => path.endsWith(own))),
    );
    const client = await this.cluster.connect(open => link.over(open), signal);
    this.locks.clear();
    this.formerNotifications = this.notifications;
    [this.link, this.client] = [link, client];
    this.sessionIds.push(client.sessionId);
    return client;
  }

  /**
   * One object for each lock that the session has or wants, so that a mutex is reentrant. Not for longer: the path may be used by another
   * library by then, and the object would not join it.
   */
  private lockOf(client: ZooKeeperClient, plan: AttemptPlan): Lock {
    const { recipe, paths, dialect } = plan;
    const key = keyOf(plan);
    const known = this.locks.get(key);
    if (known !== undefined && this.attempts.some(each => each.isOpen && keyOf(each.plan) === key)) return known;
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

/** The same for attempts that share one lock object. */
function keyOf({ recipe, paths, dialect }: AttemptPlan): string {
  return JSON.stringify([recipe, paths, dialect]);
}
