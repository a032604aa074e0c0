import { hostname } from 'node:os';
import type { ContenderNaming, LeaseNodeLayout, QueueRecipe } from '../locks/dialect.ts';
import { contenderNaming, traitsOf, writtenDialect } from '../locks/libraries/registry.ts';
import type { DialectId } from '../locks/lockQueue.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { AttemptLimits } from './attemptLimits.ts';
import { chooseDialect, refusePartOfSemaphore } from './pathInUse.ts';
import { WrongDialect } from './errors.ts';
import { cleanUpOwnNode, shortId, type OwnNode, type OwnNodePlan } from './ownNode.ts';
import { acquireExclusive } from './acquireExclusive.ts';
import { acquireLease, holderMark, markHolder } from './semaphoreAttempt.ts';
import type { AcquireOptions, Lease, Lock, Place } from './lock.ts';
import { OwnedLease } from './ownedLease.ts';
import { acquireInQueue, type QueuePlan } from './queueAttempt.ts';
import { ReentrantMutex } from './reentrantMutex.ts';

export interface LockSpec {
  recipe: 'mutex' | 'exclusive' | 'read' | 'write' | 'semaphore';
  /** Default: the one in use at the path; Curator's on an empty path. */
  dialect?: DialectId;
  /** How many may hold a semaphore at once. Default 1. */
  maxLeases?: number;
  /** Who we are, for the node's data. Default: the host's name. */
  identifier?: string;
  /** Which of several locks in one directory (`named-lock`). */
  lockName?: string;
  /**
   * Queues up where contenders of other libraries are, too, as the library itself would: neither sees the other, and both may hold.
   * Only to show that. Default: such a directory is refused with WrongDialect.
   */
  besideOthers?: boolean;
  /** Written in front of `-R-` and `-W-` (`rw-letters`). */
  hostName?: string;
}

type Report = (place: Place) => void;

interface Target {
  client: ZooKeeperClient;
  path: string;
  spec: LockSpec;
  identifier: string;
}

/**
 * Creates a lock object; nothing is sent before `acquire`.
 *
 * @param lockPath the directory of the queue; for `exclusive` the node itself; for a semaphore its base path
 * @throws WrongDialect when the dialect has no such recipe, or the path can only be a semaphore's queue; RangeError for a bad
 *   limit or lock name
 */
export function createLock(client: ZooKeeperClient, lockPath: string, spec: LockSpec): Lock {
  const { recipe } = spec;
  checkSpec(spec);
  refusePartOfSemaphore(lockPath);
  const target: Target = { client, path: lockPath, spec, identifier: spec.identifier ?? hostname() };
  if (recipe === 'exclusive') {
    return queueLock(target, (limits, report) => acquireExclusive(target, limits, report), false);
  }
  if (spec.dialect !== undefined) namingOf(target, spec.dialect, recipe);
  const lock = queueLock(target, queueRun(target, recipe), true);
  return recipe === 'mutex' ? new ReentrantMutex(lock) : lock;
}

function checkSpec({ maxLeases = 1, lockName = 'lock' }: LockSpec): void {
  if (!Number.isInteger(maxLeases) || maxLeases < 1) throw new RangeError('A semaphore needs a limit of 1 or more.');
  if (lockName === '' || lockName.includes('_lock_') || lockName.includes('/')) {
    throw new RangeError('A lock name must not be empty and must not contain "_lock_" or "/".');
  }
}

/** How long `acquire` waits for the clean-up of a failed attempt; on a dead connection the clean-up goes on afterwards. */
const cleanUpGraceMs = 1_000;

type Run = (limits: AttemptLimits, report: Report) => Promise<OwnNode>;

function queueLock({ client, path }: Target, run: Run, isNameUnique: boolean): Lock {
  return {
    path,
    async acquire(options: AcquireOptions = {}): Promise<Lease> {
      const limits = new AttemptLimits(path, options);
      const attempt = run(limits, options.onWaiting ?? (() => undefined));
      const node = await limits.inTime(attempt, cleanUpGraceMs, late =>
        cleanUpOwnNode(client, late, isNameUnique, limits),
      );
      // A semaphore's last step, leaving the queue, ends with the session too: the lease that it returns is gone then.
      limits.throwIfLost(client);
      return new OwnedLease(client, node, isNameUnique);
    },
  };
}

function queueRun(target: Target, recipe: QueueRecipe): Run {
  let dialect = target.spec.dialect;
  return async (limits, report) => {
    limits.throwIfCancelled();
    dialect ??= await chooseDialect(target.client, target.path, recipe, limits);
    return startAttempt(target, recipe, writtenDialect(dialect), limits, report);
  };
}

function startAttempt(
  target: Target,
  recipe: QueueRecipe,
  dialect: DialectId,
  limits: AttemptLimits,
  report: Report,
): Promise<OwnNode> {
  const { client, path } = target;
  const { maxLeases = 1 } = target.spec;
  if (recipe !== 'semaphore') return acquireInQueue(planOf(target, recipe, dialect, path), limits, report);
  const layout = traitsOf(dialect).semaphore;
  if (layout?.type === 'lease-node') {
    const queue = planOf(target, recipe, dialect, layout.queue(path));
    const plan = { queue, lease: leasePlan(target, layout), maxLeases, made: layout.made };
    return acquireLease(plan, limits, report);
  }
  const plan = planOf(target, recipe, dialect, path);
  const marksHolders = layout?.marksHolders === true;
  // Where holders mark their nodes, a hand-over shows the next one in the queue that its predecessor no longer waits.
  plan.rule = { type: 'semaphore', maxLeases, waiterWatches: marksHolders ? 'predecessor-or-children' : 'nothing' };
  if (marksHolders) plan.holderMark = holderMark;
  const attempt = acquireInQueue(plan, limits, report);
  return marksHolders ? markHolder(client, attempt, limits) : attempt;
}

function leasePlan({ client, path, spec, identifier }: Target, layout: LeaseNodeLayout): OwnNodePlan {
  const limit = Buffer.from(String(spec.maxLeases ?? 1));
  const madeFirst = layout.made === 'first';
  return {
    client,
    directory: layout.leases(path),
    mode: madeFirst ? 'ephemeral_sequential' : 'ephemeral',
    name: layout.leaseName,
    data: () => Buffer.from(identifier),
    hasIdInName: true,
    making: madeFirst ? {} : { data: limit, mode: 'persistent' },
  };
}

function planOf(target: Target, recipe: QueueRecipe, dialect: DialectId, directory: string): QueuePlan {
  const { client, identifier } = target;
  const { lockName, hostName, besideOthers = false } = target.spec;
  const { prefix, hasIdInName } = namingOf(target, dialect, recipe);
  return {
    client,
    directory,
    mode: 'ephemeral_sequential',
    name: attemptId => prefix({ attemptId, sessionId: client.sessionId, lockName, hostName }),
    data: attemptId => Buffer.from(hasIdInName ? identifier : `${identifier} #${shortId(attemptId)}`),
    hasIdInName,
    besideOthers,
    making: { mode: traitsOf(dialect).needsDirectory === true ? 'persistent' : 'container' },
  };
}

/** @throws WrongDialect when the library has no such recipe */
function namingOf({ path }: Target, dialect: DialectId, recipe: QueueRecipe): ContenderNaming {
  const naming = contenderNaming(dialect, recipe);
  if (naming === undefined) throw new WrongDialect(path, { kind: 'no-recipe', dialect, recipe });
  return naming;
}
