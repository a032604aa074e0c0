import { hostname } from 'node:os';
import { contenderNaming, writtenDialect, type NameParts, type QueueRecipe } from '../locks/contenderNames.ts';
import type { DialectId } from '../locks/lockQueue.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { childPath } from '../base/paths.ts';
import { AttemptLimits } from './attemptLimits.ts';
import { chooseDialect, refusePartOfSemaphore } from './pathInUse.ts';
import { WrongDialect } from './errors.ts';
import { cleanUpOwnNode, dataId, type OwnNode } from './ownNode.ts';
import { ExclusiveAttempt } from './exclusiveAttempt.ts';
import { holderMark, KazooSemaphoreAttempt, markHolder, SemaphoreV2Attempt } from './semaphoreAttempt.ts';
import type { AcquireOptions, Lease, Lock, Place } from './lock.ts';
import { OwnedLease } from './ownedLease.ts';
import { QueueAttempt, type QueuePlan } from './queueAttempt.ts';
import { ReentrantMutex } from './reentrantMutex.ts';

export interface LockSpec {
  recipe: 'mutex' | 'exclusive' | 'read' | 'write' | 'semaphore';
  /** Default: the one in use at the path; Curator's on an empty path. */
  dialect?: DialectId;
  /** How many may hold a semaphore at once. Default 1. */
  maxLeases?: number;
  /** Who we are; stands in the node's data. Default: the host's name. */
  identifier?: string;
  /** Which of several locks in one directory (`named-lock`). */
  lockName?: string;
  /** Written in front of `-R-` and `-W-` (`rw-letters`). */
  hostName?: string;
}

/**
 * Whose services fail when an empty directory vanishes: kazoo's locks look for it once (lock.py, assured_path), ZooKeeper's own
 * before they list or create, and take its absence then for an error (WriteLock.java, zoo_lock.c).
 */
const needsDirectory: ReadonlySet<DialectId> = new Set(['kazoo', 'zookeeper-writelock', 'zookeeper-writelock-c']);

type Tell = (place: Place) => void;

interface Target {
  client: ZooKeeperClient;
  path: string;
  spec: LockSpec;
  identifier: string;
}

/**
 * Makes a lock object; nothing is sent before `acquire`.
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
  if (recipe === 'exclusive') return queueLock(target, exclusiveRun(target), false);
  if (spec.dialect !== undefined) namingOf(target, spec.dialect, recipe);
  const run = queueRun(target, recipe);
  const lock = queueLock(target, run, true);
  return recipe === 'mutex' ? new ReentrantMutex(lock) : lock;
}

function checkSpec({ maxLeases = 1, lockName = 'lock' }: LockSpec): void {
  if (!Number.isInteger(maxLeases) || maxLeases < 1) throw new RangeError('A semaphore needs a limit of 1 or more.');
  if (lockName === '' || lockName.includes('_lock_') || lockName.includes('/')) {
    throw new RangeError('A lock name must not be empty and must not contain "_lock_" or "/".');
  }
}

/** How long a failed attempt may clean up before its caller is told; on a dead connection it goes on afterwards. */
const cleanUpGraceMs = 1_000;

type Run = (limits: AttemptLimits, tell: Tell) => Promise<OwnNode>;

function queueLock({ client, path }: Target, run: Run, isNameUnique: boolean): Lock {
  return {
    path,
    async acquire(options: AcquireOptions = {}): Promise<Lease> {
      const limits = new AttemptLimits(path, options);
      const attempt = run(limits, options.onWaiting ?? (() => undefined));
      const node = await limits.inTime(attempt, cleanUpGraceMs, late => cleanUpOwnNode(client, late, isNameUnique));
      // A semaphore's last step, leaving the queue, ends with the session too: what it yields then is gone.
      limits.throwIfLost(client);
      return new OwnedLease(client, node, isNameUnique);
    },
  };
}

function exclusiveRun({ client, path, identifier }: Target): Run {
  const data = (attemptId: string): Uint8Array => Buffer.from(`${identifier} #${dataId(attemptId)}`);
  return (limits, tell) => new ExclusiveAttempt({ client, path, data }, limits, tell).run();
}

function queueRun(target: Target, recipe: QueueRecipe): Run {
  let dialect = target.spec.dialect;
  return async (limits, tell) => {
    limits.throwIfCancelled();
    dialect ??= await chooseDialect(target.client, target.path, recipe, limits);
    return startAttempt(target, recipe, writtenDialect(dialect), limits, tell);
  };
}

function startAttempt(
  target: Target,
  recipe: QueueRecipe,
  dialect: DialectId,
  limits: AttemptLimits,
  tell: Tell,
): Promise<OwnNode> {
  const { client, path, identifier } = target;
  const { maxLeases = 1 } = target.spec;
  if (recipe !== 'semaphore') return new QueueAttempt(planOf(target, recipe, dialect, path), limits, tell).run();
  switch (dialect) {
    case 'curator': {
      const queue = planOf(target, recipe, dialect, childPath(path, 'locks'));
      const plan = { queue, leases: childPath(path, 'leases'), maxLeases, identifier };
      return new SemaphoreV2Attempt(plan, limits, tell).run();
    }
    case 'kazoo': {
      const queue = planOf(target, recipe, dialect, `${path}-__lock__`);
      return new KazooSemaphoreAttempt({ queue, leases: path, maxLeases, identifier }, limits, tell).run();
    }
    default: {
      const plan = planOf(target, recipe, dialect, path);
      const marks = dialect === 'distributedlock-net';
      // Where holders mark their nodes, a hand-over tells the next one in the queue that its predecessor waits no more.
      plan.rule = { type: 'semaphore', maxLeases, waiterWatches: marks ? 'predecessor-or-children' : 'nobody' };
      if (marks) plan.holderMark = holderMark;
      const attempt = new QueueAttempt(plan, limits, tell).run();
      return marks ? markHolder(client, attempt, limits) : attempt;
    }
  }
}

function planOf(target: Target, recipe: QueueRecipe, dialect: DialectId, directory: string): QueuePlan {
  const { client, spec, identifier } = target;
  const { prefix, hasIdInName } = namingOf(target, dialect, recipe);
  const parts = (attemptId: string): NameParts => {
    const named: NameParts = { attemptId, sessionId: client.sessionId };
    if (spec.lockName !== undefined) named.lockName = spec.lockName;
    if (spec.hostName !== undefined) named.hostName = spec.hostName;
    return named;
  };
  return {
    client,
    directory,
    prefix: attemptId => prefix(parts(attemptId)),
    data: attemptId => Buffer.from(hasIdInName ? identifier : `${identifier} #${dataId(attemptId)}`),
    hasIdInName,
    making: { mode: needsDirectory.has(dialect) ? 'persistent' : 'container' },
  };
}

function namingOf(
  { path }: Target,
  dialect: DialectId,
  recipe: QueueRecipe,
): NonNullable<ReturnType<typeof contenderNaming>> {
  const naming = contenderNaming(dialect, recipe);
  if (naming === undefined) {
    throw new WrongDialect(path, { kind: 'no-recipe', dialect, recipe });
  }
  return naming;
}
