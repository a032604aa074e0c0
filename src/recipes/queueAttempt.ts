import { Deadline } from '../base/deadline.ts';
import { childPath, lastSegment } from '../base/paths.ts';
import type { Entry } from '../locks/order.ts';
import { queueOfNames, type OwnQueue } from '../locks/recognition/recognise.ts';
import { turnOf, type Turn, type TurnRule } from '../locks/turn.ts';
import type { ReadResult } from '../zookeeper/client.ts';
import { isZooKeeperError } from '../zookeeper/errors.ts';
import { type AttemptLimits, isConnectionTrouble } from './attemptLimits.ts';
import { QueueCorrupted, RemovedFromQueue, withNodesLeft, WrongDialect } from './errors.ts';
import type { Place } from './lock.ts';
import { cleanUpOwnNode, OwnNodeCreator, type Creation, type OwnNode, type OwnNodePlan } from './ownNode.ts';
import { PredecessorWatch, type Watched } from './watches.ts';

/** How one recipe queues up in one dialect. */
export interface QueuePlan extends OwnNodePlan {
  mode: 'ephemeral_sequential';
  /** Replaces the dialect's own rule: only the caller knows the limit of a semaphore. */
  rule?: TurnRule;
  /** What holders write into their nodes, if they do. */
  holderMark?: Uint8Array;
  /** Contenders of other libraries in the directory are left out of account, as the library itself does it. */
  besideOthers?: boolean;
}

/** A part of a queue, which a waiter keeps from one reading to the next. */
interface Remembered extends OwnQueue {
  /** Of the entries. Made while the contender has to wait anyway, so that the reading before its victory only asks it. */
  names: ReadonlySet<string>;
}

/** Above this many remembered contenders one listing is cheaper than a read of each, if they are gone. */
const rememberedLimit = 64;
/** Up to this many are read one by one in any case. */
const readSingly = 2;
/** For this long the length of a listing is taken for the length of the queue, ms; a waiter does not see who joins behind it. */
const currentForMs = 1_000;
const largestSequence = 2_147_483_646;

/**
 * Queues up with one ephemeral sequential node, and waits until it is at the head.
 *
 * Layout and order: those of the dialect; whose turn it is: `src/locks/turn.ts`, the rule that the tree shows. Fairness: by
 * creation. On disconnect the attempt keeps its node and reads the queue again when the same session is back; on session loss
 * it fails.
 *
 * Sources: one contender is watched, with a read, so that a vanished node leaves no watch (Curator's LockInternals). A waiter
 * remembers who was ahead: without overtaking that list can only shrink, so a hand-over does not read the names of those behind
 * (as etcd's `waitDeletes` walks its predecessors).
 *
 * @returns the own node, once it holds
 * @throws LockTimeout, LockCancelled, SessionLost, RemovedFromQueue, WrongDialect, QueueCorrupted, ZooKeeperError; no own node is
 *   left behind then. NodeLeftBehind if one is
 */
export async function acquireInQueue(
  plan: QueuePlan,
  limits: AttemptLimits,
  onWaiting: (place: Place) => void,
): Promise<OwnNode> {
  const creation = await createContender(plan, limits);
  const { node } = creation;
  try {
    await new QueueWait(plan, limits, onWaiting, node).untilHead(creation);
    limits.throwIfCancelled();
    return node;
  } catch (error) {
    // A node that another client deleted may have been replaced by another of the same name (L30).
    const isOurs = !(error instanceof RemovedFromQueue);
    throw withNodesLeft(error, [await cleanUpOwnNode(plan.client, node, isOurs, limits)]);
  }
}

async function createContender(plan: QueuePlan, limits: AttemptLimits): Promise<Creation> {
  try {
    return await new OwnNodeCreator(plan, limits).create(true);
  } catch (error) {
    if (isZooKeeperError(error, 'NODE_EXISTS')) throw new QueueCorrupted(plan.directory, 'stands-still');
    throw error;
  }
}

/**
 * The wait of one contender for its turn. What it keeps meanwhile is short, however long the queue is: if each of 500 kept the
 * 499 others, V8's collector would copy them again and again.
 */
class QueueWait {
  private readonly plan: QueuePlan;
  private readonly limits: AttemptLimits;
  private readonly onWaiting: (place: Place) => void;
  private readonly watch: PredecessorWatch;
  private readonly own: OwnNode;
  private readonly ownName: string;
  /** Those ahead, and the own entry as the last one; absent where they cannot be read one by one, or are too many for that. */
  private remembered: Remembered | undefined;
  /** How many were ahead when the queue was read last. */
  private ahead = 0;
  /** The names of the last ones ahead, as many as may hold in a semaphore; in another queue none. */
  private nearest: readonly string[] = [];
  private lastListing = { names: 0, current: new Deadline(0) };

  constructor(plan: QueuePlan, limits: AttemptLimits, onWaiting: (place: Place) => void, own: OwnNode) {
    this.plan = plan;
    this.limits = limits;
    this.onWaiting = onWaiting;
    this.own = own;
    this.ownName = lastSegment(own.path);
    this.watch = new PredecessorWatch(plan.client, plan.directory, limits);
  }

  /** @param creation of the own node; its listing is taken out of it */
  async untilHead(creation: Creation): Promise<void> {
    let turn = await this.firstTurn(creation);
    while (!turn.holds) {
      if (this.limits.triesOnce) throw this.limits.timedOut();
      this.report(turn);
      turn = await this.nextTurn(turn);
    }
  }

  private firstTurn(creation: Creation): Turn | Promise<Turn> {
    const { names } = creation;
    creation.names = undefined;
    return names === undefined
      ? this.limits.untilAnswered(this.plan.client, () => this.readAgain())
      : this.judge(names);
  }

  /** Judges a listing. */
  private judge(names: readonly string[]): Turn {
    const queue = queueOfNames(this.plan.directory, names, this.ownName);
    if (queue === undefined) throw new RemovedFromQueue(this.own.path);
    const [other] = queue.contradictions;
    if (other !== undefined && this.plan.besideOthers !== true) {
      throw new WrongDialect(this.plan.directory, { kind: 'stranger', name: other });
    }
    this.lastListing = { names: names.length, current: new Deadline(currentForMs) };
    return this.turnIn(queue);
  }

  /** Answers by a queue as read, and remembers of it what the next reading needs. */
  private turnIn(queue: OwnQueue): Turn {
    const { entries, allowsOvertaking } = queue;
    const rule = this.plan.rule ?? queue.rule;
    const turn = turnOf(entries, this.ownName, rule);
    const ahead = entries.findIndex(({ name }) => name === this.ownName);
    const own = entries[ahead];
    if (turn === undefined || own === undefined) throw new RemovedFromQueue(this.own.path);
    if (own.sequence < 0 || own.sequence > largestSequence) {
      throw new QueueCorrupted(this.plan.directory, 'run-out');
    }
    this.ahead = ahead;
    const isShort = ahead <= rememberedLimit && !allowsOvertaking;
    this.remembered = isShort ? remember(queue, ahead + 1) : undefined;
    const held = rule.type === 'semaphore' ? rule.maxLeases : 0;
    this.nearest = entries.slice(Math.max(0, ahead - held), ahead).map(({ name }) => name);
    return turn;
  }

  private report(turn: Turn): void {
    const waitsFor = turn.holds ? undefined : turn.waitsFor;
    this.onWaiting({
      path: this.own.path,
      ahead: this.ahead,
      waitsFor: waitsFor === undefined ? undefined : childPath(this.plan.directory, waitsFor),
    });
  }

  /** Waits for a reason to read the queue again, and reads it. Connection trouble is such a reason (L9, L10). */
  private async nextTurn(turn: Turn): Promise<Turn> {
    const { client } = this.plan;
    try {
      await this.watch.wait(this.own, {
        ...this.watched(turn),
        holdsNow: children => this.judge(children).holds,
      });
    } catch (error) {
      if (!isConnectionTrouble(error)) throw error;
      await this.limits.afterTrouble(client, error);
    }
    return this.limits.untilAnswered(client, () => this.readAgain());
  }

  /**
   * A semaphore's waiter must learn when one of those ahead goes. It need not watch them all: of the last n ahead one must go
   * before it can be its turn, and with fewer than n watched it might miss that one (zk-ruby's semaphore). Where holders mark
   * their nodes one is enough, as long as that one waits itself.
   */
  private watched(turn: Turn): Pick<Watched, 'names' | 'unlessMarked'> {
    const { rule, holderMark } = this.plan;
    const waitsFor = turn.holds ? undefined : turn.waitsFor;
    if (rule?.type !== 'semaphore') return { names: waitsFor === undefined ? undefined : [waitsFor] };
    const { nearest } = this;
    if (waitsFor === undefined || holderMark === undefined) return { names: nearest };
    return { names: [waitsFor], unlessMarked: { mark: holderMark, names: nearest } };
  }

  /** Checks that the own node is still ours, then reads which of the contenders ahead are left. */
  private async readAgain(): Promise<Turn> {
    const { remembered } = this;
    if (remembered === undefined) return this.judge(await this.list());
    const { entries, names: known } = remembered;
    if (!this.isListingCheaper()) return this.turnIn({ ...remembered, entries: await this.readEach(entries) });
    const names = await this.list();
    this.lastListing = { names: names.length, current: new Deadline(currentForMs) };
    const left = names.filter(name => known.has(name));
    return this.turnIn({ ...remembered, entries: entries.filter(({ name }) => left.includes(name)) });
  }

  /**
   * Reads the own node and then the names in the directory, with one request.
   *
   * @throws RemovedFromQueue, ZooKeeperError, NotConnectedError, ReplyLostError
   */
  private async list(): Promise<readonly string[]> {
    const { client, directory } = this.plan;
    const [own, listing] = await client.readMany([
      { op: 'getData', path: this.own.path },
      { op: 'getChildren', path: directory },
    ]);
    this.checkOwn(own);
    if (listing?.op === 'error') throw listing.error;
    return listing?.op === 'getChildren' ? listing.children : [];
  }

  /**
   * Reads each of the remembered contenders, which costs the same however many stand behind.
   *
   * @param remembered in grant order; the last one is the own node
   * @returns those that are left
   * @throws RemovedFromQueue, ZooKeeperError, NotConnectedError, ReplyLostError
   */
  private async readEach(remembered: readonly Entry[]): Promise<Entry[]> {
    const { client, directory } = this.plan;
    const answers = await client.readMany(
      remembered.map(({ name }) => ({ op: 'getData', path: childPath(directory, name) })),
    );
    this.checkOwn(answers.at(-1));
    return remembered.filter((_, index) => {
      const answer = answers[index];
      // One that may not be read exists all the same.
      return answer?.op !== 'error' || !isZooKeeperError(answer.error, 'NO_NODE');
    });
  }

  /**
   * Whether a listing costs less than a read of each contender ahead. Those that are gone, commonly all, cost the server an
   * exception each. But only a listing shows how long the queue is, so the last one must be recent.
   */
  private isListingCheaper(): boolean {
    const { ahead } = this;
    const { names, current } = this.lastListing;
    return ahead > readSingly && names <= 4 * ahead && !current.isOver;
  }

  private checkOwn(read: ReadResult | undefined): void {
    if (read?.op === 'error' && !isZooKeeperError(read.error, 'NO_NODE')) throw read.error;
    const stat = read?.op === 'getData' ? read.stat : undefined;
    if (stat?.czxid !== this.own.czxid || stat.ephemeralOwner !== this.plan.client.sessionId) {
      throw new RemovedFromQueue(this.own.path);
    }
  }
}

/** @param count of the entries that stand first */
function remember(queue: OwnQueue, count: number): Remembered {
  const entries = queue.entries.slice(0, count);
  return { ...queue, entries, names: new Set(entries.map(({ name }) => name)) };
}
