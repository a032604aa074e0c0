import { l10n } from 'vscode';
import { isZooKeeperError } from '../../zookeeper/errors.ts';
import type { PanelStatus } from '../../protocol.ts';
import type { ConnectionState } from '../../app/clusters/clusterConnection.ts';
import { errorSentence } from '../words/errorText.ts';
import { hazardText } from '../words/hazardText.ts';

/** What is known of the lock and of the way to it. */
export interface PanelFacts {
  /** `undefined`: the cluster is no longer in the list. */
  connection: ConnectionState | undefined;
  /** Live updates of all clusters are paused by the person. */
  isPaused: boolean;
  /** The lock's queue is kept right by a watch. */
  isLive: boolean;
  /** Its path holds several locks now, each with a name, and none is known to be this one. */
  isSeveral: boolean;
  /** The cap on watches leaves none for this lock. */
  isOverCap: boolean;
  /** Why the last read failed. */
  readError: unknown;
  /** `undefined`: nothing has been read yet. */
  contenders: number | undefined;
  /** Nobody is seen to hold, and a node may not be read. */
  isHolderUnknown: boolean;
  /** The lock's node or directory does not exist. */
  isGone: boolean;
  /** Epoch ms until when the picture was known to be right; `undefined` if it never was. */
  lastSeenAt: number | undefined;
}

/** How far the picture can be trusted, in the words of the page. */
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
    return { state: 'failed', text: l10n.t('As many locks are watched as the setting allows: this one is not.') };
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
