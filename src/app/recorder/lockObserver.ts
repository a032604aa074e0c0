import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { forEachInParts, inTurns, type Interruptible } from '../../base/interruptible.ts';
import { isAtOrBelow } from '../../base/paths.ts';
import { callEvery } from '../../base/timer.ts';
import type { WallAndSteadyClock } from '../../history/clocks.ts';
import type { Moment } from '../../history/hold.ts';
import type { JournalEntry } from '../../journal/entry.ts';
import type { TreeEvent, ZooKeeperClient } from '../../zookeeper/client.ts';
import { CancelledError, NotConnectedError, ReplyLostError, SessionLostError } from '../../zookeeper/errors.ts';
import { ChangeBatch, silentSink, type ChangeSink, type NotedEvent, type SeenDeletion } from './changeBatch.ts';
import { DeletionMoments } from './deletionMoments.ts';
import { deletedBy, type Deletion } from './endCauses.ts';
import { readLocks } from './lockReading.ts';
import { LockEvents } from './lockEvents.ts';
import { LockTree } from './lockTree.ts';
import type { NodeState } from './nodeStates.ts';
import { notBefore, ObservedTime } from './observedTime.ts';
import { RecorderError } from './recorderError.ts';
import { ServerLooks, type LooksParts } from './serverLooks.ts';
import { SpacedReads } from './spacedReads.ts';

export interface ObserverParts {
  /** Lock roots of the cluster. */
  roots: readonly string[];
  /** Nodes whose children may be listed. */
  maxNodes: number;
  /** The person asked for the data of nodes. */
  isWholeData: boolean;
  /** Whether a node at that path may be part of a lock: `JournalState.concerns`. */
  concerns(path: string): boolean;
  /** Gets what was seen, in its order; never while it is called. */
  onEntries(entries: readonly JournalEntry[]): void;
  /** Observing ended for a reason that is not the end of the session: RecorderError, or what reading threw. Called once at most. */
  onFailure(error: unknown): void;
  clocks: WallAndSteadyClock;
  logger: Logger;
  /** Ends it as `dispose` does. */
  signal: AbortSignal;
  /** Absent: no server is asked, so no cause and no address becomes known. */
  looks?: Pick<LooksParts, 'servers' | 'questionsPerMinute' | 'reverse'>;
}

/** A recorder's eyes on one cluster. */
export interface LockObserver extends Disposable {
  /** Recursive watches on the cluster. */
  readonly watches: number;
  /** Questions to servers in the last minute. Reads of the session are not among them. */
  readonly requestsPerMinute: number;
}

const aliveEveryMs = 1_000;
/** Events that are worked on at once: their nodes are few enough for one request or two. */
const eventsAtOnce = 1_000;
/** After this, changes come faster than they can be read: what is there is passed on as it was read. */
const mostRounds = 5;
const retryMs = 1_000;

/**
 * Watches the lock roots of a session and passes on what happens to the nodes of locks, as journal entries. One recursive watch for each
 * root; a request for each turn in which something came or was written, none for what concerns no lock.
 *
 * After a reconnect there is a gap, and everything is read again. When the session ends there is a gap, and nothing more comes.
 * Nodes that the session may not read have no events on servers with the fix of CVE-2024-23944; they are not recorded then.
 *
 * @returns once the watches are set; `begin` … `complete` follow
 * @throws RecorderError `old-server`; NotConnectedError, SessionLostError, ZooKeeperError if a watch cannot be set
 */
export async function startObserver(client: ZooKeeperClient, parts: ObserverParts): Promise<LockObserver> {
  const observer = new Observer(client, parts);
  try {
    await observer.start();
  } catch (error) {
    observer.dispose();
    throw error;
  }
  return observer;
}

class Observer implements LockObserver {
  private readonly client: ZooKeeperClient;
  private readonly parts: ObserverParts;
  private readonly roots: readonly string[];
  private readonly tree: LockTree;
  private readonly time: ObservedTime;
  private readonly reads: SpacedReads;
  private readonly moments = new DeletionMoments();
  private readonly ending = new AbortController();
  private readonly owned = new DisposableStore();
  private readonly events: LockEvents;
  private readonly looks: ServerLooks | undefined;
  private queue: NotedEvent[] = [];
  private isRereadWanted = true;
  /** Between `complete` and the next gap. */
  private isFollowing = false;
  private isRunning = false;
  private last: Moment = { zxid: 0n, time: 0 };
  /** No transaction before that makes one of the next events; 0n: not known. */
  private firstPossible = 0n;
  private lastEntryAt = -Infinity;
  private notedCount = 0;
  private takenCount = 0;
  private waiting: { count: number; resolve: () => void }[] = [];

  constructor(client: ZooKeeperClient, parts: ObserverParts) {
    this.client = client;
    this.parts = parts;
    this.time = new ObservedTime(parts.clocks);
    this.reads = new SpacedReads(() => parts.clocks.monotonicNow());
    this.roots = parts.roots.filter(
      (root, at) => !parts.roots.some((other, place) => isAtOrBelow(other, root) && (other !== root || place < at)),
    );
    this.tree = new LockTree(this.roots);
    const { looks, signal, isWholeData } = parts;
    const concerns = (path: string): boolean => parts.concerns(path);
    this.events = new LockEvents(client, this.tree, { isWholeData, concerns, signal: this.ending.signal });
    signal.addEventListener('abort', () => this.dispose(), { once: true });
    this.looks =
      looks &&
      new ServerLooks({
        ...looks,
        client,
        clock: () => parts.clocks.monotonicNow(),
        signal: this.ending.signal,
        onEntries: entries => this.pass(entries),
        settled: () => this.settled(),
      });
    if (this.looks) this.owned.add(this.looks);
  }

  get watches(): number {
    return this.isOver ? 0 : this.roots.length;
  }

  get requestsPerMinute(): number {
    return this.looks?.requestsPerMinute ?? 0;
  }

  async start(): Promise<void> {
    if (this.parts.signal.aborted) throw new CancelledError('Recording locks');
    for (const root of this.roots) {
      const watch = this.owned.add(await this.client.watchTree(root, event => this.note(event), { mayLag: true }));
      if (watch.isOneShot === true) throw new RecorderError('old-server', root);
    }
    this.owned.add(
      this.client.onState(({ state }) => {
        if (state === 'lost' || state === 'closed') this.end();
      }),
    );
    this.owned.add(callEvery(() => this.confirm(), aliveEveryMs));
    this.wake();
  }

  dispose(): void {
    this.ending.abort();
    this.owned.dispose();
    for (const { resolve } of this.waiting.splice(0)) resolve();
  }

  private get isOver(): boolean {
    return this.ending.signal.aborted;
  }

  /** The session is over. */
  private end(): void {
    this.beginGap();
    this.dispose();
  }

  private fail(error: unknown): void {
    if (this.isOver) return;
    this.end();
    this.parts.onFailure(error);
  }

  private note(event: TreeEvent): void {
    if (this.isOver) return;
    const { type, ...rest } = event;
    if (type === 'reread') {
      this.startAgain();
      return;
    }
    this.notedCount++;
    this.reads.note();
    this.queue.push({ type, seenAt: this.time.steady, ...rest });
    if (this.looks) this.noteForLooks(event, this.looks);
    this.wake();
  }

  private noteForLooks({ type, path, zxid }: TreeEvent, looks: ServerLooks): void {
    if (type !== 'deleted') {
      if (zxid !== undefined) looks.transactions.note(zxid, 'wrote');
      return;
    }
    const { owner } = this.tree.nodes.get(path) ?? {};
    if (owner !== undefined && owner !== 0n) looks.sawDeletion();
  }

  /** Events may have been missed. */
  private startAgain(): void {
    this.beginGap();
    this.queue = [];
    this.takenCount = this.notedCount;
    this.isRereadWanted = true;
    this.time.restart();
    this.looks?.restart();
    this.wake();
  }

  private beginGap(): void {
    if (this.isFollowing) this.pass([{ type: 'gap', at: this.last }]);
    this.isFollowing = false;
  }

  private wake(): void {
    if (!this.isRunning) void this.run();
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    try {
      while (!this.isOver && (this.isRereadWanted || this.queue.length > 0)) {
        if (this.isRereadWanted) await this.readAll();
        else {
          if (this.queue.length < eventsAtOnce) await this.reads.next();
          if (!this.isStale) await this.follow(this.following);
        }
        this.wakeWaiting();
      }
    } catch (error) {
      this.failed(error);
    } finally {
      this.isRunning = false;
    }
  }

  private failed(error: unknown): void {
    if (this.isOver) return;
    const isOfConnection = [NotConnectedError, ReplyLostError].some(kind => error instanceof kind);
    if (error instanceof SessionLostError) this.end();
    else if (isOfConnection) {
      this.parts.logger.debug(`Recording locks: ${String(error)}`);
      // After a reconnect everything is read again in any case; without one, what was taken is not known.
      setTimeout(() => {
        if (!this.isOver && !this.isRunning && this.isRereadWanted) this.startAgain();
      }, retryMs).unref();
      this.isRereadWanted = true;
    } else this.fail(error);
  }

  /** Reads what is there, with what happens meanwhile, and passes it on as one state. */
  private async readAll(): Promise<void> {
    this.isRereadWanted = false;
    this.tree.clear();
    await readLocks(this.client, this.tree, { ...this.parts, roots: this.roots, signal: this.ending.signal });
    for (let round = 0; this.queue.length > 0 && round < mostRounds; round++) await this.follow(() => silentSink);
    this.firstPossible = this.queue.length > 0 ? 0n : this.tree.newest + 1n;
    if (!this.isStale) await inTurns(this.passingAll(), () => !this.isStale);
  }

  /** What was read is not wanted any more. */
  private get isStale(): boolean {
    return this.isRereadWanted || this.isOver;
  }

  /** Nothing is passed on before all of it is there; what happens meanwhile waits. */
  private *passingAll(): Interruptible<void> {
    const nodes = [...this.tree.nodes.values()];
    yield* forEachInParts(nodes, node => {
      if (node.isUnread !== true) this.time.note(node);
    });
    const zxid = this.tree.newest > this.last.zxid ? this.tree.newest : this.last.zxid;
    const at = { zxid, time: this.time.at() };
    const entries: JournalEntry[] = [{ type: 'begin', at }];
    yield* forEachInParts(nodes, node => entries.push({ type: 'node', at, node }));
    entries.push({ type: 'complete', at });
    yield;
    this.last = at;
    this.isFollowing = true;
    this.pass(entries);
    yield* forEachInParts(nodes, node => this.looks?.saw(node));
  }

  /** Works on the events that came until now. */
  private async follow(sinkOf: (entries: JournalEntry[], deletions: Deletion[]) => ChangeSink): Promise<void> {
    const noted = this.queue.splice(0, eventsAtOnce);
    const events = this.events.ofLocks(noted);
    const readings =
      events.length === 0 ? undefined : await this.events.read(events, this.last.zxid, this.firstPossible);
    if (this.isStale) return;
    const entries: JournalEntry[] = [];
    const deletions: Deletion[] = [];
    if (readings) {
      const batch = new ChangeBatch(events, this.queue, readings, this.tree, this.firstPossible);
      this.firstPossible = batch.run(sinkOf(entries, deletions));
    }
    this.takenCount += noted.length;
    if (entries.length > 0) this.pass(entries);
    if (deletions.length > 0) this.looks?.afterDeletions(deletions);
  }

  private readonly following = (entries: JournalEntry[], deletions: Deletion[]): ChangeSink => ({
    node: (state, seenAt, isNew) => entries.push(this.nodeEntry(state, seenAt, isNew)),
    old: ({ node }) => {
      this.looks?.saw(node);
      entries.push({ type: 'node', at: this.last, node });
    },
    unread: (node, seenAt, before) => {
      this.last = notBefore(this.last, { zxid: node.czxid, time: this.timeOf(seenAt, before) });
      const { time } = this.last;
      const dated = { ...node, ctime: time, mtime: time };
      entries.push({ type: 'node', at: this.last, node: dated });
      return dated;
    },
    gone: deletion => {
      if (entries.at(-1)?.type !== 'gone') this.moments.interrupt();
      const { path, czxid } = deletion.node;
      const at = this.momentOf(deletion);
      entries.push({ type: 'gone', at, path, czxid });
      deletions.push(this.deletion(deletion, at));
    },
  });

  private nodeEntry({ node }: NodeState, seenAt: number, isNew: boolean): JournalEntry {
    if (isNew) this.time.note(node, seenAt);
    const { czxid, mzxid, ctime, mtime } = node;
    this.looks?.saw(node);
    this.looks?.transactions.note(czxid, 'wrote');
    this.looks?.transactions.note(mzxid, 'wrote');
    const at = isNew ? { zxid: czxid, time: ctime } : { zxid: mzxid, time: mtime };
    const zxid = at.zxid > this.last.zxid ? at.zxid : this.last.zxid;
    this.last = { zxid, time: at.time };
    return { type: 'node', at: this.last, node };
  }

  /** What one transaction did has one moment: nodes of a session go together. */
  private momentOf({ node: { owner, ctime, isUnread }, within, seenAt, before }: SeenDeletion): Moment {
    const zxid = deletedBy(within);
    // One that was gone when it was read came at this very moment, perhaps: it was there in between.
    const least = isUnread === true ? ctime + 1 : 0;
    const shared = this.moments.shared(zxid, owner);
    if (shared !== undefined) this.last = notBefore(this.last, { zxid: zxid ?? 0n, time: shared.time });
    else if (zxid !== this.last.zxid)
      this.last = notBefore(this.last, { zxid: zxid ?? 0n, time: Math.max(least, this.timeOf(seenAt, before)) });
    // A moment may have been passed on that is later, since reading shows what came after its event.
    const isLast = zxid === undefined || zxid === this.last.zxid;
    const at = shared ?? (isLast ? this.last : { zxid, time: this.last.time });
    this.moments.note(zxid, owner, at);
    return at;
  }

  private timeOf(seenAt: number, before: number): number {
    return Math.min(this.time.at(seenAt), Math.max(before, this.last.time));
  }

  private deletion({ node, within, seenAt }: SeenDeletion, at: Moment): Deletion {
    const { path, czxid, owner } = node;
    const zxid = deletedBy(within);
    if (zxid !== undefined && node.isUnread !== true) this.looks?.transactions.note(zxid, owner);
    return { path, czxid, owner, at: { ...at, zxid: zxid ?? at.zxid }, within, seenAt };
  }

  private pass(entries: readonly JournalEntry[]): void {
    if (this.isOver) return;
    this.lastEntryAt = this.time.steady;
    this.parts.onEntries(entries);
  }

  /** Nothing happened until the last confirmed contact. */
  private confirm(): void {
    if (!this.isFollowing || this.isRunning || this.client.state !== 'connected') return;
    if (this.time.steady - this.lastEntryAt < aliveEveryMs / 2) return;
    const { lastContactAt } = this.client;
    // The session itself asks for a sign of life every third of its time-out only. What this fails with shows in its state.
    if (this.parts.clocks.now() - lastContactAt > aliveEveryMs / 2) {
      void this.client.exists(this.roots[0] ?? '/').catch(() => undefined);
    }
    const time = this.time.ofContact(lastContactAt);
    if (time <= this.last.time) return;
    this.last = { zxid: this.last.zxid, time };
    this.pass([{ type: 'alive', at: this.last }]);
  }

  /** Resolves when everything was passed on that the server has done until now. */
  private async settled(): Promise<void> {
    await this.client.sync('/');
    await new Promise(resolve => setImmediate(resolve));
    const count = this.notedCount;
    if (this.takenCount >= count) return;
    await new Promise<void>(resolve => this.waiting.push({ count, resolve }));
  }

  private wakeWaiting(): void {
    const ready = this.waiting.filter(({ count }) => count <= this.takenCount);
    if (ready.length === 0) return;
    this.waiting = this.waiting.filter(({ count }) => count > this.takenCount);
    for (const { resolve } of ready) resolve();
  }
}
