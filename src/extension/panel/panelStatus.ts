import { l10n } from 'vscode';
import { isZooKeeperError } from '../../zookeeper/errors.ts';
import type { PanelStatus } from '../../protocol.ts';
import type { ConnectionState } from '../../app/clusters/clusterConnection.ts';
import { errorSentence } from '../words/errorText.ts';
import { hazardText } from '../words/markText.ts';
import type { FollowedLock } from '../../app/clusters/followedLock.ts';

/** The state of the lock and of its connection. */
export type PanelFacts = FollowedLock['facts'] & {
  /** The lock's node or directory does not exist. */
  isGone: boolean;
  /** Epoch ms when the picture was last current; `undefined` if it never was. */
  lastSeenAt: number | undefined;
};

/** Whether the picture is current, and if not why. */
export function panelStatus(facts: PanelFacts): PanelStatus {
  const { connection, isPaused, readError } = facts;
  if (connection === undefined) return { state: 'failed', text: l10n.t('This cluster is no longer in the list.') };
  if (connection.kind !== 'connected') return withoutSession(connection, facts);
  if (isPaused) return disconnected(l10n.t('Live updates are paused.'), facts.lastSeenAt);
  if (facts.isSeveral) {
    return { state: 'failed', text: l10n.t('This path now holds several locks, each with a name. Open one of them.') };
  }
  if (readError !== undefined) return unread(readError);
  if (facts.isOverCap) {
    return { state: 'failed', text: l10n.t('This lock is not watched: the limit in the settings is reached.') };
  }
  return watched(facts);
}

function watched({ contenders, isLive, isGone, isHolderUnknown }: PanelFacts): PanelStatus {
  if (contenders === undefined || !isLive) return { state: 'loading' };
  if (isGone) return { state: 'gone' };
  if (contenders > 0) return { state: 'live' };
  return isHolderUnknown ? { state: 'denied', text: hazardText('unreadable') } : { state: 'empty' };
}

function unread(error: unknown): PanelStatus {
  const state = isZooKeeperError(error, 'NO_AUTH') ? 'denied' : 'failed';
  return { state, text: errorSentence(error) };
}

function withoutSession(
  connection: Exclude<ConnectionState, { kind: 'connected' }>,
  { contenders, lastSeenAt }: PanelFacts,
): PanelStatus {
  switch (connection.kind) {
    case 'connecting':
      return contenders === undefined ? { state: 'loading' } : disconnected(l10n.t('Connecting.'), lastSeenAt);
    case 'disconnected':
      return disconnected(l10n.t('There is no connection to the cluster.'), lastSeenAt);
    case 'failed':
      return disconnected(errorSentence(connection.error), lastSeenAt);
    case 'uncertain':
      return disconnected(
        l10n.t('No server answers; the session may still live.'),
        lastSeenAt ?? connection.lastContactAt,
      );
    case 'lost':
      return disconnected(l10n.t('The session is lost.'), lastSeenAt ?? connection.lastContactAt);
  }
}

function disconnected(text: string, lastContact: number | undefined): PanelStatus {
  return { state: 'disconnected', text, ...(lastContact === undefined ? {} : { lastContact }) };
}
