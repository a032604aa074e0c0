import { l10n } from 'vscode';
import type { TlsReason } from '../../zookeeper/connectFailure.ts';

/** @param detail of the failure; shown only where the reason alone does not say it. Both texts are safe for the screen. */
type Sentence = (server: string, detail: string) => string;

const sentences: Record<TlsReason, Sentence> = {
  'wrong-host': (server, detail) => l10n.t('{0}: its certificate is for other host names ({1}).', server, detail),
  expired: server => l10n.t('{0}: its certificate has expired.', server),
  'not-yet-valid': server => l10n.t('{0}: its certificate is not valid yet.', server),
  revoked: server => l10n.t('{0}: its certificate was revoked.', server),
  'self-signed': server => l10n.t('{0}: its certificate is self-signed, and not among the trusted ones.', server),
  'unknown-authority': server => l10n.t('{0}: its certificate was issued by an unknown authority.', server),
  'plain-port': server => l10n.t('{0}: what answers there does not speak TLS.', server),
  'tls-port': server => l10n.t('{0}: this port speaks TLS, and the connection is not encrypted.', server),
  'hung-up': server => l10n.t('{0}: it hung up in the TLS handshake, as a port without TLS does.', server),
  'certificate-demanded': server => l10n.t('{0}: it demands a client certificate.', server),
  'certificate-refused': server => l10n.t('{0}: it refused the client certificate.', server),
  'no-common-version': server => l10n.t('{0}: it offers no safe TLS version or cipher.', server),
  'own-files': server => l10n.t('{0}: the certificate, the key or the passphrase cannot be used.', server),
  other: (server, detail) => l10n.t('{0}: no secure connection ({1}).', server, detail),
};

/**
 * Why there is no secure connection to a server, as one sentence.
 *
 * @param server `host:port`; like `detail` ready for the screen
 */
export function tlsFailureText(reason: TlsReason, server: string, detail: string): string {
  return sentences[reason](server, detail);
}

function renewAdvice(): string {
  return l10n.t('Ask who runs the server to renew the certificate: a new one is needed.');
}

function portAdvice(): string {
  return l10n.t('Edit the cluster: use the secure client port, or connect not encrypted.');
}

/** For several servers that failed in several ways. */
export function tlsGeneralAdvice(): string {
  return l10n.t('Edit the cluster: check the CA certificates, the client certificate and the secure client port.');
}

const advice: Record<TlsReason, () => string> = {
  'wrong-host': () => l10n.t('Edit the cluster: use one of these names, or set the server name to expect.'),
  expired: renewAdvice,
  'not-yet-valid': () => l10n.t('Check the clock of this machine, and from when on the certificate is valid.'),
  revoked: renewAdvice,
  'self-signed': () => l10n.t('Edit the cluster: choose this certificate as CA if you trust it.'),
  'unknown-authority': () => l10n.t('Edit the cluster: choose the CA certificates of this authority if you trust it.'),
  'plain-port': portAdvice,
  'tls-port': () => l10n.t('Edit the cluster: choose TLS, or use the plain client port.'),
  'hung-up': portAdvice,
  'certificate-demanded': () => l10n.t('Edit the cluster: choose TLS with client certificate.'),
  'certificate-refused': () =>
    l10n.t('Edit the cluster: choose another client certificate, one that the server trusts.'),
  'no-common-version': () => l10n.t('Ask who runs the server to switch TLS 1.2 or 1.3 on.'),
  'own-files': () => l10n.t('Edit the cluster: choose the files anew.'),
  other: tlsGeneralAdvice,
};

/** What to do about it. */
export function tlsAdvice(reason: TlsReason): string {
  return advice[reason]();
}
