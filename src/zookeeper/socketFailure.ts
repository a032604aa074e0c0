import type { ConnectFailure } from './errors.ts';

const failureByCode = new Map<string, ConnectFailure>([
  ['ENOTFOUND', 'dns'],
  ['EAI_AGAIN', 'dns'],
  ['EAI_FAIL', 'dns'],
  ['ECONNREFUSED', 'refused'],
  ['EHOSTUNREACH', 'unreachable'],
  ['ENETUNREACH', 'unreachable'],
  ['EADDRNOTAVAIL', 'unreachable'],
  ['ETIMEDOUT', 'timeout'],
  ['ECONNRESET', 'closed'],
  ['EPIPE', 'closed'],
]);

const unknownAuthority = 'its certificate was issued by an unknown authority: add that CA if you trust it';

/** What OpenSSL's and Node's codes mean for somebody who wants to connect. */
const tlsText = new Map<string, string>([
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
  ['CERT_NOT_YET_VALID', 'its certificate is not valid yet'],
  ['CERT_REVOKED', 'its certificate was revoked'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is self-signed: add it as CA if you trust it'],
  ['SELF_SIGNED_CERT_IN_CHAIN', unknownAuthority],
  ['UNABLE_TO_GET_ISSUER_CERT', unknownAuthority],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', unknownAuthority],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', unknownAuthority],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'it does not speak TLS on this port'],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'it does not speak TLS on this port'],
  ['ERR_SSL_UNSUPPORTED_PROTOCOL', 'it offers no TLS version that is safe enough'],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'it offers no TLS version that is safe enough'],
]);

const tlsCode = /^(ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|DEPTH_|SELF_|UNABLE_|EPROTO|HOSTNAME_|INVALID_)/;

/**
 * Names the cause of a socket error. An AggregateError (several addresses of one host) counts as its first error.
 *
 * @param isInTlsHandshake whether TLS was asked for and is not established yet
 */
export function classifySocketError(
  error: Error,
  isInTlsHandshake: boolean,
): { failure: ConnectFailure; detail: string } {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const cause = first instanceof Error ? first : error;
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  if (tlsCode.test(code)) return { failure: 'tls', detail: describeTls(code, cause) };
  const failure = failureByCode.get(code) ?? 'closed';
  if (failure === 'closed' && isInTlsHandshake) return { failure: 'tls', detail: closedInHandshake };
  return { failure, detail: cause.message === '' ? code : cause.message };
}

/** A plain port takes the first bytes of TLS for an absurd length and hangs up. */
export const closedInHandshake = 'it closed the connection during the TLS handshake: is this its plain port?';

function describeTls(code: string, cause: Error): string {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `its certificate is for another host: ${cause.message}`;
  if (/ALERT.*CERT|ALERT_UNKNOWN_CA|CERTIFICATE_REQUIRED/.test(code)) {
    return 'it demands a client certificate that it trusts';
  }
  return tlsText.get(code) ?? cause.message;
}
