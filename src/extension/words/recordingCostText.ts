import type { RecordingCost } from '../../app/recorder/recorders.ts';
import { displayText } from '../../base/displayText.ts';
import { l10n } from './language.ts';
import { sizeText } from './recorderText.ts';

/** What recording a cluster costs, and what it keeps, as lines of a question. @param nodeData whether data of nodes are kept, too */
export function recordingCostText(cost: RecordingCost, nodeData: boolean): string {
  const { watches, nodes, maxNodes, questionsPerMinute, bytes, days, folder } = cost;
  return [
    l10n.t('On the ensemble, by one session:'),
    watches === 1
      ? l10n.t('• 1 watch on all nodes below the lock root, and one small read for each change of a lock')
      : l10n.t('• {0} watches, one for each lock root, and one small read for each change of a lock', watches),
    nodes === undefined
      ? l10n.t('• at first every node below the lock roots is read, {0} at most', maxNodes)
      : l10n.t('• at first every node below the lock roots is read: {0}', nodes),
    questionsPerMinute === 0
      ? l10n.t('• no questions to the servers, so it will not be known why holds ended (settings)')
      : l10n.t(
          '• each server is asked who its clients are, and why a hold ended: {0} times a minute at most, seldom while nothing changes',
          questionsPerMinute,
        ),
    '',
    l10n.t('On this machine: {0} days, {1} at most, in {2}', days, sizeText(bytes), displayText(folder, 1000)),
    '',
    nodeData
      ? l10n.t('It keeps paths, who held and who waited, addresses of clients, and the data of the nodes of locks.')
      : l10n.t(
          'It keeps paths, who held and who waited, and addresses of clients. Of the data of a node it keeps what says who that is: up to 200 characters, which may be all of a short text.',
        ),
    l10n.t(
      'It goes on whenever the cluster is connected, until Stop Recording. The row of the cluster shows how it stands.',
    ),
  ].join('\n');
}
