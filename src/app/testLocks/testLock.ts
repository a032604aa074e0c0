import type { DialectId } from '../../locks/lockQueue.ts';
import type { LeaseCause } from '../../recipes/leaseCause.ts';
import type { ClusterNode } from '../clusters/clusterModel.ts';

/** What a person may take: the recipes, and several mutexes as one. */
export type TestRecipe = 'exclusive' | 'read' | 'write' | 'mutex' | 'semaphore' | 'several';

/** What the person asked for. */
export interface TestLockRequest {
  cluster: ClusterNode;
  recipe: TestRecipe;
  /** One, except for `several`; in the order of acquiring. */
  paths: readonly string[];
  /** `undefined`: the one in use at the path, Curator's on an empty path. */
  dialect: DialectId | undefined;
  /** Written before `-R-` and `-W-`. */
  hostName?: string;
  /** Tells several locks in one directory apart. */
  lockName?: string;
  /** How many may hold a semaphore at once. */
  maxLeases?: number;
  identifier: string;
  /** 0: try once. `undefined`: no limit. */
  timeoutMs: number | undefined;
  /** `undefined`: held until the person releases it. */
  autoReleaseMs: number | undefined;
}

/** Where a waiting test lock stands. */
export interface Standing {
  /** 1 is the head of the queue; `undefined` where there is no order (an exclusive node). */
  position: number | undefined;
  /** Whose end it waits for, and who holds now. Foreign texts. */
  waitsFor: string;
  holder: string;
  /** The lock of `several` that it waits for now. */
  path: string;
}

/** What is known of a lock that was acquired. */
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

/** Why a row that holds nothing any more is still shown. */
export type TestLockState =
  | { kind: 'connecting' }
  /** `uncertain`: no confirmed contact, so the standing may be out of date and the place in the queue lost. */
  | { kind: 'waiting'; standing: Standing | undefined; uncertain: boolean }
  | { kind: 'held'; hold: Hold }
  /** No confirmed contact: somebody else may have the lock already. */
  | { kind: 'uncertain'; hold: Hold; cause: LeaseCause | undefined }
  /** Final: the session is over, or the node was deleted. `at` is epoch ms. */
  | { kind: 'lost'; hold: Hold; cause: LeaseCause | undefined; at: number }
  | { kind: 'releasing'; hold: Hold }
  /** Some own nodes could not be deleted; they go with the session. */
  | { kind: 'stuck'; hold: Hold; error: unknown }
  /** Released because its time was up. Epoch ms. */
  | { kind: 'auto-released'; at: number };

/** A row of the Test Locks view: plain data, changed by the registry only. */
export interface TestLock {
  readonly type: 'testLock';
  readonly id: string;
  readonly request: TestLockRequest;
  state: TestLockState;
}

/** Whether own nodes may be there that block others. */
export function mayHold({ state }: TestLock): boolean {
  return state.kind === 'held' || state.kind === 'uncertain' || state.kind === 'releasing' || state.kind === 'stuck';
}

/**
 * Whether it would be lost with the session: not so what was given back, nor what only the session's end can give back. Of
 * several locks, those that are left when one is lost are held until the row is dismissed.
 */
export function needsSession(lock: TestLock): boolean {
  const { kind } = lock.state;
  return kind === 'lost' ? lock.request.paths.length > 1 : isActive(lock) && kind !== 'stuck';
}

/** Whether there is something to release or to cancel. */
export function isActive(lock: TestLock): boolean {
  return mayHold(lock) || isWaiting(lock);
}

/** Whether it is released by itself, as long as nobody keeps it longer. */
export function isTimed({ state }: TestLock): boolean {
  return (state.kind === 'held' || state.kind === 'uncertain') && state.hold.releasesAt !== undefined;
}

/** Whether the attempt goes on. */
export function isWaiting({ state }: TestLock): boolean {
  return state.kind === 'connecting' || state.kind === 'waiting';
}

export function isProduction({ request }: TestLock): boolean {
  return request.cluster.profile.environment === 'production';
}
