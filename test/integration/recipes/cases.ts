import type { QueueRecipe } from '../../../src/locks/dialect.ts';
import { writableDialects } from '../../../src/locks/libraries/registry.ts';
import type { DialectId } from '../../../src/locks/lockQueue.ts';
import { createLock, type LockSpec } from '../../../src/recipes/createLock.ts';
import type { AcquireOptions, Lease, Lock, Place } from '../../../src/recipes/lock.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';

/** A recipe in one dialect. */
export interface RecipeCase {
  title: string;
  recipe: LockSpec['recipe'];
  dialect: DialectId | undefined;
  /** How many hold it at once. */
  limit: number;
  /** Written in front of the letters of `rw-letters`. */
  hostName?: string;
}

const recipes: readonly QueueRecipe[] = ['mutex', 'read', 'write', 'semaphore'];

/** Every recipe in every dialect that can be written. */
export const allCases: readonly RecipeCase[] = [
  ...recipes.flatMap(recipe =>
    writableDialects(recipe).map(dialect => ({
      title: `${recipe} (${dialect})`,
      recipe,
      dialect,
      limit: recipe === 'semaphore' ? 2 : 1,
    })),
  ),
  ...(['read', 'write'] as const).map(recipe => ({
    title: `${recipe} (rw-letters with a host's name)`,
    recipe,
    dialect: 'rw-letters' as const,
    limit: 1,
    hostName: 'web-1.example',
  })),
  { title: 'exclusive', recipe: 'exclusive', dialect: undefined, limit: 1 },
];

/** Where the tests take their lock. */
export const lockPath = '/locks/orders';

/** The lock of a case. */
export function lockOf(
  client: ZooKeeperClient,
  { recipe, dialect, limit, hostName }: RecipeCase,
  path = lockPath,
): Lock {
  const spec: LockSpec = { recipe, maxLeases: limit, identifier: 'tester' };
  if (hostName !== undefined) spec.hostName = hostName;
  return createLock(client, path, dialect === undefined ? spec : { ...spec, dialect });
}

/** A lock that keeps the case's own out: the write lock for readers, the same kind for everything else. */
export function rivalOf(client: ZooKeeperClient, one: RecipeCase, path = lockPath): Lock {
  return lockOf(client, one.recipe === 'read' ? { ...one, recipe: 'write' } : one, path);
}

/** A running attempt. */
export interface Attempt {
  taking: Promise<Lease>;
  /** Resolves when the attempt has looked at the queue and waits. */
  waits: Promise<Place>;
  places: Place[];
}

/** Starts to acquire, without waiting for the outcome. */
export function begin(lock: Lock, options: Omit<AcquireOptions, 'onWaiting'> = {}): Attempt {
  const waiting = Promise.withResolvers<Place>();
  const places: Place[] = [];
  const taking = lock.acquire({
    ...options,
    onWaiting: place => {
      places.push(place);
      waiting.resolve(place);
    },
  });
  // The caller that awaits `taking` sees a failure; `waits` must not hang on it.
  taking.then(
    () => waiting.reject(new Error('It did not wait.')),
    (error: unknown) => waiting.reject(error instanceof Error ? error : new Error(String(error))),
  );
  waiting.promise.catch(() => undefined);
  return { taking, waits: waiting.promise, places };
}

/** Waits until all that a client has asked is answered. What sets a watch is sent a moment after it was asked for. */
export async function untilAnswered(client: ZooKeeperClient): Promise<void> {
  await client.exists('/');
  await client.exists('/');
}

/** Fills all places of a lock, so that the next one waits. @returns the leases, oldest first */
export async function fill(lock: () => Promise<Lock>, limit: number): Promise<Lease[]> {
  const leases: Lease[] = [];
  for (let taken = 0; taken < limit; taken++) leases.push(await (await lock()).acquire({ timeoutMs: 5_000 }));
  return leases;
}
