import { describe, expect, it } from 'vitest';
import {
  MissingSecretError,
  TlsFileError,
  WrongPassphraseError,
} from '../../../../src/extension/security/securityErrors.ts';
import { errorSentence, errorText } from '../../../../src/extension/text/errorText.ts';
import {
  AuthenticationFailedError,
  ConnectError,
  SessionLostError,
  ZooKeeperError,
  type ConnectFailure,
} from '../../../../src/zookeeper/errors.ts';
import { hostileTexts, linkPattern, unseenPattern } from '../corpus.ts';

const codes = { notReadOnly: -119, saslRequired: -124, authFailed: -115, noAuth: -102 };

function refused(failure: ConnectFailure, detail = 'why'): string {
  return errorSentence(new ConnectError([{ host: 'zk1', port: 2281, failure, detail }], 1_000));
}

describe('texts of the new failures', () => {
  it('give the cause of a failed TLS connection and where to change it', () => {
    expect(refused('tls', 'its certificate has expired')).toMatch(
      /zk1:2281: .*\(its certificate has expired\).*Edit the cluster/,
    );
  });

  it('give what a server that hangs up may mean', () => {
    expect(refused('closed', 'it is up but serves no requests: no quorum?')).toMatch(/no quorum\?.*want TLS/);
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

  it('tell a refused log-in from a lost session, and from one that was never tried', () => {
    const refusedLogin = errorText(new AuthenticationFailedError('zk1:2281 refused SASL'));
    expect(refusedLogin.what).toBe('The log-in was refused: zk1:2281 refused SASL.');
    expect(refusedLogin.what).not.toBe(errorText(new SessionLostError('x')).what);
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
        new AuthenticationFailedError(text),
      ]) {
        expect(errorSentence(error)).not.toMatch(linkPattern);
        expect(errorSentence(error)).not.toMatch(unseenPattern);
      }
    }
  });
});
