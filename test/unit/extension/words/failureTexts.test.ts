import { describe, expect, it } from 'vitest';
import { MissingSecretError } from '../../../../src/app/security/clusterSecrets.ts';
import { TlsFileError, WrongPassphraseError } from '../../../../src/app/security/tlsFiles.ts';
import { errorSentence, errorText } from '../../../../src/extension/words/errorText.ts';
import type { ClosedReason, ConnectFailure, TlsReason } from '../../../../src/zookeeper/connectFailure.ts';
import { MultiReleaseError } from '../../../../src/recipes/errors.ts';
import { AccessDeniedError } from '../../../../src/zookeeper/accessDenied.ts';
import {
  AuthenticationFailedError,
  ConnectError,
  SessionLostError,
  ZooKeeperError,
} from '../../../../src/zookeeper/errors.ts';
import { hostileTexts, linkPattern, unseenPattern } from '../corpus.ts';

const acl = [
  { scheme: 'digest', id: 'ann:aGFzaA==', permissions: 'cdrwa' },
  { scheme: 'world', id: 'anyone', permissions: 'r' },
];
const identities = [{ scheme: 'sasl', user: 'bob' }];
const login = { kind: 'login', server: 'zk1:2281', scheme: 'sasl', detail: 'for the log' } as const;

const codes = { notReadOnly: -119, saslRequired: -124, authFailed: -115, noAuth: -102 };

function refused(failure: Exclude<ConnectFailure, 'tls' | 'closed'>, detail = 'why'): string {
  return errorSentence(new ConnectError([{ host: 'zk1', port: 2281, failure, detail }], 1_000));
}

function hungUp(reason: ClosedReason): string {
  const cause = { host: 'zk1', port: 2281, failure: 'closed', reason, detail: 'text of the library' } as const;
  const text = errorSentence(new ConnectError([cause], 1_000));
  expect(text).not.toContain('text of the library');
  return text;
}

function insecure(...reasons: TlsReason[]): ConnectError {
  const causes = reasons.map((reason, index) => ({
    host: `zk${String(index + 1)}`,
    port: 2281,
    failure: 'tls' as const,
    reason,
    detail: 'text of the TLS library',
  }));
  return new ConnectError(causes, 1_000);
}

/** What each sentence must hold, and the next step. */
const tlsTexts: Record<TlsReason, [what: RegExp, next: RegExp]> = {
  'wrong-host': [/certificate is for other host names/, /server name/],
  expired: [/certificate has expired/, /renew/],
  'not-yet-valid': [/certificate is not valid yet/, /clock/],
  revoked: [/certificate was revoked/, /new one/],
  'self-signed': [/certificate is self-signed/, /Edit the cluster.*CA/],
  'unknown-authority': [/unknown authority/, /Edit the cluster.*CA/],
  'plain-port': [/does not speak TLS/, /secure client port.*not encrypted/],
  'tls-port': [/speaks TLS/, /Edit the cluster.*TLS/],
  'hung-up': [/hung up in the TLS handshake/, /secure client port/],
  'certificate-demanded': [/demands a client certificate/, /Edit the cluster.*client certificate/],
  'certificate-refused': [/refused the client certificate/, /Edit the cluster.*another/],
  'no-common-version': [/no safe TLS version or cipher/, /TLS 1\.2 or 1\.3/],
  'own-files': [/certificate, the key or the passphrase/, /Edit the cluster/],
  other: [/text of the TLS library/, /Edit the cluster/],
};

describe('texts of the new failures', () => {
  it.each(Object.entries(tlsTexts) as [TlsReason, [RegExp, RegExp]][])(
    'give %s as the reason of a failed TLS connection, and the next step',
    (reason, [what, next]) => {
      const text = errorText(insecure(reason));
      expect(text.what).toMatch(/^zk1:2281: /);
      expect(text.what).toMatch(what);
      expect(text.next).toMatch(next);
      // English of a library is shown only where there is nothing better, and the names in a certificate.
      expect(text.what.includes('text of the TLS library')).toBe(reason === 'other' || reason === 'wrong-host');
    },
  );

  it('give a sentence of its own to each reason of a failed TLS connection', () => {
    const sentences = Object.keys(tlsTexts).map(reason => errorText(insecure(reason as TlsReason)).what);
    expect(new Set(sentences).size).toBe(sentences.length);
  });

  it('give one next step for all servers only where they failed alike', () => {
    expect(errorText(insecure('expired', 'expired')).next).toBe(errorText(insecure('expired')).next);
    const { what, next } = errorText(insecure('expired', 'unknown-authority'));
    expect(what).toMatch(/^zk1:2281: .*expired.* zk2:2281: .*unknown authority/);
    expect(next).toMatch(/CA certificates.*client certificate.*secure client port/);
  });

  it('give what a server that hangs up may mean', () => {
    expect(hungUp('not-serving')).toMatch(/zk1:2281: it is up but serves no requests\. .*quorum.*starting/);
    expect(hungUp('mute')).toMatch(/zk1:2281: it hung up without a word\. .*choose TLS.*too many connections/);
    expect(hungUp('hung-up')).toMatch(/zk1:2281: it hung up on the handshake\. .*too many connections/);
    expect(hungUp('broke-off')).toMatch(/zk1:2281: the connection broke off\. .*network/);
  });

  it('tell lost quorum from a wiped cluster, each with its way out', () => {
    expect(refused('read-only')).toMatch(/quorum lost.*Wait until a majority/);
    expect(refused('behind')).toMatch(/wiped or restored.*connect again/);
    expect(errorSentence(new ZooKeeperError(codes.notReadOnly, 'create', '/a'))).toMatch(
      /Quorum lost.*\/a was not changed/,
    );
  });

  it('name the right that is missing and whose ACL has it', () => {
    const texts = ['create', 'remove', 'setData', 'getData'].map(operation =>
      errorSentence(new ZooKeeperError(codes.noAuth, operation, '/a/b')),
    );
    expect(texts).toEqual([
      expect.stringMatching(/create \/a\/b\. .*CREATE right in the ACL of its parent/),
      expect.stringMatching(/delete \/a\/b\. .*DELETE right in the ACL of its parent/),
      expect.stringMatching(/change \/a\/b\. .*WRITE right in its ACL/),
      expect.stringMatching(/read \/a\/b\. .*READ right in its ACL/),
    ]);
  });

  it('name node, right and ACL of what was denied, and as whom we came', () => {
    const refusal = new ZooKeeperError(codes.noAuth, 'create', '/a/b');
    const text = errorText(new AccessDeniedError(refusal, { node: '/a', right: 'create', acl, identities }));
    expect(text).toEqual({
      what: 'You have no permission to create /a/b. The right CREATE is missing on /a.',
      next:
        'The ACL of /a is: digest:ann:…:cdrwa, world:anyone:r. You are sasl:bob. ' +
        'Ask its owner, or log in as somebody who has CREATE there.',
    });
  });

  it.each([
    ['remove', 'delete', 'delete /a/b. The right DELETE is missing on /a.'],
    ['setData', 'write', 'change /a/b. The right WRITE is missing on /a.'],
    ['getChildren', 'read', 'read /a/b. The right READ is missing on /a.'],
  ] as const)('name what %s needs', (operation, right, sentence) => {
    const refusal = new ZooKeeperError(codes.noAuth, operation, '/a/b');
    const denied = { node: '/a', right, acl: undefined, identities: undefined };
    const { what, next } = errorText(new AccessDeniedError(refusal, denied));
    expect(what).toContain(sentence);
    expect(next).toMatch(/^The ACL of \/a may not be read either\. Ask its owner/);
    const nobody = errorText(new AccessDeniedError(refusal, { ...denied, acl: [] }));
    expect(nobody.next).toMatch(/^The ACL of \/a is: empty\. Nobody has .* there: somebody with ADMIN/);
  });

  it('name what every part of a multi-lock lacked', () => {
    const refused = (path: string): AccessDeniedError =>
      new AccessDeniedError(new ZooKeeperError(codes.noAuth, 'remove', path), {
        node: '/a', right: 'delete', acl, identities,
      }); // prettier-ignore
    const { what } = errorText(new MultiReleaseError([refused('/a/1'), refused('/a/2')]));
    expect(what).toMatch(
      /^Locks that were not released: 2\. You have no permission to delete \/a\/1\. The right DELETE/,
    );
    expect(what).toMatch(/delete \/a\/2\..* The ACL of \/a is: digest:ann/);
  });

  it('tell a refused log-in from a lost session, and from one that was never tried', () => {
    const refusedLogin = errorText(new AuthenticationFailedError({ ...login, refusal: 'wrong-account' }));
    expect(refusedLogin.what).toBe('The log-in was refused: user or password are wrong. (zk1:2281)');
    expect(refusedLogin.what).not.toBe(errorText(new SessionLostError({ kind: 'closed' })).what);
    expect(errorSentence(new ZooKeeperError(codes.saslRequired, 'getData', '/'))).toContain('choose SASL DIGEST-MD5');
    expect(errorSentence(new ZooKeeperError(codes.authFailed, 'getData', '/'))).toContain('log-in was refused');
  });

  it('are safe whatever files and users are called', () => {
    for (const text of hostileTexts) {
      for (const error of [
        new TlsFileError('ca', text, 'missing'),
        new WrongPassphraseError(text),
        new MissingSecretError({ kind: 'password', scheme: 'sasl', user: text }),
        new MissingSecretError({ kind: 'passphrase', keyFile: text }),
        new AuthenticationFailedError({ ...login, refusal: 'credential', server: text, scheme: text }),
        new AccessDeniedError(new ZooKeeperError(codes.noAuth, 'create', text), {
          node: text,
          right: 'create',
          acl: [{ scheme: text, id: text, permissions: text }],
          identities: [{ scheme: text, user: text }],
        }),
      ]) {
        expect(errorSentence(error)).not.toMatch(linkPattern);
        expect(errorSentence(error)).not.toMatch(unseenPattern);
      }
    }
  });
});
