import { parentPath } from '../../base/paths.ts';
import { confirmFindings } from '../../inspector/confirmFindings.ts';
import { guardPath } from '../../inspector/deleteGuards.ts';
import { findEmptyLocks, type EmptyLock } from '../../inspector/emptyLocks.ts';
import { findOwnerless, findStale, type StaleFinding } from '../../inspector/findStale.ts';
import type { OwnerStatus } from '../../inspector/owners/ownerFacts.ts';
import { readQueues } from '../../inspector/readQueues.ts';
import { isLockDirectory, isSingleNode } from '../../locks/libraries/singleNode.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import { CancelledError } from '../../zookeeper/errors.ts';
import type { ClusterBrowser } from '../clusters/clusterBrowser.ts';
import { serverTime, type LockNode } from '../clusters/clusterModel.ts';
import type { ClusterProfile } from '../clusters/clusterProfile.ts';
import { loadAllLocks, type LoadedLocks, type LoadProgress } from '../clusters/loadAllLocks.ts';
import { loadedQueues } from '../clusters/queueMarks.ts';
import { gatherOwnersAndWatches, type OwnerQueryOptions } from '../owners/gatherFacts.ts';
import { guardsOf, maxActs, type PlannedAct } from './deletePipeline.ts';

/** One line of the list that the user chooses from. */
export type StaleChoice = { path: string; isPicked: boolean } & (
  { kind: 'contender'; finding: StaleFinding } | { kind: 'empty lock'; empty: EmptyLock }
);

/** What can be deleted, and what had to be left out. */
export interface StaleLook {
  choices: StaleChoice[];
  /** Findings beyond `maxActs`. */
  leftOut: number;
  /** Findings with a guarded path. */
  guarded: number;
  /** What was read of the whole cluster; absent for one lock. */
  loaded?: LoadedLocks;
}

export interface StaleLookOptions {
  ownerQuery: OwnerQueryOptions;
  signal: AbortSignal;
  onProgress: (progress: LoadProgress) => void;
}

/**
 * Reads one lock, or all locks of the cluster, and then asks for owners and watches, since facts about sessions must be younger than
 * the queues. Each queue is read once; those with findings that rest on these facts are read again afterwards.
 *
 * @throws CancelledError; what reading throws
 */
export async function lookForStale(
  browser: Pick<ClusterBrowser, 'node' | 'findBelowRoots' | 'refresh'>,
  client: ZooKeeperClient,
  lock: LockNode | undefined,
  { ownerQuery, signal, onProgress }: StaleLookOptions,
): Promise<StaleLook> {
  const { profile } = browser.node;
  const loaded = lock === undefined ? await loadAllLocks(browser, signal, onProgress) : undefined;
  const queuesReadAt = Date.now();
  const queues =
    lock === undefined
      ? loadedQueues(browser.node)
      : browser.node.sightings.narrow(await readQueues(client, lock.path, { signal }));
  // Beside a lock that is one node stand other things than locks, unless the directory is called after them.
  const directories = queues.filter(queue => !isSingleNode(queue) || isLockDirectory(parentPath(queue.path)));
  const paths = lock === undefined ? directories.map(({ path }) => path) : [lock.path];
  const parents = paths.map(parentPath).filter(path => lock !== undefined || path !== '/');
  const [facts, empties] = await Promise.all([
    gatherOwnersAndWatches(profile, client, ownerQuery, signal),
    findEmptyLocks(client, parents, signal),
  ]);
  if (signal.aborted) throw new CancelledError('Delete Stale Nodes');
  const now = serverTime(browser.node, Date.now());
  const found = findStale(queues, { queuesReadAt, ...facts, now });
  const findings = [...(await confirmFindings(client, found, signal)), ...findOwnerless(queues)];
  const wanted = lock === undefined ? empties : empties.filter(({ path }) => path === lock.path);
  return { ...staleChoices(profile, findings, wanted), ...(loaded && { loaded }) };
}

/**
 * Contenders first, the most certain ones first; never more than can be deleted at once. An idle lock is an empty directory too,
 * so no empty directory is picked beforehand.
 *
 * @param findings in the order of `findStale`, those of `findOwnerless` last
 */
export function staleChoices(
  profile: ClusterProfile,
  findings: readonly StaleFinding[],
  empties: readonly EmptyLock[],
): StaleLook {
  const guards = guardsOf(profile);
  const allowed = findings.filter(({ contender }) => guardPath(contender.path, guards) === undefined);
  const contenders = allowed.map((finding): StaleChoice => {
    return { kind: 'contender', path: finding.contender.path, finding, isPicked: isSafe(finding) };
  });
  const directories = empties.map((empty): StaleChoice => {
    return { kind: 'empty lock', path: empty.path, empty, isPicked: false };
  });
  return {
    choices: [...contenders, ...directories].slice(0, maxActs),
    leftOut: Math.max(0, contenders.length - maxActs),
    guarded: findings.length - allowed.length,
  };
}

/** Only nodes whose owner is known to be dead are picked beforehand. */
function isSafe({ confidence, owner }: StaleFinding): boolean {
  return confidence !== 'possible' && owner.alive === 'no';
}

/** The owners of the chosen contenders; empty directories have none. */
export function ownersOf(chosen: readonly StaleChoice[]): OwnerStatus[] {
  return chosen.flatMap(choice => (choice.kind === 'contender' ? [choice.finding.owner] : []));
}

/** The act for a chosen line. */
export function actFor(choice: StaleChoice): PlannedAct {
  if (choice.kind === 'empty lock') {
    const { path, czxid } = choice.empty;
    return { action: 'remove empty lock', target: { path, czxid } };
  }
  const { contender } = choice.finding;
  const { path, czxid, ownerSession } = contender;
  return { action: 'delete stale', target: { path, czxid, ownerSession }, recognised: contender };
}
