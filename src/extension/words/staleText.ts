import { l10n } from 'vscode';
import type { Confidence } from '../../inspector/findStale.ts';
import type { ClusterProfile } from '../../app/clusters/clusterProfile.ts';
import { standingText } from './heldText.ts';
import { ageText, listed, joined, type Clean } from './language.ts';
import { displayText } from '../../base/displayText.ts';
import { errorSentence } from './errorText.ts';
import { whoText } from './contenderText.ts';
import { environmentText } from './clusterText.ts';
import { staleReasonWords } from './markText.ts';
import { aliveWords, ownerLine } from './ownerText.ts';
import type { ActReport } from '../../app/deletes/deletePipeline.ts';
import { mayLive } from '../../app/deletes/lookAtContender.ts';
import { ownersOf, type StaleChoice } from '../../app/deletes/lookForStale.ts';

const confidenceTexts: Readonly<Record<Confidence, () => string>> = {
  certain: () => l10n.t('certain'),
  likely: () => l10n.t('likely'),
  possible: () => l10n.t('possible, not proven'),
};

/** A line of the list: which node, how sure, and every reason. @param now epoch ms of the server's clock */
export function choiceText(choice: StaleChoice, now: number): { label: string; description: string; detail: string } {
  if (choice.kind === 'empty lock') {
    return {
      label: displayText(choice.path),
      description: l10n.t('empty lock directory · {0}', ageText(now - choice.empty.createdAt)),
      detail: l10n.t('empty now; a lock that is not in use at the moment looks the same'),
    };
  }
  const { contender, confidence, reasons, owner, queue } = choice.finding;
  const words = reasons.map(({ reason }) => staleReasonWords(reason));
  return {
    label: `${displayText(queue.path)} ${whoText(contender)}`,
    description: joined([confidenceTexts[confidence](), standingText(contender, now)]),
    detail: `${listed([...words, aliveWords(owner)])} — ${displayText(contender.name)}`,
  };
}

/** The one question before anything of the list is deleted: every node is named. */
export function staleQuestion(
  profile: Pick<ClusterProfile, 'name' | 'environment'>,
  chosen: readonly StaleChoice[],
): { question: string; detail: string } {
  const named = chosen.slice(0, 10).map(choice => {
    const owner = choice.kind === 'contender' ? ownerLine(choice.finding.owner) : l10n.t('empty directory');
    return `${displayText(choice.path)} — ${owner}`;
  });
  if (chosen.length > named.length) named.push(l10n.t('and {0} more', chosen.length - named.length));
  const living = ownersOf(chosen).filter(mayLive).length;
  return {
    question: chosen.length === 1 ? l10n.t('Delete 1 node?') : l10n.t('Delete {0} nodes?', chosen.length),
    detail: joined(
      [
        l10n.t('Cluster: {0} ({1})', displayText(profile.name), environmentText(profile.environment)),
        ...named,
        living === 0
          ? ''
          : `⚠ ${l10n.t('{0} of the owners may be alive, or cannot be known. They are NOT notified, and two holders at the same time are possible.', living)}`,
        l10n.t('Each node is read and compared again right before it is deleted.'),
      ],
      '\n',
    ),
  };
}

function reportText(report: ActReport): string {
  if ('error' in report) {
    return report.outcome === 'cancelled' ? l10n.t('not deleted: cancelled before') : errorSentence(report.error);
  }
  switch (report.outcome) {
    case 'deleted':
      return l10n.t('deleted');
    case 'already gone':
      return l10n.t('already gone');
    case 'changed':
      return l10n.t('left alone: it has changed since you looked');
    default:
      return l10n.t('not known: the answer was lost; look whether it is still there');
  }
}

/** The report after *Delete Stale Nodes…*. */
export function staleReport(
  { cluster, reports, notes }: { cluster: string; reports: readonly ActReport[]; notes: readonly string[] },
  clean: Clean,
): string {
  const deleted = reports.filter(({ outcome }) => outcome === 'deleted').length;
  return [
    l10n.t('Stale nodes on {0}: {1} of {2} deleted', clean(cluster), deleted, reports.length),
    '',
    ...reports.map(report => `${clean(report.act.target.path)}\n    ${reportText(report)}`),
    ...(notes.length === 0 ? [] : ['', ...notes]),
    '',
  ].join('\n');
}
