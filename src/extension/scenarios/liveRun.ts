import type { ClusterBrowser } from '../../app/clusters/clusterBrowser.ts';
import { ReadOnlyCluster } from '../../app/clusters/clusterErrors.ts';
import { sameClusterCheck, type ClusterRegistry } from '../../app/clusters/clusterRegistry.ts';
import { impactOf } from '../../app/scenarios/scenarioImpact.ts';
import type { ReadScenario } from '../../scenario/readScenario.ts';
import { CancelledError } from '../../zookeeper/errors.ts';
import { askTypedName } from '../dialogs/deleteQuestions.ts';
import type { ErrorReporter } from '../platform/errorReporting.ts';
import { l10n } from '../words/language.ts';
import { liveQuestion } from '../words/scenarioTestText.ts';

/** What a run on a cluster of the list works with. */
export interface LiveRunParts {
  registry: Pick<ClusterRegistry, 'get'>;
  reporter: Pick<ErrorReporter, 'confirm'>;
  targets: {
    /** Connects if needed. @throws the cause; CancelledError */
    connected(browser: ClusterBrowser): Promise<ClusterBrowser>;
  };
}

/**
 * Asks once whether these files may be played on a cluster, with all that they will do there; on production its name is typed. It is
 * connected before: what cannot be reached needs no answer. The sandbox of the window has nothing to lose.
 *
 * @returns a check to run before each file: the cluster must stay the one that was asked about
 * @throws ReadOnlyCluster; CancelledError when the person declines; what connecting throws
 */
export async function permitLive(
  { registry, reporter, targets }: LiveRunParts,
  browser: ClusterBrowser,
  files: readonly ReadScenario[],
): Promise<() => void> {
  const { profile } = browser.node;
  if (profile.readOnly === true) throw new ReadOnlyCluster(profile);
  await targets.connected(browser);
  const requireSame = sameClusterCheck(registry, browser.node);
  if (profile.isSandbox === true) return requireSame;
  const { question, detail } = liveQuestion(profile, files.length, impactOf(files));
  if (!(await reporter.confirm(question, detail, l10n.t('Run')))) throw new CancelledError('Running scenarios');
  if (profile.environment === 'production') await askTypedName(l10n.t('Run Scenarios'), profile.name, 'run');
  requireSame();
  return requireSame;
}
