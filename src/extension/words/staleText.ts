import type { Confidence } from '../../inspector/findStale.ts';
import type { OwnerStatus } from '../../inspector/owners/ownerFacts.ts';
import type { ClusterProfile } from '../../app/clusters/clusterProfile.ts';
import { standingText } from './heldText.ts';
import { ageText, joined, l10n, listed } from './language.ts';
import { displayEnd, displayText } from '../../base/displayText.ts';
import { foreign, section, type Item, type Report } from '../../base/report.ts';
import { errorSentence } from './errorText.ts';
import { whoText } from './contenderText.ts';
import type { ClusterUse } from './clusterText.ts';
import { clusterLine } from './deleteText.ts';
import { staleReasonWords } from './markText.ts';
import { aliveWords, sessionLine } from './ownerText.ts';
import type { ActReport } from '../../app/deletes/deletePipeline.ts';
import { mayLive } from '../../app/deletes/lookAtContender.ts';
import { byStake, ownersOf, type StaleChoice } from '../../app/deletes/lookForStale.ts';

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
  const { contender, confidence, queue } = choice.finding;
  return {
    label: `${displayText(queue.path)} ${whoText(contender)}`,
    description: joined([confidenceTexts[confidence](), standingText(contender, now)]),
    detail: `${reasonWords(choice)} — ${displayText(contender.name)}`,
  };
}

/** Every reason to call a node stale, and whether its owner lives. */
function reasonWords({ finding: { reasons, owner } }: Extract<StaleChoice, { kind: 'contender' }>): string {
  return listed([...reasons.map(({ reason }) => staleReasonWords(reason)), aliveWords(owner)]);
}

/** What is at stake: how many nodes, and how many of them may still be in use. */
function staleTitle(count: number, owners: readonly OwnerStatus[]): string {
  const living = owners.filter(({ alive }) => alive === 'yes').length;
  const unknown = owners.filter(mayLive).length - living;
  if (count === 1) {
    if (living > 0) return l10n.t('Delete 1 node with a living owner?');
    return unknown > 0 ? l10n.t('Delete 1 node that may still be in use?') : l10n.t('Delete 1 node?');
  }
  if (living > 0 && unknown > 0) {
    return l10n.t('Delete {0} nodes, {1} with a living owner, {2} that may still be in use?', count, living, unknown);
  }
  if (living === count) return l10n.t('Delete {0} nodes with a living owner?', count);
  if (living > 0) return l10n.t('Delete {0} nodes, {1} with a living owner?', count, living);
  if (unknown === count) return l10n.t('Delete {0} nodes that may still be in use?', count);
  if (unknown > 0) return l10n.t('Delete {0} nodes, {1} that may still be in use?', count, unknown);
  return l10n.t('Delete {0} nodes?', count);
}

/** Of which lock, who, and whether it lives; the path of the node itself is long and says less. */
function stakeLine(choice: StaleChoice): string {
  if (choice.kind === 'empty lock') return `${displayEnd(choice.path, 30)}: ${l10n.t('empty directory')}`;
  const { queue, contender, owner } = choice.finding;
  return `${displayEnd(queue.path, 30)}: ${joined([whoText(contender, 20), aliveWords(owner)])}`;
}

/** The one question before anything of the list is deleted: what is at stake, what it means, and no more nodes than a dialog has room for. */
export function staleQuestion(
  profile: ClusterUse & Pick<ClusterProfile, 'name'>,
  chosen: readonly StaleChoice[],
): { question: string; detail: string } {
  const named = byStake(chosen).slice(0, 3).map(stakeLine);
  if (chosen.length > named.length) named.push(l10n.t('and {0} more', chosen.length - named.length));
  const owners = ownersOf(chosen);
  return {
    question: staleTitle(chosen.length, owners),
    detail: joined(
      [
        owners.some(mayLive)
          ? `⚠ ${l10n.t('Programs that use them are NOT notified and work on as if nothing had happened: two holders of a lock at the same time are possible.')}`
          : '',
        l10n.t('Each node is read and compared again right before it is deleted.'),
        `\n${clusterLine(profile)}`,
        ...named,
      ],
      '\n',
    ),
  };
}

/** Everything that was chosen, with owners and reasons. @param now epoch ms of the server's clock */
export function staleList({ name }: Pick<ClusterProfile, 'name'>, chosen: readonly StaleChoice[], now: number): Report {
  const items = byStake(chosen).map(choice => {
    const text = foreign(choice.path);
    if (choice.kind === 'empty lock') {
      const { description, detail } = choiceText(choice, now);
      return { text, below: [description, detail] };
    }
    const { contender, confidence, owner } = choice.finding;
    const who = contender.identifier === '' ? '' : l10n.t('Identifier: {0}', foreign(contender.identifier));
    const why = joined([confidenceTexts[confidence](), reasonWords(choice)]);
    return { text, below: [who, standingText(contender, now), sessionLine(owner), why].filter(line => line !== '') };
  });
  return {
    headline: l10n.t('Nodes to delete on {0}: {1}', foreign(name), chosen.length),
    blocks: [{ kind: 'list', items }],
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

/** The report after *Delete Stale Nodes…*: what was not deleted comes first. */
export function staleReport({
  cluster,
  reports,
  notes,
}: {
  cluster: string;
  reports: readonly ActReport[];
  notes: readonly string[];
}): Report {
  const isDeleted = ({ outcome }: ActReport): boolean => outcome === 'deleted';
  const item = (report: ActReport): Item => ({ text: foreign(report.act.target.path), below: [reportText(report)] });
  const deleted = reports.filter(isDeleted);
  return {
    headline: l10n.t('Stale nodes on {0}: {1} of {2} deleted', foreign(cluster), deleted.length, reports.length),
    blocks: [
      ...notes.map(text => ({ kind: 'paragraph' as const, text })),
      ...section(l10n.t('Not deleted'), reports.filter(report => !isDeleted(report)).map(item)),
      ...section(
        l10n.t('Deleted'),
        deleted.map(({ act }) => foreign(act.target.path)),
      ),
    ],
  };
}
