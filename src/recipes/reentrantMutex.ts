import type { Disposable } from '../base/disposable.ts';
import { onceDone } from '../base/onceDone.ts';
import { AttemptLimits } from './attemptLimits.ts';
import { BaseLease } from './baseLease.ts';
import type { AcquireOptions, Lease, LeaseCause, LeaseState, Lock } from './lock.ts';

/** One of several leases that share a node. */
class SharedLease extends BaseLease {
  private readonly shared: Lease;
  private readonly releaseOnce: () => Promise<void>;
  private readonly subscription: Disposable;
  /** Set at the first release; a lost lease stays lost. */
  private last: 'lost' | 'released' | undefined;

  constructor(shared: Lease, release: () => Promise<void>) {
    super(shared.paths, shared.fencingToken);
    this.shared = shared;
    this.releaseOnce = onceDone(release);
    this.subscription = shared.onState(state => this.states.fire(state));
  }

  get state(): LeaseState {
    return this.last ?? this.shared.state;
  }

  get signal(): AbortSignal {
    return this.shared.signal;
  }

  get stateCause(): LeaseCause | undefined {
    return this.shared.stateCause;
  }

  release(): Promise<void> {
    if (this.last !== undefined) return this.releaseOnce();
    this.last = this.shared.state === 'lost' ? 'lost' : 'released';
    this.subscription.dispose();
    const released = this.releaseOnce();
    if (this.last === 'released') this.states.fire('released');
    return released;
  }
}

/**
 * Makes a mutex reentrant per lock object, as Curator's is per thread: n acquires need n releases. A second acquire while the
 * first one still waits shares its outcome, since both stand for the same owner.
 */
export class ReentrantMutex implements Lock {
  readonly path: string;
  private readonly inner: Lock;
  private current: Lease | undefined;
  private count = 0;
  /** Resolves when the attempts before the next one are over; `undefined` if there are none. */
  private pending: Promise<unknown> | undefined;

  constructor(inner: Lock) {
    this.inner = inner;
    this.path = inner.path;
  }

  async acquire(options: AcquireOptions = {}): Promise<Lease> {
    const former = this.pending;
    const own = Promise.withResolvers<undefined>();
    const pending = Promise.all([former, own.promise]);
    this.pending = pending;
    try {
      return await this.enter(former === undefined ? options : await this.waitFor(former, options));
    } finally {
      own.resolve(undefined);
      if (this.pending === pending) this.pending = undefined;
    }
  }

  /** @returns the options with what is left of the time limit */
  private async waitFor(former: Promise<unknown>, options: AcquireOptions): Promise<AcquireOptions> {
    const limits = new AttemptLimits(this.path, options);
    await limits.wait(wake => {
      void former.then(wake);
      return () => undefined;
    });
    return options.timeoutMs === undefined ? options : { ...options, timeoutMs: limits.remainingMs };
  }

  private async enter(options: AcquireOptions): Promise<Lease> {
    const { current } = this;
    const shared = current !== undefined && current.state !== 'lost' && this.count > 0 ? current : undefined;
    const lease = shared ?? (await this.inner.acquire(options));
    if (shared === undefined) {
      this.current = lease;
      this.count = 0;
    }
    this.count += 1;
    return new SharedLease(lease, () => this.leave(lease));
  }

  private async leave(lease: Lease): Promise<void> {
    if (this.current !== lease) {
      await lease.release();
      return;
    }
    this.count -= 1;
    if (this.count > 0) return;
    this.current = undefined;
    await lease.release();
  }
}
