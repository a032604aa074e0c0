export type ConnectFailure =
  'dns' | 'refused' | 'unreachable' | 'timeout' | 'not-zookeeper' | 'tls' | 'closed' | 'read-only' | 'behind';

/**
 * Why there is no secure connection.
 *
 * `wrong-host`, `expired`, `not-yet-valid`, `revoked`, `self-signed`, `unknown-authority`: the server's certificate.
 * `plain-port`: what answers does not speak TLS. `tls-port`: it does, and was spoken to in plain. `hung-up`: it ended the
 * connection in the midst of the TLS handshake, as a plain ZooKeeper port does. `certificate-demanded`,
 * `certificate-refused`: the client certificate, none or one having been shown. `no-common-version`: no version of TLS, or
 * no cipher, that both sides accept. `own-files`: the PEM texts or the passphrase given to us; nothing was dialled.
 */
export type TlsReason =
  | 'wrong-host'
  | 'expired'
  | 'not-yet-valid'
  | 'revoked'
  | 'self-signed'
  | 'unknown-authority'
  | 'plain-port'
  | 'tls-port'
  | 'hung-up'
  | 'certificate-demanded'
  | 'certificate-refused'
  | 'no-common-version'
  | 'own-files'
  | 'other';

/**
 * How a connection ended that a server had accepted.
 *
 * `not-serving`: the server is up, without quorum or still starting. `mute`: it hung up on the handshake and does not say
 * what it is; it may want TLS, or have too many connections. `hung-up`: on the handshake, though it serves. `broke-off`: at
 * any other moment.
 */
export type ClosedReason = 'not-serving' | 'mute' | 'hung-up' | 'broke-off';

/** What went wrong with a connection. `detail` is foreign text, for the log. */
export type FailureCause =
  | { failure: Exclude<ConnectFailure, 'tls' | 'closed'>; detail: string }
  | { failure: 'closed'; reason: ClosedReason; detail: string }
  | { failure: 'tls'; reason: TlsReason; detail: string };

/** Why one server of the connect string could not be used. */
export type ServerFailure = { host: string; port: number } & FailureCause;

/** A cause as one line of English, for logs and messages of errors. */
export function textOf(cause: FailureCause): string {
  return `${'reason' in cause ? `${cause.failure}, ${cause.reason}` : cause.failure}: ${cause.detail}`;
}
