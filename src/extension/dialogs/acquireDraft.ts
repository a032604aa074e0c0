import type { DialectId } from '../../locks/lockQueue.ts';
import type { ClusterBrowser } from '../../app/clusters/clusterBrowser.ts';
import type { OfferedDialect } from '../../app/testLocks/dialectChoice.ts';
import type { TestLockRequest, TestRecipe } from '../../app/testLocks/testLock.ts';

/** The answers so far. */
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
  /** `undefined`: not answered yet. */
  autoReleaseMs: number | 'never' | undefined;
  identifier: string;
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
