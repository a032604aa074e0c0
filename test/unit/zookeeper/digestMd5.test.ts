import { expect, it } from 'vitest';
import { answerDigestMd5, checkRspauth } from '../../../src/zookeeper/digestMd5.ts';
import { CredentialRefused } from '../../../src/zookeeper/sessionCause.ts';

const chris = { user: 'chris', password: 'secret', digestUri: 'imap/elwood.innosoft.com' };
const challenge = 'realm="elwood.innosoft.com",nonce="OA6MG9tEQGm2hh",qop="auth",algorithm=md5-sess,charset=utf-8';

it('gives the answer of the example in RFC 2831, section 4', () => {
  const { response, rspauth } = answerDigestMd5(chris, challenge, 'OA6MHXh6VqTrRk');
  expect(response).toBe(
    'charset=utf-8,username="chris",realm="elwood.innosoft.com",nonce="OA6MG9tEQGm2hh",nc=00000001,' +
      'cnonce="OA6MHXh6VqTrRk",digest-uri="imap/elwood.innosoft.com",' +
      'response=d388dad90d4bbd760a152321f2143af7,qop=auth',
  );
  expect(rspauth).toBe('ea40f60335c427b5527b84dbabcdfffd');
});

it('wants the proof of the server', () => {
  expect(() =>
    checkRspauth('rspauth=ea40f60335c427b5527b84dbabcdfffd', 'ea40f60335c427b5527b84dbabcdfffd'),
  ).not.toThrow();
  for (const token of ['', 'rspauth=', 'rspauth=00', 'nonsense', '__proto__=1']) {
    expect(() => checkRspauth(token, 'ea40f60335c427b5527b84dbabcdfffd')).toThrow(CredentialRefused);
  }
});

it('escapes quotes in names and unescapes them in challenges', () => {
  const { response } = answerDigestMd5({ ...chris, user: 'a"b\\c' }, 'realm="x\\"y",nonce="n"', 'c');
  expect(response).toContain('username="a\\"b\\\\c"');
  expect(response).toContain('realm="x\\"y"');
});

it('hashes ISO 8859-1 text in that encoding, other text in UTF-8', () => {
  const answers = ['\u00fc', '\u0430'].map(password => {
    const utf8 = answerDigestMd5({ ...chris, password }, challenge, 'c').response;
    return /response=(\w+)/.exec(utf8)![1];
  });
  // Computed with an independent implementation (Python hashlib).
  expect(answers).toEqual(['401d2635ed465268e7b2f60528e3dde0', '4e863da1376555e4f199f1dc251c64d4']);
});

it.each([
  ['no nonce', 'realm="x"'],
  ['nothing', ''],
  ['only confidentiality', 'nonce="n",qop="auth-conf"'],
])('refuses a challenge with %s', (_, text) => {
  expect(() => answerDigestMd5(chris, text, 'c')).toThrow(CredentialRefused);
});
