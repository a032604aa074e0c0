export type ConnectFailure =
  'dns' | 'refused' | 'unreachable' | 'timeout' | 'not-zookeeper' | 'tls' | 'closed' | 'read-only' | 'behind';

/**
 * Why there is no secure connection.
 *
 * `wrong-host`, `expired`, `not-yet-valid`, `revoked`, `self-signed`, `unknown-authority`: the server's certificate.
 * `plain-port`: the answer was not TLS. `tls-port`: it was TLS, to a plain request. `hung-up`: the server closed the connection
 * during the TLS handshake, as a plain ZooKeeper port does. `certificate-demanded`,
 * `certificate-refused`: the client certificate, none or one having been shown. `no-common-version`: no version of TLS, or
 * no cipher, that both sides accept. `own-files`: our PEM texts or passphrase; no connection was opened.
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
 * `not-serving`: the server is up, without quorum or still starting. `mute`: it closed the connection in the
 * handshake and reports no status; it may require TLS, or have too many connections. `not-caught-up`: it has not seen the last
 * transaction of the session yet. `hung-up`: in the handshake, for a reason that is not known, or not yet. `broke-off`: at any
 * other moment.
 */
export type ClosedReason = 'not-serving' | 'mute' | 'not-caught-up' | 'hung-up' | 'broke-off';

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

const failureByCode = new Map<string, Exclude<ConnectFailure, 'tls' | 'closed'>>([
  ['ENOTFOUND', 'dns'],
  ['EAI_AGAIN', 'dns'],
  ['EAI_FAIL', 'dns'],
  ['ECONNREFUSED', 'refused'],
  ['EHOSTUNREACH', 'unreachable'],
  ['ENETUNREACH', 'unreachable'],
  ['EADDRNOTAVAIL', 'unreachable'],
  ['ETIMEDOUT', 'timeout'],
]);

/** Codes of Node, of OpenSSL's verification and of its SSL part; BoringSSL (Electron) uses the same for these. */
const reasonByCode = new Map<string, TlsReason>([
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'wrong-host'],
  ['HOSTNAME_MISMATCH', 'wrong-host'],
  ['CERT_HAS_EXPIRED', 'expired'],
  ['CERT_NOT_YET_VALID', 'not-yet-valid'],
  ['CERT_REVOKED', 'revoked'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'unknown-authority'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'unknown-authority'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'unknown-authority'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unknown-authority'],
  ['CERT_UNTRUSTED', 'unknown-authority'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'plain-port'],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'plain-port'],
  ['ERR_SSL_HTTP_REQUEST', 'plain-port'],
  ['ERR_SSL_UNSUPPORTED_PROTOCOL', 'no-common-version'],
]);

const tlsCode = /^(ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|DEPTH_|SELF_|UNABLE_|EPROTO|HOSTNAME_|INVALID_)/;

/** Alerts with which a server ends the handshake over the client's certificate, or over its absence (RFC 8446, 6.2). */
const certificateAlert = /^ERR_SSL_.*(ALERT_.*CERTIFICATE|ALERT_UNKNOWN_CA|ALERT_ACCESS_DENIED|CERTIFICATE_REQUIRED)/;

const versionAlert = /^ERR_SSL_.*ALERT_(PROTOCOL_VERSION|HANDSHAKE_FAILURE|INSUFFICIENT_SECURITY)/;

/** How far a connection had come, and what it had to show. */
export interface TlsStage {
  /** TLS was requested and is not established yet. */
  isInTlsHandshake: boolean;
  /** A client certificate was there to be shown. */
  showsCertificate: boolean;
}

/** Names the cause of a socket error. An AggregateError (several addresses of one host) counts as its first error. */
export function classifySocketError(error: Error, stage: TlsStage): FailureCause {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const cause: SocketError = first instanceof Error ? first : error;
  const code = typeof cause.code === 'string' ? cause.code : '';
  const detail = cause.message === '' ? code : cause.message;
  if (tlsCode.test(code)) return tlsFailure(cause, code, detail, stage);
  const failure = failureByCode.get(code);
  if (failure !== undefined) return { failure, detail };
  return stage.isInTlsHandshake ? closedInHandshake : brokeOff(detail);
}

type SocketError = Error & { code?: unknown; cert?: { subjectaltname?: unknown } };

function tlsFailure(error: SocketError, code: string, detail: string, stage: TlsStage): FailureCause {
  const reason = tlsReason(code, stage);
  return { failure: 'tls', reason, detail: reason === 'wrong-host' ? (namesIn(error) ?? detail) : detail };
}

/** For whom the server's certificate is: `DNS:zk1.example.org, DNS:zk2.example.org`. */
function namesIn({ cert }: SocketError): string | undefined {
  const names = cert?.subjectaltname;
  return typeof names === 'string' && names !== '' ? names : undefined;
}

/** The connection ended, not at the handshake. */
export function brokeOff(detail: string): FailureCause {
  return { failure: 'closed', reason: 'broke-off', detail };
}

/** @param ms how long it was waited for */
export function noAnswer(ms: number): FailureCause {
  return { failure: 'timeout', detail: `no answer for ${Math.round(ms)} ms` };
}

/** A plain port of ZooKeeper reads the first bytes of TLS as an absurd length and closes the connection. */
export const closedInHandshake: FailureCause = {
  failure: 'tls',
  reason: 'hung-up',
  detail: 'it closed the connection during the TLS handshake: is this its plain port?',
};

function tlsReason(code: string, { showsCertificate }: TlsStage): TlsReason {
  const known = reasonByCode.get(code);
  if (known !== undefined) return known;
  // Java sends the same alert for a missing certificate as for a bad one.
  if (certificateAlert.test(code)) return showsCertificate ? 'certificate-refused' : 'certificate-demanded';
  return versionAlert.test(code) ? 'no-common-version' : 'other';
}
