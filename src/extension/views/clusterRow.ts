import { isOpen, type ConnectionState } from '../../app/clusters/clusterConnection.ts';
import type { ClusterSecurity } from '../../app/clusters/clusterProfile.ts';
import { colorIds, contextValues, type ContextValue } from '../platform/contributions.ts';
import { gapAt, isSure, type RecordedTime, type SourceKind } from '../../app/clusters/recordedTime.ts';
import { instantText, joined, l10n, momentText } from '../words/language.ts';
import { zxidText } from '../../base/sessionText.ts';
import { byKind } from '../../base/byKind.ts';
import { displayText } from '../../base/displayText.ts';
import { errorSentence } from '../words/errorText.ts';
import { sessionCauseText } from '../words/serverText.ts';
import type { ClusterNode } from '../../app/clusters/clusterModel.ts';
import { useText } from '../words/clusterText.ts';
import { recorderSentence, recorderWords } from '../words/recorderText.ts';
import { gapTexts, momentBesideName } from '../words/recordingRowText.ts';
import type { Row } from './row.ts';
import { lockCountText } from './viewTexts.ts';

interface StateLook {
  text: string;
  icon: string;
  color?: string;
}

const stateLook = byKind<ConnectionState, StateLook, [now: number]>({
  disconnected: () => ({ text: l10n.t('not connected'), icon: 'server' }),
  connecting: () => ({ text: l10n.t('connecting…'), icon: 'loading~spin' }),
  connected: () => ({ text: l10n.t('connected'), icon: 'server-environment', color: 'charts.green' }),
  uncertain: ({ lastContactAt }, now) => ({
    text: l10n.t('uncertain, no contact since {0}', momentText(lastContactAt, now)),
    icon: 'warning',
    color: 'list.warningForeground',
  }),
  lost: ({ lastContactAt }, now) => ({
    text: l10n.t('session lost, last contact {0}', momentText(lastContactAt, now)),
    icon: 'sync-ignored',
    color: 'disabledForeground',
  }),
  failed: ({ triesAgain }) => ({
    text: triesAgain ? l10n.t('cannot connect, trying again') : l10n.t('cannot connect'),
    icon: 'error',
    color: 'list.errorForeground',
  }),
});

/** Encryption, and the log-ins of the session. */
function securityText({ auth = [], tls }: ClusterSecurity): string {
  const encryption =
    tls === undefined
      ? l10n.t('Not encrypted')
      : tls.certFile === undefined
        ? l10n.t('TLS')
        : l10n.t('TLS with client certificate');
  if (auth.length === 0) return encryption;
  const who = auth.map(({ scheme, user }) => `${scheme} ${user}`).join(', ');
  return joined([encryption, l10n.t('Log-in: {0}', displayText(who))]);
}

/** What the sandbox is and is not. */
function sandboxText(): string {
  return l10n.t(
    'A ZooKeeper in the memory of this window, on this machine only, for trying things out. It ends with the window; real locks belong on a real ensemble.',
  );
}

function clusterTooltip(cluster: ClusterNode, state: string, now: number): string {
  const { profile, connection, recorder } = cluster;
  const why =
    connection.kind === 'failed'
      ? errorSentence(connection.error)
      : (connection.kind === 'uncertain' || connection.kind === 'lost') && connection.cause !== undefined
        ? sessionCauseText(connection.cause)
        : '';
  return joined(
    [
      displayText(profile.name),
      profile.isSandbox === true ? sandboxText() : '',
      displayText(profile.connectString),
      securityText(profile),
      profile.isSandbox === true ? '' : l10n.t('Environment: {0}', useText(profile)),
      l10n.t('Lock roots: {0}', displayText(profile.lockRoots.join(', '))),
      l10n.t('State: {0}', state),
      why,
      l10n.t('Locks known: {0}; paths kept live: {1}', cluster.locks.size, cluster.watched),
      recorder === undefined ? '' : recorderSentence(recorder.state, now),
    ],
    '\n',
  );
}

/** What can be done with a cluster: as it is, while its locks are recorded, and after that has failed. */
const clusterValues = {
  sandboxOpen: [contextValues.sandboxOpen, contextValues.sandboxOpenRecording, contextValues.sandboxOpenFailed],
  sandboxClosed: [contextValues.sandboxClosed, contextValues.sandboxClosedRecording, contextValues.sandboxClosedFailed],
  open: [contextValues.clusterOpen, contextValues.clusterOpenRecording, contextValues.clusterOpenFailed],
  openReadOnly: [
    contextValues.clusterOpenReadOnly,
    contextValues.clusterOpenRecordingReadOnly,
    contextValues.clusterOpenFailedReadOnly,
  ],
  closed: [contextValues.clusterClosed, contextValues.clusterClosedRecording, contextValues.clusterClosedFailed],
} as const;

function contextValueOf({ profile, connection, recorder }: ClusterNode): ContextValue {
  const open = profile.readOnly === true ? 'openReadOnly' : 'open';
  const [as, whileRecorded, afterFailure] =
    profile.isSandbox === true
      ? clusterValues[isOpen(connection) ? 'sandboxOpen' : 'sandboxClosed']
      : clusterValues[isOpen(connection) ? open : 'closed'];
  const kind = recorder?.state.kind ?? 'off';
  if (kind === 'off') return as;
  return kind === 'failed' ? afterFailure : whileRecorded;
}

/** That it is recorded shows while the connection is as it should be; its words are there besides. */
function clusterLook({ connection, recorder }: ClusterNode, look: StateLook): StateLook {
  if (connection.kind !== 'connected') return look;
  if (recorder?.state.kind === 'recording') return { ...look, icon: 'record' };
  return recorder?.state.kind === 'failed' ? { ...look, icon: 'warning', color: 'list.warningForeground' } : look;
}

function goingText({ speed, isFollowing }: RecordedTime): string {
  if (isFollowing) return l10n.t('follows the files');
  return speed === 0 ? '' : l10n.t('plays at {0}×', speed);
}

/** Where a record of the past comes from. */
const sourceTexts: Readonly<Record<SourceKind, () => string>> = {
  logs: () => l10n.t('A record of the past, read from transaction logs and snapshots. Nothing in it can be changed.'),
  journal: () => l10n.t('A record of the past, as a window of VS Code has seen it. Nothing in it can be changed.'),
  incident: () => l10n.t('A record of the past, saved as an incident file. Nothing in it can be changed.'),
};

function recordingTooltip({ locks, profile }: ClusterNode, { recording, kind, folder, moment }: RecordedTime): string {
  const { from, to, sureFrom, transactions } = recording;
  const gap = gapAt(recording, moment);
  return joined(
    [
      displayText(profile.name),
      sourceTexts[kind](),
      kind === 'incident'
        ? l10n.t('File: {0}', displayText(folder, 1000))
        : l10n.t('Folder: {0}', displayText(folder, 1000)),
      l10n.t('From {0} to {1}, {2} transactions', instantText(from.time), instantText(to.time), transactions),
      l10n.t('Shown: {0}, after transaction {1}', instantText(moment.time), zxidText(moment.zxid)),
      moment.zxid < sureFrom.zxid ? l10n.t('The picture is sure from {0} on', instantText(sureFrom.time)) : '',
      gap === undefined ? '' : l10n.t('Not sure: {0}', gapTexts[gap.why]()),
      l10n.t('Locks known: {0}', locks.size),
    ],
    '\n',
  );
}

function recordingRow(cluster: ClusterNode, time: RecordedTime): Row {
  const label = displayText(cluster.profile.name);
  const doubt = isSure(time.recording, time.moment) ? '' : l10n.t('not sure');
  const rest = [doubt, goingText(time), lockCountText(cluster.locks.size)];
  const moment = l10n.t('at {0}', instantText(time.moment.time));
  return {
    label,
    // The name leaves little room: what changes comes first, without the day that the name goes without.
    description: joined([momentBesideName(time.recording, time.moment.time), ...rest]),
    tooltip: recordingTooltip(cluster, time),
    accessibleLabel: joined([l10n.t('Recording {0}', label), moment, ...rest], ', '),
    icon: 'history',
    color: undefined,
    contextValue: time.kind === 'incident' ? contextValues.incident : contextValues.recording,
    parent: true,
    decoration: undefined,
  };
}

/** The row of a cluster. @param now epoch ms */
export function clusterRow(cluster: ClusterNode, now: number): Row {
  const { profile, connection, time } = cluster;
  if (time !== undefined) return recordingRow(cluster, time);
  const state = stateLook(connection, now);
  const { text } = state;
  const { icon, color } = clusterLook(cluster, state);
  const recorder = cluster.recorder === undefined ? '' : recorderWords(cluster.recorder.state);
  const parts = [useText(profile), text, recorder, lockCountText(cluster.locks.size)];
  const label = displayText(profile.name);
  const isProduction = profile.environment === 'production';
  return {
    label,
    description: joined(parts),
    tooltip: clusterTooltip(cluster, text, now),
    accessibleLabel: joined([l10n.t('Cluster {0}', label), ...parts], ', '),
    icon,
    color: isProduction && connection.kind === 'connected' ? colorIds.production : color,
    contextValue: contextValueOf(cluster),
    parent: true,
    // A lost session dims the icon only: a production cluster is one all the same.
    decoration: isProduction ? 'production' : connection.kind === 'lost' ? 'dimmed' : undefined,
  };
}
