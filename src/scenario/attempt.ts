import type { DialectId } from '../locks/lockQueue.ts';
import { LockCancelled, LockTimeout, RemovedFromQueue, SessionLost } from '../recipes/errors.ts';
import type { Lease, LeaseState, Lock } from '../recipes/lock.ts';
import type { ScenarioRecipe } from './scenario.ts';

/** What a session is to take. */
export interface AttemptPlan {
  readonly recipe: ScenarioRecipe;
  readonly paths: readonly string[];
  readonly dialect?: DialectId;
  readonly timeoutMs?: number;
}

/** Where an attempt stands. `uncertain` also while it waits without contact. `ended`: it failed otherwise, by `error`. */
export type AttemptState = 'waiting' | 'timed out' | 'cancelled' | 'ended' | LeaseState;

/** One attempt of a session, and its lease. */
export class Attempt {
  readonly plan: AttemptPlan;
  /** Resolves when it holds, waits in the queue or has failed. Never rejects. */
  readonly placed: Promise<unknown>;
  /** Why it failed. */
  error: unknown;
  private readonly abort = new AbortController();
  private readonly settled: Promise<void>;
  private readonly hasContact: () => boolean;
  private lease: Lease | undefined;
  private end: AttemptState | undefined;
  private isFinishing = false;

  /**
   * @param hasContact whether its session has confirmed contact now
   * @param onHeld called when it holds
   */
  constructor(lock: Lock, plan: AttemptPlan, hasContact: () => boolean, onHeld: (lease: Lease) => void) {
    this.plan = plan;
    this.hasContact = hasContact;
    const queued = Promise.withResolvers<undefined>();
    const { timeoutMs } = plan;
    const acquired = lock.acquire({
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      signal: this.abort.signal,
      onWaiting: ({ ahead, path }) => {
        if (ahead > 0 || path === undefined) queued.resolve(undefined);
      },
    });
    this.settled = acquired.then(
      lease => {
        this.lease = lease;
        onHeld(lease);
      },
      (error: unknown) => {
        this.error = error;
        this.end = endOf(error);
      },
    );
    this.placed = Promise.race([queued.promise, this.settled]);
  }

  get paths(): readonly string[] {
    return this.plan.paths;
  }

  /** Of its nodes, once it holds. */
  get ownPaths(): readonly string[] {
    return this.lease?.paths ?? [];
  }

  get state(): AttemptState {
    return this.lease?.state ?? this.end ?? (this.hasContact() ? 'waiting' : 'uncertain');
  }

  /** Whether it can be given back: it holds, waits, or may hold. */
  get isOpen(): boolean {
    const { state } = this;
    return !this.isFinishing && (state === 'waiting' || state === 'held' || state === 'uncertain');
  }

  /** Gives back what it holds, or leaves the queue. Without contact it takes until the session is over. @throws what the release throws */
  async finish(): Promise<void> {
    this.isFinishing = true;
    this.abort.abort();
    await this.settled;
    await this.lease?.release();
  }

  /** Gives up an attempt that waits; what is held ends with the session. */
  cancel(): void {
    this.isFinishing = true;
    this.abort.abort();
  }
}

function endOf(error: unknown): AttemptState {
  if (error instanceof LockTimeout) return 'timed out';
  if (error instanceof SessionLost || error instanceof RemovedFromQueue) return 'lost';
  return error instanceof LockCancelled ? 'cancelled' : 'ended';
}
