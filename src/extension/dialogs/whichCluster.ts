import type { ClusterBrowser } from '../../app/clusters/clusterBrowser.ts';
import { displayText } from '../../base/displayText.ts';
import { useText } from '../words/clusterText.ts';
import { l10n } from '../words/language.ts';
import { askChoice, type StepResult, type StepTitle } from './quickInput.ts';

/** Asks which of several clusters. @param active the one that Enter takes */
export async function askWhichCluster(
  title: StepTitle,
  browsers: readonly ClusterBrowser[],
  active?: ClusterBrowser,
): Promise<StepResult<ClusterBrowser>> {
  return askChoice({
    ...title,
    placeholder: l10n.t('Which cluster?'),
    choices: browsers.map(browser => ({
      label: displayText(browser.node.profile.name),
      description: useText(browser.node.profile),
      value: browser,
    })),
    active,
  });
}
