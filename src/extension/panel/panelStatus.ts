import { byKind } from '../../base/byKind.ts';
import { CancelledError, isZooKeeperError } from '../../zookeeper/errors.ts';
import type { PanelStatus } from '../../protocol.ts';
import type { ConnectionState } from '../../app/clusters/clusterConnection.ts';
import { displayText } from '../../base/displayText.ts';
import { errorSentence } from '../words/errorText.ts';
import { l10n } from '../words/language.ts';
import { hazardText } from '../words/markText.ts';
import { removedRecording, type PanelFacts, type RecordedState } from '../../app/panel/panelWords.ts';
import type { Reopening } from '../../app/recordings/reopenings.ts';

/** Whether the picture is current, and if not why. */
export function panelStatus(facts: PanelFacts): PanelStatus {
  const { connection, isPaused, readError } = facts;
  if (connection === undefined) {
    const text = l10n.t('This cluster is no longer in the list.');
    return { state: facts.contenders === undefined ? 'unconnected' : 'failed', text };
  }
  if (connection.kind !== 'connected') return withoutSession(connection, facts);
  if (isPaused) return disconnected(l10n.t('Live updates are paused.'), facts.lastSeenAt);
  if (facts.isSeveral) return { state: 'failed', text: severalText() };
  if (readError !== undefined) return unread(readError);
  if (facts.isOverCap) {
    return { state: 'failed', text: l10n.t('This lock is not watched: the limit in the settings is reached.') };
  }
  return watched(facts);
}

/** Whether the queue of a moment of a recording could be read, and what there was. */
export function recordedStatus(facts: RecordedState): PanelStatus {
  const { error, contenders, isGone, isSeveral } = facts;
  if (facts.isRemoved) return removedStatus(facts);
  if (error !== undefined) return unread(error);
  if (isSeveral) return { state: 'failed', text: severalText() };
  if (contenders === undefined) return { state: 'loading' };
  if (contenders > 0) return { state: 'recorded' };
  return { state: isGone ? 'gone' : 'empty' };
}

/** How far a recording that is not in the list is on the way back, for a page that has nothing of it. @param path of its files */
export function reopeningStatus(path: string, reopening: Reopening | undefined) {
  const status = removedStatus(removedRecording(path, reopening));
  const canOpen = 'canOpen' in status && status.canOpen === true;
  return { isReading: status.state === 'loading', text: status.text ?? '', canOpen };
}

type Removed = Extract<PanelStatus, { state: 'loading' | 'unconnected' | 'failed' }>;

/** That a recording is not in the list, or how far it is on the way back. */
function removedStatus({ reopening, path, contenders }: RecordedState): Removed {
  const state = contenders === undefined ? 'unconnected' : 'failed';
  switch (reopening?.kind) {
    case undefined:
      return { state, text: l10n.t('This recording is no longer in the list.'), canOpen: true };
    case 'waiting': {
      const text = l10n.t(
        'Its files at {0} are not read in restricted mode. Trust this workspace, and they are.',
        displayText(path, 200),
      );
      return { state, text };
    }
    case 'reading': {
      const percent = Math.floor(100 * reopening.done);
      return { state: 'loading', text: l10n.t('Reading {0}: {1} %', displayText(path, 200), percent) };
    }
    case 'failed': {
      const { error } = reopening;
      const text = error instanceof CancelledError ? l10n.t('Reading its files was stopped.') : errorSentence(error);
      return { state, text, canOpen: true };
    }
  }
}

function severalText(): string {
  return l10n.t('This path now holds several locks, each with a name. Open one of them.');
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

type Unconnected = Exclude<ConnectionState, { kind: 'connected' }>;

const reasonOf = byKind<Unconnected, string>({
  connecting: () => l10n.t('Connecting.'),
  disconnected: () => l10n.t('There is no connection to the cluster.'),
  failed: ({ error }) => errorSentence(error),
  uncertain: () => l10n.t('No server answers; the session may still live.'),
  lost: () => l10n.t('The session is lost.'),
});

/** Why there is no session, as a sentence. */
export function connectionText(connection: Unconnected): string {
  return reasonOf(connection);
}

function withoutSession(connection: Unconnected, { contenders, lastSeenAt }: PanelFacts): PanelStatus {
  if (contenders === undefined) {
    if (connection.kind === 'connecting') return { state: 'loading' };
    return { state: 'unconnected', text: connection.kind === 'disconnected' ? '' : reasonOf(connection) };
  }
  const lastContactAt = 'lastContactAt' in connection ? connection.lastContactAt : undefined;
  return disconnected(reasonOf(connection), lastSeenAt ?? lastContactAt);
}

function disconnected(text: string, lastContact: number | undefined): PanelStatus {
  return { state: 'disconnected', text, ...(lastContact === undefined ? {} : { lastContact }) };
}
