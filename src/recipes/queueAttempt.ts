import { randomUUID } from 'node:crypto';
import { queueOfNames, type NamedQueue } from '../locks/queueOfNames.ts';
import { turnOf, type Turn, type TurnRule } from '../locks/turn.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError, OutcomeUnknownError } from '../zookeeper/errors.ts';
import { childPath } from '../zookeeper/paths.ts';
import type { AttemptLimits } from './attemptLimits.ts';
import { QueueCorrupted, RemovedFromQueue, WrongDialect } from './errors.ts';
import type { Place } from './lock.ts';
import { OrphanSearch } from './orphanSearch.ts';
import { cleanUpOwnNode, type OwnNode } from './ownNode.ts';
import { ensureParents } from './parents.ts';
import { isConnectionTrouble } from './sessionState.ts';
import { WakeUp } from './wakeUp.ts';

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
  /** For the directory, if it has to be created. */
  directoryData?: Uint8Array;
  /** Replaces the dialect's own rule: a semaphore's limit is known to the one who takes it only. */
  rule?: TurnRule;
}

/** Above this many remembered contenders one listing is cheaper than asking for each, if they are gone. */
const rememberedLimit = 64;
const mostParentRetries = 5;
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
  private node: OwnNode | undefined;
  private queue: NamedQueue | undefined;

  constructor(plan: QueuePlan, limits: AttemptLimits, tell: (place: Place) => void) {
    this.plan = plan;
    this.limits = limits;
    this.tell = tell;
  }

  /**
   * @returns the own node, once it holds
   * @throws LockTimeout, LockCancelled, SessionLost, RemovedFromQueue, WrongDialect, QueueCorrupted, ZooKeeperError; no own
   *   node is left behind then
   */
  async run(): Promise<OwnNode> {
    try {
      const names = await this.enter();
      const own = this.own;
      let turn = await this.firstTurn(names);
      while (!turn.holds) {
        if (this.limits.triesOnce) throw this.limits.timedOut();
        this.report(turn);
        turn = await this.nextTurn(turn.waitsFor);
      }
      this.limits.throwIfCancelled();
      return own;
    } catch (error) {
      if (this.node !== undefined) await cleanUpOwnNode(this.plan.client, this.node, true);
      throw error;
    }
  }

  private get own(): OwnNode {
    if (this.node === undefined) throw new Error('The attempt has no node yet.');
    return this.node;
  }

  private get ownName(): string {
    return this.own.path.slice(this.own.path.lastIndexOf('/') + 1);
  }

  /** Creates the own node. @returns the first listing, if it came along */
  private async enter(): Promise<string[] | undefined> {
    const { client, directory, prefix, data } = this.plan;
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
        await this.createDirectory();
      } else if (isZooKeeperError(error, 'NODE_EXISTS')) {
        throw new QueueCorrupted(directory, 'its sequence counter stands still');
      } else if (!isConnectionTrouble(error)) throw error;
    }
  }

  private async createDirectory(): Promise<void> {
    const { client, directory, directoryData } = this.plan;
    try {
      await ensureParents(client, directory, directoryData);
    } catch (error) {
      if (!isConnectionTrouble(error)) throw error;
    }
  }

  private async firstTurn(names: string[] | undefined): Promise<Turn> {
    const turn = names === undefined ? await this.lookAgain() : this.judge(names);
    const sequence = this.queue?.contenders.find(({ name }) => name === this.ownName)?.sequence ?? 0;
    if (sequence < 0 || sequence > largestSequence) {
      throw new QueueCorrupted(this.plan.directory, 'its sequence counter has run out');
    }
    return turn;
  }

  /** Judges a listing. */
  private judge(names: readonly string[]): Turn {
    const queue = queueOfNames(this.plan.directory, names, this.ownName);
    if (queue === undefined) throw new RemovedFromQueue(this.own.path);
    const [other] = queue.contradictions;
    if (other !== undefined) {
      throw new WrongDialect(
        this.plan.directory,
        `"${other}" belongs to another kind of lock, and the two would not see each other. Choose the dialect in use there.`,
      );
    }
    this.queue = queue;
    return this.turnIn(queue);
  }

  private turnIn(queue: NamedQueue): Turn {
    const turn = turnOf(queue.contenders, this.ownName, this.plan.rule ?? queue.rule);
    if (turn === undefined) throw new RemovedFromQueue(this.own.path);
    return turn;
  }

  private report(turn: Turn): void {
    const index = this.queue?.contenders.findIndex(({ name }) => name === this.ownName) ?? 0;
    const waitsFor = turn.holds || turn.waitsFor === undefined ? undefined : turn.waitsFor;
    this.tell({
      path: this.own.path,
      ahead: Math.max(0, index),
      waitsFor: waitsFor === undefined ? undefined : childPath(this.plan.directory, waitsFor),
    });
  }

  /** Waits for a reason to look again, and looks. Connection trouble is such a reason (L9, L10). */
  private async nextTurn(waitsFor: string | undefined): Promise<Turn> {
    const { client } = this.plan;
    try {
      await this.waitForChange(waitsFor);
    } catch (error) {
      if (!isConnectionTrouble(error)) throw error;
    }
    for (;;) {
      await this.limits.untilConnected(client);
      try {
        return await this.lookAgain();
      } catch (error) {
        if (!isConnectionTrouble(error)) throw error;
      }
    }
  }

  private async waitForChange(waitsFor: string | undefined): Promise<void> {
    const { client, directory } = this.plan;
    const wakeUp = new WakeUp();
    const watch = wakeUp.ring;
    const onOwnNode = client.getData(this.own.path, { watch });
    const onOthers =
      waitsFor === undefined
        ? client.getChildren(directory, { watch })
        : client.getData(childPath(directory, waitsFor), { watch });
    const [own, others] = await Promise.allSettled([onOwnNode, onOthers]);
    if (own.status === 'rejected') throw this.explainOwn(own.reason);
    if (others.status === 'rejected') {
      // Gone between the listing and the watch (L8): that is the change.
      if (isZooKeeperError(others.reason, 'NO_NODE')) return;
      throw asError(others.reason);
    }
    // Without a node to watch the listing may be newer than the one that was judged.
    if (waitsFor === undefined && 'children' in others.value && this.judge(others.value.children).holds) return;
    await wakeUp.wait(this.limits, client);
  }

  private explainOwn(reason: unknown): Error {
    return isZooKeeperError(reason, 'NO_NODE') ? new RemovedFromQueue(this.own.path) : asError(reason);
  }

  /** Own node still there and ours? Then: who of those that were in front is left? */
  private async lookAgain(): Promise<Turn> {
    const { client, directory } = this.plan;
    const queue = this.queue;
    const ahead = queue?.contenders.findIndex(({ name }) => name === this.ownName) ?? -1;
    if (queue === undefined || ahead < 0 || ahead > rememberedLimit || queue.allowsOvertaking) {
      const [own, listing] = await Promise.all([client.exists(this.own.path), client.getChildren(directory)]);
      this.checkOwn(own);
      return this.judge(listing.children);
    }
    const remembered = queue.contenders.slice(0, ahead + 1);
    const answers = await client.readMany(
      remembered.map(({ name }) => ({ op: 'getData', path: childPath(directory, name) })),
    );
    const own = answers[ahead];
    this.checkOwn(own?.op === 'getData' ? own.stat : undefined);
    const contenders = remembered.filter((_, index) => {
      const answer = answers[index];
      // One that may not be read is there all the same.
      return answer?.op !== 'error' || !isZooKeeperError(answer.error, 'NO_NODE');
    });
    this.queue = { ...queue, contenders };
    return this.turnIn(this.queue);
  }

  private checkOwn(stat: { czxid: bigint; ephemeralOwner: bigint } | undefined): void {
    if (stat?.czxid !== this.own.czxid || stat.ephemeralOwner !== this.plan.client.sessionId) {
      throw new RemovedFromQueue(this.own.path);
    }
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
