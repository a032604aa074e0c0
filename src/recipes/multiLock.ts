import { Deadline } from '../base/deadline.ts';
import { onceDone } from '../base/onceDone.ts';
import { BaseLease } from './baseLease.ts';
import { MultiReleaseError, withNodesLeft, WrongDialect, type NodeLeft } from './errors.ts';
import type { AcquireOptions, Lease, LeaseCause, LeaseState, Lock } from './lock.ts';

const worst: readonly LeaseState[] = ['lost', 'uncertain', 'released', 'held'];

/** Several leases as one; its state is the worst of theirs. */
class MultiLease extends BaseLease {
  readonly signal: AbortSignal;
  readonly release = onceDone(async () => {
    const left = await releaseAll(this.leases);
    if (left.length > 0) throw new MultiReleaseError(left.map(({ cause }) => cause));
  });
  private readonly leases: readonly Lease[];
  private reported: { state: LeaseState; cause: LeaseCause | undefined } = { state: 'held', cause: undefined };

  constructor(leases: readonly Lease[]) {
    super(
      leases.flatMap(({ paths }) => paths),
      leases[0]?.fencingToken ?? 0n,
    );
    this.leases = leases;
    this.signal = AbortSignal.any(leases.map(({ signal }) => signal));
    for (const lease of leases) lease.onState(() => this.compare());
  }

  get state(): LeaseState {
    const states = this.leases.map(lease => lease.state);
    return worst.find(state => states.includes(state)) ?? 'held';
  }

  get stateCause(): LeaseCause | undefined {
    const { state } = this;
    return this.leases.find(lease => lease.state === state && lease.stateCause !== undefined)?.stateCause;
  }

  /** One of them has changed: reports the state of the whole if that, or its reason, has changed too. */
  private compare(): void {
    const { state, stateCause: cause } = this;
    if (state === this.reported.state && cause === this.reported.cause) return;
    this.reported = { state, cause };
    this.states.fire(state);
  }
}

/**
 * Releases in reverse order, all of them even if one fails (Curator's InterProcessMultiLock; L28).
 *
 * @returns the nodes that the server refuses to delete
 */
async function releaseAll(leases: readonly Lease[]): Promise<NodeLeft[]> {
  const left: NodeLeft[] = [];
  for (const lease of leases.toReversed()) {
    await lease.release().catch((cause: unknown) => left.push({ path: lease.path, cause }));
  }
  return left;
}

/**
 * Several locks as one (docs/recipes.md, R10): acquired in the given order, released in reverse. All programs must use the same
 * order, or two of them may wait for each other. Layout, fairness and disconnects are those of each lock. Source: Curator's
 * InterProcessMultiLock.
 *
 * @throws WrongDialect when a path occurs twice: the second one would wait for the first for ever
 */
export function createMultiLock(locks: readonly Lock[]): Lock {
  const [first] = locks;
  if (first === undefined) throw new RangeError('A multi-lock needs at least one lock.');
  const paths = new Set<string>();
  for (const { path } of locks) {
    if (paths.has(path)) throw new WrongDialect(path, { kind: 'twice' });
    paths.add(path);
  }
  return { path: first.path, acquire: options => acquireAll(locks, options) };
}

async function acquireAll(locks: readonly Lock[], options: AcquireOptions = {}): Promise<Lease> {
  const { timeoutMs } = options;
  const deadline = new Deadline(timeoutMs ?? Infinity);
  const leases: Lease[] = [];
  try {
    for (const lock of locks) {
      const left = timeoutMs === undefined ? {} : { timeoutMs: deadline.remainingMs };
      leases.push(await lock.acquire({ ...options, ...left }));
    }
    return new MultiLease(leases);
  } catch (error) {
    throw withNodesLeft(error, await releaseAll(leases));
  }
}
