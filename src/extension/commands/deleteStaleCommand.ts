import { l10n } from 'vscode';
import { displayText, escapeUnseen } from '../../base/displayText.ts';
import type { ClusterBrowser } from '../../app/clusters/clusterBrowser.ts';
import { serverTime } from '../../app/clusters/clusterModel.ts';
import { ReadOnlyCluster } from '../../app/clusters/clusterErrors.ts';
import { runDeletes, type PlannedAct } from '../../app/deletes/deletePipeline.ts';
import { mustTypeName } from '../../app/deletes/lookAtContender.ts';
import { actFor, lookForStale, ownersOf, type StaleLook } from '../../app/deletes/lookForStale.ts';
import { leftOutLines, loadProgressText } from '../words/loadText.ts';
import { choiceText, staleQuestion, staleReport } from '../words/staleText.ts';
import { documentText } from '../platform/readOnlyTexts.ts';
import { withProgress } from '../platform/withProgress.ts';
import { askTypedName } from '../dialogs/deleteQuestions.ts';
import { askMany } from '../dialogs/quickInput.ts';
import { ownerQueryOptions, type DiagnosisParts } from './diagnosisParts.ts';

/** *Delete Stale Nodes…*: lists stale nodes with reasons, asks once, deletes one after the other, and reports each. */
export async function deleteStaleCommand(parts: DiagnosisParts, argument: unknown): Promise<void> {
  const { registry, audit, targets, texts, ownLocks } = parts;
  const row = targets.row(argument);
  const browser = await targets.browser(argument, l10n.t('Delete Stale Nodes'));
  const { name, readOnly } = browser.node.profile;
  if (readOnly === true) throw new ReadOnlyCluster(name, 'delete');
  let notes: string[] = [];
  const reports = await runDeletes({ registry, audit, sessions: ownLocks }, browser.node, {
    look: async () => {
      const client = await targets.client(browser);
      return withProgress(l10n.t('Looking for stale nodes on {0}', displayText(name)), (signal, report) =>
        lookForStale(browser, client, row?.type === 'lock' ? row : undefined, {
          ownerQuery: ownerQueryOptions(parts),
          signal,
          onProgress: progress => report(loadProgressText(progress)),
        }),
      );
    },
    confirm: async seen => {
      notes = leftOutLines(seen);
      return confirm(parts, browser, seen);
    },
    withProgress: (count, work) =>
      withProgress(l10n.t('Deleting nodes ({0})', count), (signal, report) =>
        work(signal, done => report(l10n.t('{0} of {1}', done, count))),
      ),
  });
  if (reports.length === 0) return;
  await refreshTouched(browser, new Set(reports.map(({ act }) => act.target.path)));
  await texts.show('stale-nodes.txt', staleReport({ cluster: name, reports, notes }, documentText));
}

/** The choice, one question, and the cluster's name where a click is not enough. @throws CancelledError */
async function confirm(
  { reporter }: DiagnosisParts,
  { node }: ClusterBrowser,
  { choices }: StaleLook,
): Promise<PlannedAct[]> {
  const title = l10n.t('Delete Stale Nodes');
  if (choices.length === 0) {
    reporter.inform(l10n.t('No stale nodes found.'));
    return [];
  }
  const { profile } = node;
  const now = serverTime(node, Date.now());
  const chosen = await askMany({
    title,
    placeholder: l10n.t('What is deleted? Nodes whose owner may be alive are not preselected.'),
    choices: choices.map(value => ({ ...choiceText(value, now), value, isPicked: value.isPicked })),
  });
  if (chosen.length === 0) return [];
  const { question, detail } = staleQuestion(profile, chosen);
  if (!(await reporter.confirm(question, detail, l10n.t('Delete')))) return [];
  if (mustTypeName(profile, ownersOf(chosen))) await askTypedName(title, escapeUnseen(profile.name).trim());
  return chosen.map(actFor);
}

/** Reads the locks of the deleted nodes again; live ones change by their watch. */
async function refreshTouched(browser: ClusterBrowser, paths: ReadonlySet<string>): Promise<void> {
  const touched = [...browser.node.locks.values()].filter(
    ({ path, queue, live }) =>
      !live && (paths.has(path) || queue?.contenders.some(contender => paths.has(contender.path)) === true),
  );
  for (const path of new Set(touched.map(lock => lock.path))) await browser.refresh(path);
}
