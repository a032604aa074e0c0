import { hostname, userInfo } from 'node:os';
import type { DialectId } from '../../locks/lockQueue.ts';
import { dialectsInUse, semaphoreAround } from '../../locks/recognition/recognise.ts';
import { WrongDialect } from '../../recipes/errors.ts';
import { joinFault, lookAt } from '../../recipes/pathInUse.ts';
import type { ClusterBrowser } from '../clusters/clusterBrowser.ts';
import type { LockNode } from '../clusters/clusterModel.ts';
import { freeSingleNodes, offeredDialects, queueRecipeOf, type OfferedDialect } from './dialectChoice.ts';
import type { TestLockRequest, TestRecipe } from './testLock.ts';

/** The answers to the questions before a test lock, so far. */
export interface AcquireDraft {
  readonly title: string;
  readonly recipe: TestRecipe;
  browser: ClusterBrowser | undefined;
  /** Of `sameClusterCheck`: for after the last question. There is one when there is a browser. */
  requireSame?: () => void;
  /** The cluster was asked for, and can be asked for again. */
  readonly asksCluster: boolean;
  paths: readonly string[];
  /** The path came with the command. */
  readonly asksPath: boolean;
  /** What stands at the path. */
  inUse: readonly DialectId[];
  /** `undefined`: as in use at each path. */
  dialect: OfferedDialect | undefined;
  maxLeases: number;
  lockName: string | undefined;
  timeoutMs: number | undefined;
  autoReleaseMs: number | 'never';
  identifier: string;
  /** The person wants to choose what has a default. */
  withOptions: boolean;
}

/** The identifier of this window in queues, unless the person types another. */
function defaultIdentifier(): string {
  try {
    return `${userInfo().username}@${hostname()} (VS Code)`;
  } catch {
    // The user has no entry in the system's list (containers).
    return `${hostname()} (VS Code)`;
  }
}

/** The draft of a lock to take, with the default of everything that has one. @param lock the one whose row the command is for */
export function emptyDraft(
  base: Pick<AcquireDraft, 'title' | 'recipe' | 'autoReleaseMs'>,
  browser: ClusterBrowser | undefined,
  lock: LockNode | undefined,
): AcquireDraft {
  return {
    ...base,
    browser,
    asksCluster: browser === undefined,
    paths: lock === undefined ? [] : [libraryPath(lock)],
    asksPath: lock === undefined || base.recipe === 'several',
    inUse: [],
    dialect: undefined,
    maxLeases: lock?.queue?.maxLeases ?? 1,
    lockName: lock?.lockName,
    timeoutMs: 60_000,
    identifier: defaultIdentifier(),
    withOptions: false,
  };
}

/** The only one of several clusters that is connected, else the only one; `undefined`: the person must choose. */
export function onlyCandidate(browsers: readonly ClusterBrowser[]): ClusterBrowser | undefined {
  const connected = browsers.filter(({ connection }) => connection.client !== undefined);
  if (connected.length === 1) return connected[0];
  return browsers.length === 1 ? browsers[0] : undefined;
}

/** @param hostName written where the dialect has a place for it */
export function requestOf(
  draft: AcquireDraft,
  browser: Pick<ClusterBrowser, 'node'>,
  hostName: string,
): TestLockRequest {
  const { recipe, paths, dialect, maxLeases, lockName, identifier, timeoutMs, autoReleaseMs } = draft;
  return {
    cluster: browser.node,
    recipe,
    paths,
    dialect: dialect?.dialect,
    ...(dialect?.withHostName === true ? { hostName } : {}),
    ...(dialect?.dialect === 'named-lock' && lockName !== undefined ? { lockName } : {}),
    ...(recipe === 'semaphore' ? { maxLeases } : {}),
    identifier,
    timeoutMs,
    autoReleaseMs: autoReleaseMs === 'never' ? undefined : autoReleaseMs,
  };
}

/** The path that a library is given for the lock of a row. */
export function libraryPath({ path, dialect }: LockNode): string {
  const semaphore = semaphoreAround(path);
  return semaphore?.dialect === dialect ? semaphore.path : path;
}

/**
 * Looks at what stands at the paths, since the next question and the recipe depend on it.
 *
 * @throws WrongDialect when the recipe cannot be taken there
 */
export async function lookAtPath(draft: AcquireDraft): Promise<void> {
  const recipe = queueRecipeOf(draft.recipe);
  const client = draft.browser?.connection.client;
  draft.inUse = [];
  draft.dialect = undefined;
  if (recipe === undefined || client === undefined) return;
  const inUse = await Promise.all(draft.paths.map(async path => dialectsInUse(path, await lookAt(client, path))));
  for (const [at, path] of draft.paths.entries()) {
    const found = inUse[at] ?? [];
    const dialects = found.length > 0 ? found : freeSingleNodes(locksOf(draft.browser), path);
    const fault = joinFault(path, dialects, recipe);
    if (fault !== undefined) throw new WrongDialect(path, fault);
  }
  // Each of several paths has its own.
  if (draft.recipe === 'several') return;
  draft.inUse = inUse[0] ?? [];
  draft.maxLeases = knownLimit(draft);
  draft.dialect = offeredDialects(recipe, draft.inUse)[0];
}

/** How many may hold the semaphore at the path: as its queue says, if it does. */
function knownLimit({ browser, paths, maxLeases }: AcquireDraft): number {
  return [...locksOf(browser)].find(row => libraryPath(row) === paths[0])?.queue?.maxLeases ?? maxLeases;
}

/** The locks that the tree knows of a cluster. */
export function locksOf(browser: ClusterBrowser | undefined): Iterable<LockNode> {
  return browser?.node.locks.values() ?? [];
}
