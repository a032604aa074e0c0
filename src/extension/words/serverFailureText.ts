import { l10n } from 'vscode';
import type { ClosedReason, ConnectFailure, ServerFailure } from '../../zookeeper/connectFailure.ts';
import { displayText } from '../../base/displayText.ts';
import { tlsFailureText } from './tlsErrorText.ts';

const failureTexts: Record<Exclude<ConnectFailure, 'tls' | 'closed'>, (server: string) => string> = {
  dns: server => l10n.t('{0}: the host name is not known.', server),
  refused: server => l10n.t('{0}: nothing listens on this port.', server),
  unreachable: server => l10n.t('{0}: the host cannot be reached.', server),
  timeout: server => l10n.t('{0}: no answer in time.', server),
  'not-zookeeper': server => l10n.t('{0}: what answers there is not ZooKeeper.', server),
  'read-only': server => l10n.t('{0}: quorum lost, the server is read-only.', server),
  behind: server => l10n.t('{0}: the server knows less than we have seen; it was wiped or restored.', server),
};

const closedTexts: Record<ClosedReason, (server: string) => string> = {
  'not-serving': server => l10n.t('{0}: it is up but serves no requests.', server),
  mute: server => l10n.t('{0}: it hung up without a word.', server),
  'hung-up': server => l10n.t('{0}: it hung up on the handshake.', server),
  'broke-off': server => l10n.t('{0}: the connection broke off.', server),
};

/** Why one server could not be used, or was lost, as a whole sentence. */
export function serverFailureText(cause: ServerFailure): string {
  const { host, port } = cause;
  const server = displayText(host.includes(':') ? `[${host}]:${String(port)}` : `${host}:${String(port)}`);
  if (cause.failure === 'tls') return tlsFailureText(cause.reason, server, displayText(cause.detail));
  return cause.failure === 'closed' ? closedTexts[cause.reason](server) : failureTexts[cause.failure](server);
}
