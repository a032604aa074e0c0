import { FactError } from '../../base/factError.ts';
import type { DialectId } from '../../locks/lockQueue.ts';
import type { LeaseCause } from '../../recipes/lock.ts';
import type { ClusterNode } from '../clusters/clusterModel.ts';

/** The recipes of the commands; `several`: several mutexes as one lock. */
export type TestRecipe = 'exclusive' | 'read' | 'write' | 'mutex' | 'semaphore' | 'several';

/** The answers of the user, or of another extension, to what is to be acquired. */
export interface TestLockRequest {
  cluster: ClusterNode;
  recipe: TestRecipe;
  /** One, except for `several`; in the order of acquiring. */
  paths: readonly string[];
  /** `undefined`: the one in use at the path, Curator's on an empty path. */
  dialect: DialectId | undefined;
  /** Written before `-R-` and `-W-`. */
  hostName?: string;
  /** Distinguishes several locks in one directory. */
  lockName?: string;
  /** How many may hold a semaphore at once. */
  maxLeases?: number;
  identifier: string;
  /** 0: try once. `undefined`: no limit. */
  timeoutMs: number | undefined;
  /** `undefined`: held until the user releases it. */
  autoReleaseMs: number | undefined;
}

/** The place of a waiting test lock in its queue. */
export interface Standing {
  /** 1 is the head of the queue; `undefined` where there is no order (an exclusive node). */
  position: number | undefined;
  /** The contender whose end it waits for, and the holder now. Foreign texts. */
  waitsFor: string;
  holder: string;
  /** The lock of `several` that it waits for now. */
  path: string;
}

export interface Hold {
  /** czxid of the own node, of the first one for several locks. */
  token: bigint;
  /** Own nodes. */
  paths: readonly string[];
  /** Monotonic ms. */
  since: number;
  /** Monotonic ms; `undefined`: never by itself. */
  releasesAt: number | undefined;
}

export type AutoReleaseCause = 'time' | 'silent-window';

/** See `Transition` for the order in which they follow each other. */
export type TestLockState =
  | { kind: 'connecting' }
  /** `uncertain`: no confirmed contact, so the standing may be out of date and the place in the queue lost. */
  | { kind: 'waiting'; standing: Standing | undefined; uncertain: boolean }
  | { kind: 'held'; hold: Hold }
  /** No confirmed contact: another client may have the lock already. */
  | { kind: 'uncertain'; hold: Hold; cause: LeaseCause | undefined }
  /** Final: the session is over, or the node was deleted. `at` is epoch ms. */
  | { kind: 'lost'; hold: Hold; cause: LeaseCause | undefined; at: number }
  | { kind: 'releasing'; hold: Hold }
  /** Some own nodes could not be deleted; they go with the session. */
  | { kind: 'stuck'; hold: Hold; error: unknown }
  /** Released because its time was up, or given up since the window did not answer. `at` is epoch ms. */
  | { kind: 'auto-released'; at: number; cause: AutoReleaseCause };

/** A row of the Test Locks view: plain data, changed by the registry only. */
export interface TestLock {
  readonly type: 'testLock';
  readonly id: string;
  readonly request: TestLockRequest;
  state: TestLockState;
}

/** An own node could not be deleted, and other test locks need the session that would take it along: its row must stay. */
export class NodeRemains extends FactError {
  readonly lock: TestLock;

  constructor(lock: TestLock, cause: unknown) {
    super('NodeRemains', lock.request.paths.join(', '), { cause });
    this.lock = lock;
  }
}

/** This window holds the lock already, so that waiting for it would never end by itself. */
export class SelfBlocked extends FactError {
  readonly path: string;
  readonly lock: TestLock;

  constructor(path: string, lock: TestLock) {
    super('SelfBlocked', `${path} ${lock.request.recipe}`);
    this.path = path;
    this.lock = lock;
  }
}

/** Whether own nodes may exist that block others. */
export function mayHold({ state }: TestLock): boolean {
  return state.kind === 'held' || state.kind === 'uncertain' || state.kind === 'releasing' || state.kind === 'stuck';
}

export function isWaiting({ state }: TestLock): boolean {
  return state.kind === 'connecting' || state.kind === 'waiting';
}

/** Whether there is something to release or to cancel. */
export function isActive(lock: TestLock): boolean {
  return mayHold(lock) || isWaiting(lock);
}

/**
 * Whether the end of the session would lose the lock. Not if it was released, nor if only the session's end can delete its
 * node. When one of several locks is lost, the others are held until the row is dismissed.
 */
export function needsSession(lock: TestLock): boolean {
  const { kind } = lock.state;
  return kind === 'lost' ? lock.request.paths.length > 1 : isActive(lock) && kind !== 'stuck';
}

/** Whether own nodes may exist, in a queue or as holders: those of a window that is gone must go too. */
export function endsWithWindow(lock: TestLock): boolean {
  return isActive(lock) || needsSession(lock);
}

/** Whether it will be released by itself when its time is up. */
export function isTimed({ state }: TestLock): boolean {
  return (state.kind === 'held' || state.kind === 'uncertain') && state.hold.releasesAt !== undefined;
}

export function isProduction({ request }: TestLock): boolean {
  return request.cluster.profile.environment === 'production';
}

/**
 * Finds a lock of this window that the request would wait for: a deadlock within this window until that lock is released.
 * Readers do not block readers; a semaphore blocks once the own leases fill it; locks with different names do not block.
 *
 * @returns the lock to release first, and the path that both need
 */
export function findSelfBlock(
  wanted: TestLockRequest,
  locks: readonly TestLock[],
): { lock: TestLock; path: string } | undefined {
  for (const path of wanted.paths) {
    const met = locks.filter(lock => mayHold(lock) && meets(wanted, lock.request, path));
    const [first] = met;
    if (first === undefined) continue;
    const free = wanted.recipe === 'semaphore' ? (wanted.maxLeases ?? 1) : 1;
    if (met.length >= free) return { lock: first, path };
  }
  return undefined;
}

function meets(wanted: TestLockRequest, held: TestLockRequest, path: string): boolean {
  if (wanted.cluster.id !== held.cluster.id || !held.paths.includes(path)) return false;
  if (wanted.lockName !== held.lockName) return false;
  if (wanted.recipe === 'read' && held.recipe === 'read') return false;
  // A semaphore's leases and a mutex at one path stand in different directories, or the recipe reports the conflict.
  return (wanted.recipe === 'semaphore') === (held.recipe === 'semaphore');
}

/** From good to bad. */
const ranks = ['waiting', 'held', 'uncertain', 'lost'] as const;

export type WorstState = (typeof ranks)[number];

/** How many test locks of the window are in which state; each lock counts once. */
export interface Summary extends Record<WorstState, number> {
  /** `undefined` when no lock is in any of these states. */
  worst: WorstState | undefined;
  holdsOnProduction: boolean;
}

/** `uncertain`: held or waiting without confirmed contact, or not released. */
function rankOf({ state }: TestLock): WorstState | undefined {
  switch (state.kind) {
    case 'connecting':
      return 'waiting';
    case 'waiting':
      return state.uncertain ? 'uncertain' : 'waiting';
    case 'held':
    case 'releasing':
      return 'held';
    case 'uncertain':
    case 'stuck':
      return 'uncertain';
    case 'lost':
      return 'lost';
    case 'auto-released':
      return undefined;
  }
}

export function summaryOf(locks: readonly TestLock[]): Summary {
  const counts = { waiting: 0, held: 0, uncertain: 0, lost: 0 };
  for (const lock of locks) {
    const rank = rankOf(lock);
    if (rank !== undefined) counts[rank]++;
  }
  return {
    ...counts,
    worst: ranks.findLast(rank => counts[rank] > 0),
    holdsOnProduction: locks.some(lock => mayHold(lock) && isProduction(lock)),
  };
}
