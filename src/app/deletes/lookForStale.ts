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
  /** Nodes whose owner session lives, or may live: to be offered on request only. */
  living: StaleChoice[];
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
    gatherOwnersAndWatches(browser.node, client, ownerQuery, signal),
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
 * so no empty directory is picked beforehand. Nodes that no session owns stay in the list, though their programs may live: they
 * outlive their programs, so most of them are what this list is opened for. They are not picked beforehand either.
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
  const isLiving = ({ owner }: StaleFinding): boolean => owner.alive === 'yes' || owner.alive === 'unknown';
  const contenders = allowed.filter(finding => !isLiving(finding)).map(contenderChoice);
  const directories = empties.map((empty): StaleChoice => {
    return { kind: 'empty lock', path: empty.path, empty, isPicked: false };
  });
  const choices = [...contenders, ...directories].slice(0, maxActs);
  const owned = allowed.filter(isLiving).map(contenderChoice);
  const living = owned.slice(0, maxActs - choices.length);
  return {
    choices,
    living,
    leftOut: Math.max(0, contenders.length - maxActs) + owned.length - living.length,
    guarded: findings.length - allowed.length,
  };
}

function contenderChoice(finding: StaleFinding): StaleChoice {
  return { kind: 'contender', path: finding.contender.path, finding, isPicked: isSafe(finding) };
}

/** Only nodes whose owner is known to be dead are picked beforehand. */
function isSafe({ confidence, owner }: StaleFinding): boolean {
  return confidence !== 'possible' && owner.alive === 'no';
}

/** The owners of the chosen contenders; empty directories have none. */
export function ownersOf(chosen: readonly StaleChoice[]): OwnerStatus[] {
  return chosen.flatMap(choice => (choice.kind === 'contender' ? [choice.finding.owner] : []));
}

/** Those of living owners first, then those that may be alive. */
export function byStake(chosen: readonly StaleChoice[]): StaleChoice[] {
  const order: OwnerStatus['alive'][] = ['no', 'no-owner', 'unknown', 'yes'];
  const stakeOf = (choice: StaleChoice): number =>
    choice.kind === 'contender' ? order.indexOf(choice.finding.owner.alive) : -1;
  return chosen.toSorted((one, other) => stakeOf(other) - stakeOf(one));
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

/** Reads the locks of the deleted nodes again; live ones change by their watch. */
export async function refreshTouched(
  browser: Pick<ClusterBrowser, 'node' | 'refresh'>,
  paths: ReadonlySet<string>,
): Promise<void> {
  const touched = [...browser.node.locks.values()].filter(
    ({ path, queue, live }) =>
      !live && (paths.has(path) || queue?.contenders.some(contender => paths.has(contender.path)) === true),
  );
  for (const path of new Set(touched.map(lock => lock.path))) await browser.refresh(path);
}
