import { describe, expect, it } from 'vitest';
import { classifySocketError, type TlsReason } from '../../../src/zookeeper/connectFailure.ts';

const dialling = { isInTlsHandshake: true, showsCertificate: false };

function coded(code: string, message = 'text of the library'): Error {
  return Object.assign(new Error(message), { code });
}

describe('reasons of a failed TLS connection', () => {
  // The codes of OpenSSL as Node passes them on, and those of BoringSSL, which Electron has in its place.
  it.each<[string, TlsReason]>([
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
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'no-common-version'],
    ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', 'no-common-version'],
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'no-common-version'],
    ['ERR_SSL_NO_CIPHERS_AVAILABLE', 'other'],
    ['CERT_SIGNATURE_FAILURE', 'other'],
    ['EPROTO', 'other'],
  ])('%s is %s', (code, reason) => {
    expect(classifySocketError(coded(code), dialling)).toMatchObject({ failure: 'tls', reason });
  });

  it.each([
    'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
    'ERR_SSL_TLSV1_CERTIFICATE_REQUIRED',
    'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE',
    'ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE',
    'ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED',
    'ERR_SSL_SSLV3_ALERT_CERTIFICATE_REVOKED',
    'ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN',
    'ERR_SSL_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE',
    'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
    'ERR_SSL_TLSV1_ALERT_ACCESS_DENIED',
  ])('%s demands our certificate, or refuses the one that was shown', code => {
    // Java answers a missing certificate like a bad one, so that only we know which it was.
    for (const isInTlsHandshake of [true, false]) {
      const [missing, shown] = [false, true].map(showsCertificate =>
        classifySocketError(coded(code), { isInTlsHandshake, showsCertificate }),
      );
      expect(missing).toMatchObject({ failure: 'tls', reason: 'certificate-demanded' });
      expect(shown).toMatchObject({ failure: 'tls', reason: 'certificate-refused' });
    }
  });

  it('does not depend on the text of the library', () => {
    expect(classifySocketError(coded('CERT_HAS_EXPIRED', 'self-signed certificate'), dialling)).toMatchObject({
      reason: 'expired',
    });
    expect(classifySocketError(coded('', 'certificate has expired'), dialling)).toMatchObject({ reason: 'hung-up' });
  });

  it.each(['ECONNRESET', 'EPIPE', ''])('a connection that ends in the handshake (%s) may be a plain port', code => {
    expect(classifySocketError(coded(code), dialling)).toMatchObject({ failure: 'tls', reason: 'hung-up' });
    expect(classifySocketError(coded(code), { ...dialling, isInTlsHandshake: false })).toMatchObject({
      failure: 'closed',
      reason: 'broke-off',
    });
  });

  it.each([
    ['ENOTFOUND', 'dns'],
    ['ECONNREFUSED', 'refused'],
    ['EHOSTUNREACH', 'unreachable'],
    ['ETIMEDOUT', 'timeout'],
  ])('%s is no matter of TLS', (code, failure) => {
    expect(classifySocketError(coded(code), dialling)).toEqual({ failure, detail: 'text of the library' });
    expect(classifySocketError(new AggregateError([coded(code)]), dialling)).toMatchObject({ failure });
  });
});
