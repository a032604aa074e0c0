import type { DialectId } from './lockQueue.ts';

/** What a recipe asks for. `exclusive` is the single ephemeral node; it has no queue and so no names. */
export type QueueRecipe = 'mutex' | 'read' | 'write' | 'semaphore';

/** What the names are made of. */
export interface NameParts {
  /** A UUID with dashes, new for every create. */
  attemptId: string;
  sessionId: bigint;
  /** Only for dialects that tell several locks in one directory apart. */
  lockName?: string;
  /** Only for `<hostname>-R-`. */
  hostName?: string;
}

export interface ContenderNaming {
  /** The name without the number that the server appends. */
  prefix: (parts: NameParts) => string;
  /** Whether the name holds the attempt's id; if not, the node's data must. */
  hasIdInName: boolean;
}

const hex = (attemptId: string): string => attemptId.replaceAll('-', '');

const curator = (marker: string): ContenderNaming => ({
  prefix: ({ attemptId }) => `_c_${attemptId}-${marker}`,
  hasIdInName: true,
});

const kazoo = (marker: string): ContenderNaming => ({
  prefix: ({ attemptId }) => `${hex(attemptId)}${marker}`,
  hasIdInName: true,
});

const fixed = (text: string): ContenderNaming => ({ prefix: () => text, hasIdInName: false });

const letter = (text: string): ContenderNaming => ({
  prefix: ({ hostName }) => (hostName === undefined ? `${text}-` : `${hostName}-${text}-`),
  hasIdInName: false,
});

/** Unsigned hex, as go and C libraries write 64-bit ids. */
const hexSession = (sessionId: bigint): string => BigInt.asUintN(64, sessionId).toString(16).padStart(16, '0');

/**
 * Dialects that can be written, with a naming for each recipe that the library itself offers (docs/dialects.md, 1-3).
 */
const namings: ReadonlyMap<DialectId, Partial<Record<QueueRecipe, ContenderNaming>>> = new Map<
  DialectId,
  Partial<Record<QueueRecipe, ContenderNaming>>
>([
  [
    'curator',
    // ProtectedUtils.java; InterProcessMutex, InterProcessReadWriteLock. The semaphore's queue uses the mutex' names.
    { mutex: curator('lock-'), read: curator('__READ__'), write: curator('__WRIT__'), semaphore: curator('lock-') },
  ],
  [
    'kazoo',
    // kazoo/recipe/lock.py. WriteLock and Lock have the same names.
    { mutex: kazoo('__lock__'), read: kazoo('__rlock__'), write: kazoo('__lock__'), semaphore: kazoo('__lock__') },
  ],
  [
    'go-zookeeper',
    { mutex: { prefix: ({ attemptId }) => `_c_${hex(attemptId)}-lock-`, hasIdInName: true } }, // conn.go, lock.go
  ],
  [
    'zookeeper-writelock',
    { mutex: { prefix: ({ sessionId }) => `x-${String(sessionId)}-`, hasIdInName: false } }, // WriteLock.java
  ],
  [
    'zookeeper-writelock-c',
    { mutex: { prefix: ({ sessionId }) => `x-${hexSession(sessionId)}-`, hasIdInName: false } }, // zoo_lock.c
  ],
  ['rw-letters', { read: letter('R'), write: letter('W') }],
  ['named-lock', { mutex: { prefix: ({ lockName = 'lock' }) => `${lockName}_lock_`, hasIdInName: false } }],
  ['session-named', { mutex: { prefix: ({ sessionId }) => `lock-${String(sessionId)}-`, hasIdInName: false } }],
  [
    'distributedlock-net',
    { mutex: fixed('lock-'), read: fixed('read-'), write: fixed('write-'), semaphore: fixed('semaphore-') },
  ],
  ['zk-ruby', { mutex: fixed('ex'), read: fixed('sh'), write: fixed('ex'), semaphore: fixed('sem') }], // lib/zk/locker
]);

/** Dialects of semaphores are written by the name of their family. */
const families: ReadonlyMap<DialectId, DialectId> = new Map<DialectId, DialectId>([
  ['curator-semaphore', 'curator'],
  ['kazoo-semaphore', 'kazoo'],
  ['distributedlock-net-semaphore', 'distributedlock-net'],
  ['zk-ruby-semaphore', 'zk-ruby'],
]);

/** @returns the dialect whose names are written for `dialect`; itself for most */
export function writtenDialect(dialect: DialectId): DialectId {
  return families.get(dialect) ?? dialect;
}

/** @returns how `recipe` names its contenders in `dialect`; `undefined` if that library has no such recipe */
export function contenderNaming(dialect: DialectId, recipe: QueueRecipe): ContenderNaming | undefined {
  if (isSemaphore(dialect) && recipe !== 'semaphore') return undefined;
  return namings.get(writtenDialect(dialect))?.[recipe];
}

/** Whether what was found is a semaphore, by its dialect. */
export function isSemaphore(found: DialectId): boolean {
  return families.has(found);
}

/**
 * Whether `recipe` excludes, and is excluded by, the locks that were found. Semaphores stand in other directories than the
 * locks of the same library, or under names that those look past: neither would see the other.
 */
export function canJoin(found: DialectId, recipe: QueueRecipe): boolean {
  return isSemaphore(found) === (recipe === 'semaphore') && contenderNaming(found, recipe) !== undefined;
}

/** @returns the dialects in which `recipe` can be taken, Curator first */
export function writableDialects(recipe: QueueRecipe): DialectId[] {
  return [...namings].flatMap(([dialect, recipes]) => (recipes[recipe] === undefined ? [] : [dialect]));
}
