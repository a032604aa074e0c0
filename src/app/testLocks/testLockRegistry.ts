import { DisposableSlot } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { Pacer } from '../../base/pacer.ts';
import type { Lease } from '../../recipes/lock.ts';
import { acquireLease } from './acquireLease.ts';
import { checkRequest } from './checkRequest.ts';
import { endLeftovers } from './endLeftovers.ts';
import { isWaiting, mayHold, needsSession, type TestLock, type TestLockRequest } from './testLock.ts';
import { NodeRemains } from './testLockErrors.ts';
import { newEntry, type TestLockEntry } from './testLockEntry.ts';
import { nextState, type TestLockEvent } from './testLockState.ts';
import type { TestLockParts } from './testLockParts.ts';

/** How long a row says that its time was up. */
const keepEndedMs = 300_000;

/** Deleting own nodes, ms: the session's end has 3 s more, and VS Code grants 5 s. */
const releaseLimitMs = 1_500;

/** A session that ends takes all its locks at once: one message for them, not one each. */
const gatherLossesMs = 50;

/** The test locks of this window: what it holds, waits for, and has lost. */
export class TestLockRegistry {
  /** A row came, went or changed. */
  readonly onChange: Event<TestLock>;
  private readonly parts: TestLockParts;
  private readonly changed: Emitter<TestLock>;
  private readonly entries = new Map<string, TestLockEntry>();
  private readonly losses: Pacer<TestLock>;

  constructor(parts: TestLockParts) {
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

  /** In the order of asking. */
  get all(): readonly TestLock[] {
    return [...this.entries.values()].map(({ lock }) => lock);
  }

  has(lock: TestLock): boolean {
    return this.entries.get(lock.id)?.lock === lock;
  }

  /** @throws ReadOnlyCluster, SelfBlocked */
  check(request: TestLockRequest): void {
    checkRequest(request, this.all);
  }

  /**
   * Begins an attempt and shows it as a row. `outcome` resolves once the lock is held; it rejects with what the recipe throws, and
   * then the row is gone.
   *
   * @throws ReadOnlyCluster, SelfBlocked before anything is sent
   */
  acquire(request: TestLockRequest): { lock: TestLock; outcome: Promise<void> } {
    this.check(request);
    const entry = newEntry(request);
    const { lock } = entry;
    this.entries.set(lock.id, entry);
    this.changed.fire(lock);
    entry.outcome = this.run(entry);
    return { lock, outcome: entry.outcome };
  }

  /** Stops waiting; the attempt's outcome says when it has left the queue. */
  cancel(lock: TestLock): void {
    this.entries.get(lock.id)?.abort.abort();
  }

  /** Gives the lock back, again if that has failed, or stops waiting. @throws the cause when an own node could not be deleted */
  async release(lock: TestLock): Promise<void> {
    const entry = this.entries.get(lock.id);
    if (entry === undefined) return;
    if (isWaiting(lock)) entry.abort.abort();
    else if (mayHold(lock)) await this.giveBack(entry, { kind: 'releasing' });
    else await this.dismiss(lock);
  }

  /**
   * Takes away the row of a lock that is lost or was given back, and with it what is left of the lock: what cannot be deleted
   * goes with the session, unless other locks need that.
   * @throws NodeRemains when an own node lives on; then the row does too
   */
  async dismiss(lock: TestLock): Promise<void> {
    const entry = this.entries.get(lock.id);
    if (entry === undefined || isWaiting(lock)) return;
    try {
      await this.giveBack(entry, { kind: 'releasing' });
    } catch (error) {
      if (!(await this.closeIdle(lock.request.cluster.id, lock))) throw new NodeRemains(lock, error);
      this.remove(entry);
    }
  }

  /** Ends a cluster's session, and the rows of what only its end gives back. @returns false if a lock not dismissed needs it */
  async closeIdle(clusterId: string, dismissed?: TestLock): Promise<boolean> {
    const entries = this.entriesOf(clusterId);
    if (entries.some(({ lock }) => lock !== dismissed && needsSession(lock))) return false;
    await this.parts.closeSession(clusterId);
    for (const entry of entries.filter(({ lock }) => lock.state.kind === 'stuck')) this.remove(entry);
    return true;
  }

  /** Holds the lock for its time once more. */
  keepLonger(lock: TestLock): void {
    const entry = this.entries.get(lock.id);
    const { autoReleaseMs } = lock.request;
    if (entry === undefined || autoReleaseMs === undefined || !('hold' in lock.state)) return;
    const releasesAt = Math.max(this.parts.now(), lock.state.hold.releasesAt ?? 0) + autoReleaseMs;
    this.apply(entry, { kind: 'prolonged', releasesAt });
    this.startTimer(entry, releasesAt);
  }

  /** Compares every row with its lease: a state is judged at every use, not only on events. */
  sync(): void {
    for (const entry of this.entries.values()) this.followLease(entry);
  }

  /** Ends everything on one cluster: own nodes first, then the session. Never rejects. */
  async endCluster(clusterId: string): Promise<void> {
    await this.endAll(this.entriesOf(clusterId));
    await this.parts.closeSession(clusterId);
  }

  /** Ends everything, within 5 s. Never rejects. */
  async close(): Promise<void> {
    await this.endAll([...this.entries.values()]);
    await this.parts.closeAllSessions();
    this.losses.dispose();
    this.changed.dispose();
  }

  private entriesOf(clusterId: string): TestLockEntry[] {
    return [...this.entries.values()].filter(({ lock }) => lock.request.cluster.id === clusterId);
  }

  private async endAll(entries: readonly TestLockEntry[]): Promise<void> {
    const timer = new DisposableSlot();
    const limit = new Promise<void>(resolve => (timer.value = this.parts.schedule(resolve, releaseLimitMs)));
    await Promise.race([Promise.all(entries.map(entry => this.end(entry))), limit]);
    timer.dispose();
  }

  private async run(entry: TestLockEntry): Promise<void> {
    const { lock, abort } = entry;
    try {
      const lease = await acquireLease(lock.request, {
        client: this.parts.clientOf(lock.request.cluster),
        openLock: (client, request) => this.parts.openLock(client, request),
        watch: this.parts.watch(lock.request.cluster),
        signal: abort.signal,
        onStanding: standing => this.apply(entry, { kind: 'queued', standing }),
        onContact: confirmed => this.apply(entry, { kind: 'contact', confirmed }),
      });
      this.hold(entry, lease);
    } catch (error) {
      this.remove(entry);
      this.log(lock, `not acquired: ${error instanceof Error ? error.message : String(error)}`);
      throw await endLeftovers(error, () => this.closeIdle(lock.request.cluster.id));
    }
  }

  private hold(entry: TestLockEntry, lease: Lease): void {
    const { lock } = entry;
    const { autoReleaseMs } = lock.request;
    const since = this.parts.now();
    const releasesAt = autoReleaseMs === undefined ? undefined : since + autoReleaseMs;
    entry.lease = lease;
    entry.leaseListener.value = lease.onState(() => this.followLease(entry));
    const { fencingToken: token, paths } = lease;
    this.apply(entry, { kind: 'granted', hold: { token, paths, since, releasesAt } });
    if (releasesAt !== undefined) this.startTimer(entry, releasesAt);
    this.log(lock, `held, fencing token 0x${token.toString(16)}`);
    this.followLease(entry);
  }

  private startTimer(entry: TestLockEntry, releasesAt: number): void {
    entry.timer.value = this.parts.schedule(() => void this.autoRelease(entry), releasesAt - this.parts.now());
  }

  private async autoRelease(entry: TestLockEntry): Promise<void> {
    if (entry.lock.state.kind === 'lost') {
      // Of several locks some may still be held. What cannot be deleted now goes with the session; the row says lost.
      await entry.lease?.release().catch(() => undefined);
      return;
    }
    await this.giveBack(entry, { kind: 'auto-released', at: Date.now() }).catch(() => undefined);
  }

  /** @param ending `auto-released` leaves a row that says so for a while */
  private async giveBack(entry: TestLockEntry, ending: TestLockEvent): Promise<void> {
    entry.timer.value = undefined;
    this.apply(entry, { kind: 'releasing' });
    try {
      await entry.lease?.release();
    } catch (error) {
      this.apply(entry, { kind: 'release-failed', error });
      throw error;
    }
    this.log(entry.lock, ending.kind === 'auto-released' ? 'released, its time was up' : 'released');
    if (ending.kind !== 'auto-released') {
      this.remove(entry);
      return;
    }
    this.apply(entry, ending);
    entry.timer.value = this.parts.schedule(() => this.remove(entry), keepEndedMs);
  }

  private async end(entry: TestLockEntry): Promise<void> {
    entry.abort.abort();
    // Whatever cannot be deleted now goes with the session, which ends next.
    await entry.outcome.catch(() => undefined);
    await entry.lease?.release().catch(() => undefined);
    this.remove(entry);
  }

  private followLease(entry: TestLockEntry): void {
    const { lease, lock } = entry;
    if (lease === undefined) return;
    const before = lock.state.kind;
    const { state, stateCause: cause } = lease;
    if (state === 'released') return;
    this.apply(entry, { kind: 'lease', state, cause, at: Date.now() });
    if (before !== lock.state.kind && lock.state.kind === 'lost') this.losses.add(lock);
  }

  private apply(entry: TestLockEntry, event: TestLockEvent): void {
    const { lock } = entry;
    const before = lock.state;
    const after = nextState(before, event);
    if (after === before || !this.has(lock)) return;
    lock.state = after;
    if (after.kind !== before.kind) this.log(lock, after.kind);
    this.changed.fire(lock);
  }

  private remove(entry: TestLockEntry): void {
    entry.timer.dispose();
    entry.leaseListener.dispose();
    if (this.entries.delete(entry.lock.id)) this.changed.fire(entry.lock);
  }

  private log({ request }: TestLock, what: string): void {
    const { recipe, paths, cluster } = request;
    this.parts.logger.info(`Test lock ${recipe} at ${paths.join(', ')} on ${cluster.profile.name}: ${what}`);
  }
}
