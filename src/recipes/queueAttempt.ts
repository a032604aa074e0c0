import { randomUUID } from 'node:crypto';
import { Deadline } from '../base/deadline.ts';
import { type NamedQueue, queueOfNames } from '../locks/queueOfNames.ts';
import { type Turn, type TurnContender, turnOf, type TurnRule } from '../locks/turn.ts';
import type { Stat, ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError, OutcomeUnknownError } from '../zookeeper/errors.ts';
import { childPath } from '../base/paths.ts';
import { type AttemptLimits, isConnectionTrouble } from './attemptLimits.ts';
import { QueueCorrupted, RemovedFromQueue, withNodesLeft, WrongDialect } from './errors.ts';
import type { Place } from './lock.ts';
import {
  cleanUpOwnNode,
  type DirectoryPlan,
  ensureParents,
  mostParentRetries,
  OrphanSearch,
  type OwnNode,
} from './ownNode.ts';
import { QueueWatch, type Watched } from './watches.ts';

/** How one recipe queues up in one dialect. */
export interface QueuePlan {
  client: ZooKeeperClient;
  /** Where the contenders stand. */
  directory: string;
  /** Name without its number. @param attemptId a UUID, new for every create */
  prefix: (attemptId: string) => string;
  /** The node's data. @param attemptId so that an orphan can be found where the name does not hold the id */
  data: (attemptId: string) => Uint8Array;
  /** Whether `prefix` holds the id. */
  hasIdInName: boolean;
  /** If the directory has to be created. */
  making?: DirectoryPlan;
  /** Replaces the dialect's own rule: a semaphore's limit is known to the one who takes it only. */
  rule?: TurnRule;
  /** What holders write into their nodes, if they do. */
  holderMark?: Uint8Array;
}

/** Above this many remembered contenders one listing is cheaper than asking for each, if they are gone. */
const rememberedLimit = 64;
/** Up to this many are asked for in any case. */
const askedEach = 2;
/** So long a listing tells how long the queue is, about; nobody behind is heard of later, ms. */
const currentForMs = 1_000;
const largestSequence = 2_147_483_646;

/**
 * One attempt to get to the head of a queue of ephemeral sequential nodes.
 *
 * Layout and order: the dialect's (`src/locks/dialects`); whose turn it is: `src/locks/turn.ts`, the rule that the tree shows.
 * Fairness: by creation. One contender is watched, with a read, so that a vanished node leaves no watch (Curator's
 * LockInternals). A waiter remembers who was in front: without overtaking that list can only shrink, so a hand-over does not
 * read the names of those behind (etcd's `waitDeletes` walks its predecessors alike). On disconnect it keeps its node and looks
 * again when the same session is back; on session loss it fails.
 */
export class QueueAttempt {
  private readonly plan: QueuePlan;
  private readonly limits: AttemptLimits;
  private readonly tell: (place: Place) => void;
  private readonly watch: QueueWatch;
  private node: OwnNode | undefined;
  private queue: NamedQueue | undefined;
  private lastListing = { names: 0, current: new Deadline(0) };

  constructor(plan: QueuePlan, limits: AttemptLimits, tell: (place: Place) => void) {
    this.plan = plan;
    this.limits = limits;
    this.tell = tell;
    this.watch = new QueueWatch(plan.client, plan.directory, limits);
  }

  /**
   * @returns the own node, once it holds
   * @throws LockTimeout, LockCancelled, SessionLost, RemovedFromQueue, WrongDialect, QueueCorrupted, ZooKeeperError; no own
   *   node is left behind then. NodeLeftBehind if one is
   */
  async run(): Promise<OwnNode> {
    try {
      const names = await this.enter();
      const own = this.own;
      let turn = await this.firstTurn(names);
      while (!turn.holds) {
        if (this.limits.triesOnce) throw this.limits.timedOut();
        this.report(turn);
        turn = await this.nextTurn(turn);
      }
      this.limits.throwIfCancelled();
      return own;
    } catch (error) {
      // A node that somebody deleted may have been replaced by another of the same name (L30).
      const isOurs = !(error instanceof RemovedFromQueue);
      const left = this.node === undefined ? undefined : await cleanUpOwnNode(this.plan.client, this.node, isOurs);
      throw withNodesLeft(error, [left]);
    }
  }

  private get own(): OwnNode {
    if (this.node === undefined) throw new Error('The attempt has no node yet.');
    return this.node;
  }

  private get ownName(): string {
    return this.own.path.slice(this.own.path.lastIndexOf('/') + 1);
  }

  /** Place in the queue that was last seen; -1 before the first look. */
  private get ownIndex(): number {
    const name = this.ownName;
    return this.queue?.contenders.findIndex(contender => contender.name === name) ?? -1;
  }

  /** Creates the own node. @returns the first listing, if it came along */
  private async enter(): Promise<string[] | undefined> {
    const { client, directory, prefix, data, making } = this.plan;
    for (let parentRetries = 0; ;) {
      this.limits.throwIfCancelled();
      await this.limits.untilConnected(client);
      const attemptId = randomUUID();
      // Sent in one flush and answered in order: the listing holds the new node (one round trip for an uncontended lock).
      const [created, listed] = await Promise.allSettled([
        client.create(childPath(directory, prefix(attemptId)), { mode: 'ephemeral_sequential', data: data(attemptId) }),
        client.getChildren(directory),
      ]);
      if (created.status === 'fulfilled') {
        this.node = { path: created.value.path, czxid: created.value.stat.czxid };
        return listed.status === 'fulfilled' ? listed.value.children : undefined;
      }
      const error: unknown = created.reason;
      if (error instanceof OutcomeUnknownError) {
        this.node = await new OrphanSearch(this.plan, attemptId).find(this.limits);
        if (this.node !== undefined) return undefined;
      } else if (isZooKeeperError(error, 'NO_NODE') && parentRetries++ < mostParentRetries) {
        await this.limits.untilAnswered(client, () => ensureParents(client, directory, making));
      } else if (isZooKeeperError(error, 'NODE_EXISTS')) {
        throw new QueueCorrupted(directory, 'stands-still');
      } else if (isConnectionTrouble(error)) await this.limits.afterTrouble(client, error);
      else throw error;
    }
  }

  private async firstTurn(names: string[] | undefined): Promise<Turn> {
    const { client } = this.plan;
    const turn =
      names === undefined ? await this.limits.untilAnswered(client, () => this.lookAgain()) : this.judge(names);
    const sequence = this.queue?.contenders[this.ownIndex]?.sequence ?? 0;
    if (sequence < 0 || sequence > largestSequence) {
      throw new QueueCorrupted(this.plan.directory, 'run-out');
    }
    return turn;
  }

  /** Judges a listing. */
  private judge(names: readonly string[]): Turn {
    const queue = queueOfNames(this.plan.directory, names, this.ownName);
    if (queue === undefined) throw new RemovedFromQueue(this.own.path);
    const [other] = queue.contradictions;
    if (other !== undefined) {
      throw new WrongDialect(this.plan.directory, { kind: 'stranger', name: other });
    }
    this.queue = queue;
    this.lastListing = { names: names.length, current: new Deadline(currentForMs) };
    return this.turnIn(queue);
  }

  private turnIn(queue: NamedQueue): Turn {
    const turn = turnOf(queue.contenders, this.ownName, this.plan.rule ?? queue.rule);
    if (turn === undefined) throw new RemovedFromQueue(this.own.path);
    return turn;
  }

  private report(turn: Turn): void {
    const waitsFor = turn.holds ? undefined : turn.waitsFor;
    this.tell({
      path: this.own.path,
      ahead: Math.max(0, this.ownIndex),
      waitsFor: waitsFor === undefined ? undefined : childPath(this.plan.directory, waitsFor),
    });
  }

  /** Waits for a reason to look again, and looks. Connection trouble is such a reason (L9, L10). */
  private async nextTurn(turn: Turn): Promise<Turn> {
    const { client } = this.plan;
    try {
      await this.watch.wait(this.own.path, {
        ...this.watched(turn),
        holdsNow: children => this.judge(children).holds,
      });
    } catch (error) {
      if (!isConnectionTrouble(error)) throw error;
      await this.limits.afterTrouble(client, error);
    }
    return this.limits.untilAnswered(client, () => this.lookAgain());
  }

  /**
   * A semaphore's waiter must be told when one of those in front goes. It need not watch them all: of the last n in front one
   * must go before it can be its turn, and with fewer than n watched it might be overlooked (zk-ruby's semaphore). Where
   * holders mark their nodes one is enough, while that one waits itself.
   */
  private watched(turn: Turn): Pick<Watched, 'names' | 'unlessMarked'> {
    const { rule, holderMark } = this.plan;
    const waitsFor = turn.holds ? undefined : turn.waitsFor;
    if (rule?.type !== 'semaphore') return { names: waitsFor === undefined ? undefined : [waitsFor] };
    const index = this.ownIndex;
    const last = this.queue?.contenders.slice(index - rule.maxLeases, index).map(({ name }) => name);
    if (waitsFor === undefined || holderMark === undefined) return { names: last };
    return { names: [waitsFor], unlessMarked: { mark: holderMark, names: last ?? [] } };
  }

  /** Own node still there and ours? Then: who of those that were in front is left? */
  private async lookAgain(): Promise<Turn> {
    const { client, directory } = this.plan;
    const queue = this.queue;
    const ahead = this.ownIndex;
    const remembers = queue !== undefined && ahead >= 0 && !queue.allowsOvertaking;
    if (remembers && !this.lists(ahead)) {
      const { own, left } = await askForEach(client, directory, queue.contenders.slice(0, ahead + 1));
      this.checkOwn(own);
      return this.turnOfThoseLeft(queue, left);
    }
    const [own, listing] = await Promise.all([client.exists(this.own.path), client.getChildren(directory)]);
    this.checkOwn(own);
    if (!remembers || ahead > rememberedLimit) return this.judge(listing.children);
    this.lastListing = { names: listing.children.length, current: new Deadline(currentForMs) };
    const left = new Set(listing.children);
    return this.turnOfThoseLeft(
      queue,
      queue.contenders.slice(0, ahead + 1).filter(({ name }) => left.has(name)),
    );
  }

  /**
   * Whether a listing costs less than asking for each contender in front. Those that are gone, commonly all, cost the server
   * an exception each. But how long the queue is now only a listing tells: what is known of it must be recent.
   */
  private lists(ahead: number): boolean {
    if (ahead > rememberedLimit) return true;
    const { names, current } = this.lastListing;
    return ahead > askedEach && names <= 4 * ahead && !current.isOver;
  }

  private turnOfThoseLeft(queue: NamedQueue, contenders: readonly TurnContender[]): Turn {
    this.queue = { ...queue, contenders };
    return this.turnIn(this.queue);
  }

  private checkOwn(stat: { czxid: bigint; ephemeralOwner: bigint } | undefined): void {
    if (stat?.czxid !== this.own.czxid || stat.ephemeralOwner !== this.plan.client.sessionId) {
      throw new RemovedFromQueue(this.own.path);
    }
  }
}

/**
 * Asks for each of some contenders, in order to learn who is left of them: costs the same however many stand behind.
 *
 * @param remembered in grant order; the last one is the own node
 * @returns those that are left, and the own node's stat if it is
 * @throws NotConnectedError, ReplyLostError
 */
export async function askForEach(
  client: ZooKeeperClient,
  directory: string,
  remembered: readonly TurnContender[],
): Promise<{ own: Stat | undefined; left: TurnContender[] }> {
  const answers = await client.readMany(
    remembered.map(({ name }) => ({ op: 'getData', path: childPath(directory, name) })),
  );
  const own = answers.at(-1);
  const left = remembered.filter((_, index) => {
    const answer = answers[index];
    // One that may not be read is there all the same.
    return answer?.op !== 'error' || !isZooKeeperError(answer.error, 'NO_NODE');
  });
  return { own: own?.op === 'getData' ? own.stat : undefined, left };
}
