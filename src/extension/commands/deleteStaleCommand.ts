import { displayText } from '../../base/displayText.ts';
import type { ClusterBrowser } from '../../app/clusters/clusterBrowser.ts';
import { serverTime } from '../../app/clusters/clusterModel.ts';
import type { ClusterProfile } from '../../app/clusters/clusterProfile.ts';
import { ReadOnlyCluster } from '../../app/clusters/clusterErrors.ts';
import { runDeletes, type PlannedAct } from '../../app/deletes/deletePipeline.ts';
import { mustTypeName } from '../../app/deletes/lookAtContender.ts';
import {
  actFor,
  lookForStale,
  ownersOf,
  refreshTouched,
  type StaleChoice,
  type StaleLook,
} from '../../app/deletes/lookForStale.ts';
import { leftOutLines, loadProgressText } from '../words/loadText.ts';
import { staleList, staleQuestion, staleReport } from '../words/staleText.ts';
import { withProgress } from '../platform/withProgress.ts';
import { askAfterReading, askStaleNodes, askTypedName } from '../dialogs/deleteQuestions.ts';
import { writable } from './targets.ts';
import type { DiagnosisParts } from './diagnosisParts.ts';
import { ownerQueryOptions } from './ownerQuery.ts';
import { l10n } from '../words/language.ts';

/** *Delete Stale Nodes…*: lists stale nodes with reasons, asks once, deletes one after the other, and reports each. */
export async function deleteStaleCommand(parts: DiagnosisParts, argument: unknown): Promise<void> {
  const { registry, audit, targets, texts, ownLocks } = parts;
  const row = targets.row(argument);
  const wanted = writable(l10n.t('Every cluster is marked read-only: nothing is deleted there.'));
  const browser = await targets.browser(argument, l10n.t('Delete Stale Nodes'), wanted);
  const { profile } = browser.node;
  const { name } = profile;
  if (profile.readOnly === true) throw new ReadOnlyCluster(profile, 'delete');
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
  await texts.showReport('stale-nodes', staleReport({ cluster: name, reports, notes }));
}

/** The choice, one question that leads back to it, and the cluster's name where a click is not enough. @throws CancelledError */
async function confirm(parts: DiagnosisParts, { node }: ClusterBrowser, seen: StaleLook): Promise<PlannedAct[]> {
  const { profile } = node;
  const title = l10n.t('Delete Stale Nodes');
  if (seen.choices.length + seen.living.length === 0) {
    parts.reporter.inform(l10n.t('No stale nodes found.'));
    return [];
  }
  const now = serverTime(node, Date.now());
  for (let picked: readonly StaleChoice[] | undefined; ;) {
    const chosen = await askStaleNodes(title, seen, picked, now);
    if (chosen.length === 0) return [];
    const answer = await askWhetherSure(parts, profile, chosen, now);
    if (answer === undefined) return [];
    if (answer === 'delete') {
      if (mustTypeName(profile, ownersOf(chosen))) await askTypedName(title, profile.name);
      return chosen.map(actFor);
    }
    picked = chosen;
  }
}

/** Asks; the list of all nodes can be read before it is answered. @throws CancelledError */
async function askWhetherSure(
  { reporter, texts }: DiagnosisParts,
  profile: ClusterProfile,
  chosen: readonly StaleChoice[],
  now: number,
): Promise<'delete' | 'back' | undefined> {
  const { question, detail } = staleQuestion(profile, chosen);
  const back = { label: l10n.t('Back to the List'), value: 'back' as const };
  const actions = [
    { label: l10n.t('Show List'), value: 'show' as const },
    { label: l10n.t('Delete'), value: 'delete' as const },
  ];
  for (;;) {
    const answer = await reporter.choose(question, detail, actions, back);
    if (answer !== 'show') return answer;
    await texts.showReport('nodes-to-delete', staleList(profile, chosen, now));
    if ((await askAfterReading(question)) === 'back') return 'back';
  }
}
