import { createHash } from 'node:crypto';
import { CredentialRefused } from './sessionCause.ts';

export interface DigestMd5Credential {
  user: string;
  password: string;
  /** `service/host`; ZooKeeper always uses `zookeeper/zk-sasl-md5`. */
  digestUri: string;
}

/** What the server offers; `realm` is the first one, empty if there is none. */
interface Challenge {
  realm: string;
  nonce: string;
  isUtf8: boolean;
}

/**
 * Answers a DIGEST-MD5 challenge (RFC 2831, qop `auth`, no authorisation id).
 *
 * @param challenge the server's first token
 * @param cnonce random text, never used before
 * @returns the token to send, and the `rspauth` by which the server proves that it knows the password
 * @throws CredentialRefused if the challenge lacks a nonce or offers no plain authentication
 */
export function answerDigestMd5(
  credential: DigestMd5Credential,
  challenge: string,
  cnonce: string,
): { response: string; rspauth: string } {
  const { realm, nonce, isUtf8 } = parseChallenge(challenge);
  const { user, password, digestUri } = credential;
  const secret = md5(
    Buffer.concat([hashed(user, isUtf8), colon, hashed(realm, isUtf8), colon, hashed(password, isUtf8)]),
  );
  const a1 = md5(Buffer.concat([secret, Buffer.from(`:${nonce}:${cnonce}`)])).toString('hex');
  const proof = (method: string): string => {
    const a2 = md5(Buffer.from(`${method}:${digestUri}`)).toString('hex');
    return md5(Buffer.from(`${a1}:${nonce}:00000001:${cnonce}:auth:${a2}`)).toString('hex');
  };
  const fields = [
    ...(isUtf8 ? ['charset=utf-8'] : []),
    `username=${quoted(user)}`,
    ...(realm === '' ? [] : [`realm=${quoted(realm)}`]),
    `nonce=${quoted(nonce)}`,
    'nc=00000001',
    `cnonce=${quoted(cnonce)}`,
    `digest-uri=${quoted(digestUri)}`,
    `response=${proof('AUTHENTICATE')}`,
    'qop=auth',
  ];
  return { response: fields.join(','), rspauth: proof('') };
}

/** @throws CredentialRefused unless `token` is the expected `rspauth` */
export function checkRspauth(token: string, expected: string): void {
  if (parseFields(token).get('rspauth') !== expected) {
    throw new CredentialRefused('sasl', 'no-proof', 'the server could not prove that it knows the password');
  }
}

const colon = Buffer.from(':');

function md5(bytes: Buffer): Buffer {
  return createHash('md5').update(bytes).digest();
}

/** Text that fits into ISO 8859-1 is hashed in that encoding even when the charset is UTF-8 (RFC 2831, 2.1.2.1). */
function hashed(text: string, isUtf8: boolean): Buffer {
  const fits = /^[\u0000-\u00ff]*$/.test(text);
  return Buffer.from(text, isUtf8 && !fits ? 'utf8' : 'latin1');
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

function parseChallenge(text: string): Challenge {
  const fields = parseFields(text);
  const nonce = fields.get('nonce');
  if (nonce === undefined)
    throw new CredentialRefused('sasl', 'bad-challenge', 'the challenge of the server holds no nonce');
  const offered = (fields.get('qop') ?? 'auth').split(',').map(each => each.trim());
  if (!offered.includes('auth')) {
    throw new CredentialRefused('sasl', 'demands-more', 'the server demands more than DIGEST-MD5 authentication');
  }
  return { nonce, realm: fields.get('realm') ?? '', isUtf8: fields.get('charset') === 'utf-8' };
}

/** `key=value,key="quoted value"`; the first value of a repeated key counts. */
function parseFields(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const match of text.matchAll(/([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^,\s]*))/g)) {
    const [, key = '', quotedValue, plain = ''] = match;
    const value = quotedValue === undefined ? plain : quotedValue.replace(/\\(.)/g, '$1');
    if (!fields.has(key.toLowerCase())) fields.set(key.toLowerCase(), value);
  }
  return fields;
}
