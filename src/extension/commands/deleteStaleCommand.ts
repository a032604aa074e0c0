import { l10n } from 'vscode';
import { deleteStale, planStaleDeletes, type StalePlan } from '../../inspector/deleteStale.ts';
import { findEmptyLocks, type EmptyLock } from '../../inspector/findEmptyLocks.ts';
import { findStale } from '../../inspector/findStale.ts';
import type { DeleteTarget } from '../../inspector/forceDelete.ts';
import { readQueues } from '../../inspector/readQueues.ts';
import { RefusedDelete } from '../../inspector/refusedDelete.ts';
import { removeEmptyLock } from '../../inspector/removeEmptyLock.ts';
import { parentPath } from '../../base/paths.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import { CancelledError } from '../../zookeeper/errors.ts';
import type { ClusterBrowser } from '../../app/clusters/clusterBrowser.ts';
import { sameClusterCheck } from '../../app/clusters/clusterRegistry.ts';
import { ReadOnlyCluster } from '../../app/clusters/clusterErrors.ts';
import { displayText, escapeUnseen } from '../../base/displayText.ts';
import type { LockNode } from '../../app/clusters/clusterModel.ts';
import { actOf } from '../words/auditText.ts';
import { guardsOf } from '../../app/deletes/deleteTarget.ts';
import { askMeans } from './askMeans.ts';
import type { DiagnosisParts } from './diagnosisParts.ts';
import { typeName } from './forceDeleteCommand.ts';
import { gatherOwners, type AskMeans } from '../../app/owners/gatherFacts.ts';
import { gapLines, loadAllLocks } from './loadLocks.ts';
import { loadedQueues } from '../../app/clusters/queueMarks.ts';
import { askMany } from '../dialogs/quickInput.ts';
import { documentText } from '../platform/readOnlyTexts.ts';
import { mustTypeCluster, staleChoices, type StaleChoice } from '../../app/deletes/stalePlan.ts';
import { choiceText, staleQuestion, staleReport, type StaleOutcome } from '../words/staleText.ts';
import { withProgress } from '../platform/withProgress.ts';

interface Candidates {
  plan: StalePlan;
  empties: EmptyLock[];
  notes: string[];
}

/** *Delete Stale Nodes…*: looks, lists with reasons, asks once, deletes one after the other, and reports each. */
export async function deleteStaleCommand(parts: DiagnosisParts, argument: unknown): Promise<void> {
  const { reporter, targets, texts } = parts;
  const title = l10n.t('Delete Stale Nodes');
  const row = targets.row(argument);
  const browser = await targets.browser(argument, title);
  const { profile } = browser.node;
  if (profile.readOnly === true) throw new ReadOnlyCluster(profile.name, 'delete');
  const requireSame = sameClusterCheck(parts.registry, browser.node);
  const client = await targets.client(browser);
  const found = await withProgress(l10n.t('Looking for stale nodes on {0}', displayText(profile.name)), (...progress) =>
    look(browser, client, row?.type === 'lock' ? row : undefined, askMeans(parts), ...progress),
  );
  const choices = staleChoices(found.plan, found.empties);
  if (choices.length === 0) {
    reporter.inform(l10n.t('No stale nodes found.'));
    return;
  }
  const now = Date.now();
  const chosen = await askMany({
    title,
    placeholder: l10n.t('What is deleted? Nodes whose owner may be alive are not preselected.'),
    choices: choices.map(value => ({ ...choiceText(value, now), value, isPicked: value.isPicked })),
  });
  if (chosen.length === 0) return;
  const { question, detail } = staleQuestion(profile, chosen);
  if (!(await reporter.confirm(question, detail, l10n.t('Delete')))) return;
  if (mustTypeCluster(profile, chosen)) await typeName(title, escapeUnseen(profile.name).trim());
  requireSame();
  const outcomes = await deleteAll(parts, browser, chosen);
  await texts.show(
    'stale-nodes.txt',
    staleReport({ cluster: profile.name, outcomes, notes: found.notes }, documentText),
  );
}

/** Reads the lock, or all locks of the cluster, then who owns what: facts must be younger than the queues. */
async function look(
  browser: ClusterBrowser,
  client: ZooKeeperClient,
  lock: LockNode | undefined,
  means: AskMeans,
  signal: AbortSignal,
  report: (message: string) => void,
): Promise<Candidates> {
  const { profile } = browser.node;
  const notes = lock === undefined ? gapLines(await loadAllLocks(browser, signal, report)) : [];
  const queuesReadAt = Date.now();
  const queues = lock === undefined ? loadedQueues(browser.node) : await readQueues(client, lock.path, { signal });
  const parents = new Set(queues.map(({ path }) => parentPath(path)).filter(path => path !== '/'));
  const [owners, empties] = await Promise.all([
    gatherOwners(profile, client, means, signal),
    findEmptyLocks(client, lock === undefined ? [...parents] : [parentPath(lock.path)], signal),
  ]);
  if (signal.aborted) throw new CancelledError('Delete Stale Nodes');
  const findings = findStale(queues, { queuesReadAt, owners, now: Date.now() });
  const plan = planStaleDeletes(findings, guardsOf(profile));
  if (plan.leftOut > 0) notes.push(l10n.t('Left out, because at most 100 are deleted at once: {0}.', plan.leftOut));
  if (plan.guarded.length > 0)
    notes.push(l10n.t('Left out, because their paths are protected: {0}.', plan.guarded.length));
  const own = lock === undefined ? empties : empties.filter(({ path }) => path === lock.path);
  return { plan, empties: own, notes };
}

/** Cancelling takes effect between two deletes. */
async function deleteAll(
  parts: DiagnosisParts,
  browser: ClusterBrowser,
  chosen: readonly StaleChoice[],
): Promise<StaleOutcome[]> {
  const client = await parts.ownLocks.clientOf(browser.node);
  const title = l10n.t('Deleting nodes ({0})', chosen.length);
  const outcomes = await withProgress(title, async (signal, report) => {
    const done: StaleOutcome[] = [];
    for (const choice of chosen) {
      const outcome = await deleteOne(parts, browser, client, choice, signal);
      done.push(outcome);
      report(l10n.t('{0} of {1}', done.length, chosen.length));
    }
    return done;
  });
  const paths = new Set(chosen.map(({ path }) => path));
  const touched = [...browser.node.locks.values()].filter(({ path, queue, live }) => {
    return !live && (paths.has(path) || queue?.contenders.some(contender => paths.has(contender.path)) === true);
  });
  for (const path of new Set(touched.map(lock => lock.path))) await browser.refresh(path);
  return outcomes;
}

async function deleteOne(
  { audit }: DiagnosisParts,
  { node }: ClusterBrowser,
  client: ZooKeeperClient,
  choice: StaleChoice,
  signal: AbortSignal,
): Promise<StaleOutcome> {
  const { path } = choice;
  if (signal.aborted) return { path, outcome: 'cancelled' };
  // The profile is asked again for each: it may become read-only meanwhile.
  const guards = guardsOf(node.profile);
  const outcome =
    choice.kind === 'empty lock'
      ? await removeEmpty(client, choice.empty, guards)
      : await removeStale(client, choice.planned.target, guards);
  const target = choice.kind === 'empty lock' ? { path, czxid: choice.empty.czxid } : choice.planned.target;
  const reason = outcome.error instanceof RefusedDelete ? `: ${outcome.error.reason}` : '';
  const action = choice.kind === 'empty lock' ? 'remove empty lock' : 'delete stale';
  await audit.record(actOf(action, node.profile, target, `${outcome.outcome}${reason}`));
  return outcome;
}

async function removeStale(
  client: ZooKeeperClient,
  target: DeleteTarget,
  guards: ReturnType<typeof guardsOf>,
): Promise<StaleOutcome> {
  const [report] = await deleteStale(client, [target], guards);
  return report ?? { path: target.path, outcome: 'cancelled' };
}

async function removeEmpty(
  client: ZooKeeperClient,
  { path, czxid }: EmptyLock,
  guards: ReturnType<typeof guardsOf>,
): Promise<StaleOutcome> {
  try {
    return { path, outcome: await removeEmptyLock(client, path, { ...guards, czxid }) };
  } catch (error) {
    return { path, outcome: error instanceof RefusedDelete ? 'refused' : 'failed', error };
  }
}
