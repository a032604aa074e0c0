import { randomUUID } from 'node:crypto';
import { DisposableSlot, DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import { Pacer } from '../../base/pacer.ts';
import { unlessAborted } from '../../base/unlessAborted.ts';
import { LockCancelled, NodeLeftBehind, type NodeLeft } from '../../recipes/errors.ts';
import type { Lease, Lock } from '../../recipes/lock.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import type { ClusterNode } from '../clusters/clusterModel.ts';
import { ReadOnlyCluster } from '../clusters/clusterErrors.ts';
import type { LockSessions } from './lockSessions.ts';
import {
  endsWithWindow,
  findSelfBlock,
  isWaiting,
  mayHold,
  needsSession,
  NodeRemains,
  SelfBlocked,
  type Standing,
  type TestLock,
  type TestLockRequest,
} from './testLock.ts';
import { followStanding, type WatchQueue } from './standing.ts';
import {
  autoReleased,
  contactChanged,
  granted,
  leaseChanged,
  prolonged,
  queued,
  releaseFailed,
  releasing,
  type Transition,
} from './testLockState.ts';

export interface TestLockRegistryParts {
  sessions: Pick<LockSessions, 'clientOf' | 'close' | 'closeAll'>;
  openLock(client: ZooKeeperClient, request: TestLockRequest): Promise<Lock>;
  watch(cluster: ClusterNode): WatchQueue;
  /** Called once per lock. */
  onLost(locks: readonly TestLock[]): void;
  /** A failure that no caller waits for, and that the person must know: an own node that still blocks others. */
  onFailure(error: unknown): void;
  /** Monotonic ms. */
  now(): number;
  schedule(callback: () => void, ms: number): Disposable;
  logger: Logger;
}

/** A row, and what belongs to it. */
interface Entry {
  readonly lock: TestLock;
  readonly abort: AbortController;
  readonly timer: DisposableSlot;
  readonly leaseListener: DisposableSlot;
  outcome: Promise<void>;
  lease: Lease | undefined;
}

/** How long the row of a lock stays after it was released by itself. */
const keepEndedMs = 300_000;

/** Time for deleting own nodes, ms: ending the session takes up to 3 s more, and VS Code grants 5 s. */
const releaseLimitMs = 1_500;

/** All locks of a session are lost together: one message for them, not one each. */
const gatherLossesMs = 50;

/** The test locks of this window: what it holds, waits for, and has lost. */
export class TestLockRegistry {
  /** A row came, went or changed. */
  readonly onChange: Event<TestLock>;
  private readonly parts: TestLockRegistryParts;
  private readonly changed: Emitter<TestLock>;
  private readonly entries = new Map<string, Entry>();
  private readonly losses: Pacer<TestLock>;

  constructor(parts: TestLockRegistryParts) {
    this.parts = parts;
    this.changed = new Emitter(parts.logger);
    this.onChange = this.changed.event;
    this.losses = new Pacer({
      gatherMs: gatherLossesMs,
      spacingMs: 0,
      call: locks => parts.onLost([...locks]),
      schedule: (callback, ms) => parts.schedule(callback, ms),
      now: () => parts.now(),
    });
  }

  /** In the order of their requests. */
  get all(): readonly TestLock[] {
    return [...this.entries.values()].map(({ lock }) => lock);
  }

  has(lock: TestLock): boolean {
    return this.entries.get(lock.id)?.lock === lock;
  }

  /** @throws ReadOnlyCluster, SelfBlocked for a request that `acquire` would refuse now */
  check(request: TestLockRequest): void {
    const { profile } = request.cluster;
    if (profile.readOnly === true) throw new ReadOnlyCluster(profile);
    const block = findSelfBlock(request, this.all);
    if (block !== undefined) throw new SelfBlocked(block.path, block.lock);
  }

  /**
   * Starts an attempt, which is a row from now on. `outcome` resolves once the lock is held; it rejects with what the recipe
   * throws, and then the row is gone.
   *
   * @throws ReadOnlyCluster, SelfBlocked before anything is sent
   */
  acquire(request: TestLockRequest): { lock: TestLock; outcome: Promise<void> } {
    this.check(request);
    const lock: TestLock = { type: 'testLock', id: randomUUID(), request, state: { kind: 'connecting' } };
    const entry: Entry = {
      lock,
      abort: new AbortController(),
      timer: new DisposableSlot(),
      leaseListener: new DisposableSlot(),
      outcome: Promise.resolve(),
      lease: undefined,
    };
    this.entries.set(lock.id, entry);
    this.changed.fire(lock);
    entry.outcome = this.run(entry);
    return { lock, outcome: entry.outcome };
  }

  /** Stops waiting; the attempt has left the queue when its `outcome` settles. */
  cancel(lock: TestLock): void {
    this.entries.get(lock.id)?.abort.abort();
  }

  /** Releases the lock, again if that has failed, or stops waiting. @throws the cause when an own node could not be deleted */
  async release(lock: TestLock): Promise<void> {
    const entry = this.entries.get(lock.id);
    if (entry === undefined) return;
    if (isWaiting(lock)) entry.abort.abort();
    else if (!mayHold(lock)) await this.dismiss(lock);
    else {
      await this.releaseLease(entry);
      this.remove(entry);
    }
  }

  /** Releases the lock of this window that has this node; `undefined` if there is none. */
  releaserOf(clusterId: string, path: string): (() => Promise<void>) | undefined {
    const own = this.all.find(({ request, state }) => {
      return request.cluster.id === clusterId && 'hold' in state && state.hold.paths.includes(path);
    });
    return own === undefined || !mayHold(own) ? undefined : () => this.release(own);
  }

  /**
   * Removes the row of a lock that is lost or was released, and with it what is left of the lock: a node that cannot be deleted
   * goes with the session, unless other locks need that.
   *
   * @throws NodeRemains when an own node stays; then the row stays too
   */
  async dismiss(lock: TestLock): Promise<void> {
    const entry = this.entries.get(lock.id);
    if (entry === undefined || isWaiting(lock)) return;
    try {
      await this.releaseLease(entry);
    } catch (error) {
      if (!(await this.closeIdle(lock.request.cluster.id, lock))) throw new NodeRemains(lock, error);
    }
    this.remove(entry);
  }

  /**
   * Ends a cluster's session unless a lock other than `dismissed` needs it, and removes the rows whose nodes only its end deletes.
   *
   * @returns whether the session was ended
   */
  async closeIdle(clusterId: string, dismissed?: TestLock): Promise<boolean> {
    const entries = this.entriesOf(clusterId);
    if (entries.some(({ lock }) => lock !== dismissed && needsSession(lock))) return false;
    await this.parts.sessions.close(clusterId);
    for (const entry of entries.filter(({ lock }) => lock.state.kind === 'stuck')) this.remove(entry);
    return true;
  }

  /** Adds the time of the request to the time that is left. */
  keepLonger(lock: TestLock): void {
    const entry = this.entries.get(lock.id);
    const { autoReleaseMs } = lock.request;
    if (entry === undefined || autoReleaseMs === undefined || !('hold' in lock.state)) return;
    const releasesAt = Math.max(this.parts.now(), lock.state.hold.releasesAt ?? 0) + autoReleaseMs;
    this.apply(entry, prolonged(releasesAt));
    this.startTimer(entry, releasesAt);
  }

  /** Compares every row with its lease: a lease checks its deadline at every use, not only on events. */
  sync(): void {
    for (const entry of this.entries.values()) this.followLease(entry);
  }

  /** Ends everything on one cluster: own nodes first, then the session. Never rejects. */
  async endCluster(clusterId: string): Promise<void> {
    await this.endAll(this.entriesOf(clusterId));
    await this.parts.sessions.close(clusterId);
  }

  /** Ends everything, within 5 s. Never rejects. */
  async close(): Promise<void> {
    await this.endAll([...this.entries.values()]);
    await this.parts.sessions.closeAll();
    this.losses.dispose();
    this.changed.dispose();
  }

  /**
   * Ends everything that is held or waited for, since no one looks at it any more: own nodes first, then the sessions. The rows
   * of locks that were held stay, and say so. Never rejects.
   */
  async giveUpAll(): Promise<void> {
    const entries = [...this.entries.values()].filter(({ lock }) => endsWithWindow(lock));
    for (const entry of entries) {
      entry.timer.value = undefined;
      this.apply(entry, releasing);
    }
    await this.withinLimit(entries.map(entry => this.letGo(entry)));
    await this.parts.sessions.closeAll();
    for (const entry of entries) this.apply(entry, autoReleased(Date.now(), 'silent-window'));
  }

  private entriesOf(clusterId: string): Entry[] {
    return [...this.entries.values()].filter(({ lock }) => lock.request.cluster.id === clusterId);
  }

  private endAll(entries: readonly Entry[]): Promise<void> {
    return this.withinLimit(entries.map(entry => this.letGo(entry).then(() => this.remove(entry))));
  }

  private async withinLimit(releases: readonly Promise<void>[]): Promise<void> {
    const timer = new DisposableSlot();
    const limit = new Promise<void>(resolve => (timer.value = this.parts.schedule(resolve, releaseLimitMs)));
    await Promise.race([Promise.all(releases), limit]);
    timer.dispose();
  }

  private async run(entry: Entry): Promise<void> {
    const { lock } = entry;
    try {
      this.hold(entry, await this.acquireLease(entry));
    } catch (error) {
      this.remove(entry);
      this.log(lock, `not acquired: ${error instanceof Error ? error.message : String(error)}`);
      // A node that could not be deleted goes with its session, unless other locks need that.
      const hasEnded = error instanceof NodeLeftBehind && (await this.closeIdle(lock.request.cluster.id));
      throw hasEnded ? error.why : error;
    }
  }

  /** @throws what connecting throws; what `Lock.acquire` throws. No own node stays then, unless it is a NodeLeftBehind */
  private async acquireLease(entry: Entry): Promise<Lease> {
    const { request } = entry.lock;
    const { cluster, paths, timeoutMs } = request;
    const { signal } = entry.abort;
    const owned = new DisposableStore();
    const onStanding = (standing: Standing): void => this.apply(entry, queued(standing));
    const standing = owned.add(followStanding(paths, this.parts.watch(cluster), onStanding));
    try {
      const opened = this.parts.sessions.clientOf(cluster);
      const client = await unlessAborted(opened, signal, () => new LockCancelled(paths[0] ?? ''));
      owned.add(client.onState(({ state }) => this.apply(entry, contactChanged(state === 'connected'))));
      const lock = await this.parts.openLock(client, request);
      const lease = await lock.acquire({
        timeoutMs,
        signal,
        onWaiting: place => standing.update(place),
        onNodeLeft: left => void this.afterOutage(entry, left),
      });
      if (!signal.aborted) return lease;
      const cancelled = new LockCancelled(lease.path);
      await lease.release().catch((cause: unknown) => {
        throw new NodeLeftBehind(cancelled, [{ path: lease.path, cause }]);
      });
      throw cancelled;
    } finally {
      owned.dispose();
    }
  }

  /** The attempt has failed and its row is gone; now the server refuses to delete its node. */
  private async afterOutage({ lock, outcome }: Entry, left: NodeLeft): Promise<void> {
    const why: unknown = await outcome.then(
      () => undefined,
      (error: unknown) => error,
    );
    if (!(await this.closeIdle(lock.request.cluster.id))) this.parts.onFailure(new NodeLeftBehind(why, [left]));
  }

  private hold(entry: Entry, lease: Lease): void {
    const { lock } = entry;
    const { autoReleaseMs } = lock.request;
    const since = this.parts.now();
    const releasesAt = autoReleaseMs === undefined ? undefined : since + autoReleaseMs;
    entry.lease = lease;
    entry.leaseListener.value = lease.onState(() => this.followLease(entry));
    const { fencingToken: token, paths } = lease;
    this.apply(entry, granted({ token, paths, since, releasesAt }));
    if (releasesAt !== undefined) this.startTimer(entry, releasesAt);
    this.log(lock, `held, fencing token 0x${token.toString(16)}`);
    this.followLease(entry);
  }

  private startTimer(entry: Entry, releasesAt: number): void {
    entry.timer.value = this.parts.schedule(() => void this.autoRelease(entry), releasesAt - this.parts.now());
  }

  private async autoRelease(entry: Entry): Promise<void> {
    if (entry.lock.state.kind === 'lost') {
      // Of several locks some may still be held. A node that cannot be deleted now goes with the session; the row stays lost.
      await entry.lease?.release().catch(() => undefined);
      return;
    }
    try {
      await this.releaseLease(entry, 'released, its time was up');
    } catch (error) {
      // The row is stuck, and can be released again.
      this.parts.onFailure(new NodeRemains(entry.lock, error));
      return;
    }
    this.apply(entry, autoReleased(Date.now(), 'time'));
    entry.timer.value = this.parts.schedule(() => this.remove(entry), keepEndedMs);
  }

  /** The row stays. @param outcome for the log */
  private async releaseLease(entry: Entry, outcome = 'released'): Promise<void> {
    entry.timer.value = undefined;
    this.apply(entry, releasing);
    try {
      await entry.lease?.release();
    } catch (error) {
      this.apply(entry, releaseFailed(error));
      throw error;
    }
    this.log(entry.lock, outcome);
  }

  private async letGo(entry: Entry): Promise<void> {
    entry.abort.abort();
    // A node that cannot be deleted now goes with the session, which ends next.
    await entry.outcome.catch(() => undefined);
    await entry.lease?.release().catch(() => undefined);
  }

  private followLease(entry: Entry): void {
    const { lease, lock } = entry;
    if (lease === undefined) return;
    const before = lock.state.kind;
    this.apply(entry, leaseChanged(lease, Date.now()));
    if (before !== lock.state.kind && lock.state.kind === 'lost') this.losses.add(lock);
  }

  private apply(entry: Entry, transition: Transition): void {
    const { lock } = entry;
    const before = lock.state;
    const after = transition(before);
    if (after === before || !this.has(lock)) return;
    lock.state = after;
    if (after.kind !== before.kind) this.log(lock, after.kind);
    this.changed.fire(lock);
  }

  private remove(entry: Entry): void {
    entry.timer.dispose();
    entry.leaseListener.dispose();
    if (this.entries.delete(entry.lock.id)) this.changed.fire(entry.lock);
  }

  private log({ request }: TestLock, what: string): void {
    const { recipe, paths, cluster } = request;
    this.parts.logger.info(`Test lock ${recipe} at ${paths.join(', ')} on ${cluster.profile.name}: ${what}`);
  }
}
