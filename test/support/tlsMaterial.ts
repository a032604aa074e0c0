import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A certificate with its key, as PEM texts. */
export interface PemPair {
  cert: string;
  key: string;
}

interface CertificatePlan {
  /** File name and common name. */
  name: string;
  /** `DNS:...`, `IP:...` */
  altNames?: string;
  /** Negative: it expired so many days ago. */
  days?: number;
}

/** A certificate authority in a folder of its own; every key is new. */
export class TestAuthority {
  readonly folder: string;
  readonly cert: string;

  constructor(folder: string, cert: string) {
    this.folder = folder;
    this.cert = cert;
  }

  /** A certificate that this authority signs. */
  async issue({ name, altNames = `DNS:${name}`, days = 30 }: CertificatePlan): Promise<PemPair> {
    const at = (suffix: string) => join(this.folder, `${name}.${suffix}`);
    await makeKey(at('key'));
    await run('openssl', ['req', '-new', '-key', at('key'), '-subj', `/CN=${name}`, '-out', at('csr')]);
    await writeFile(at('ext'), `subjectAltName=${altNames}\n`);
    await run('openssl', [
      ...['x509', '-req', '-in', at('csr'), '-CA', join(this.folder, 'ca.pem'), '-CAkey', join(this.folder, 'ca.key')],
      ...['-set_serial', String(Math.floor(Math.random() * 2 ** 47)), '-days', String(days)],
      ...['-extfile', at('ext'), '-out', at('pem')],
    ]);
    return { cert: await readFile(at('pem'), 'utf8'), key: await readFile(at('key'), 'utf8') };
  }

  /** Makes `pair` of `name` a Java key store and this authority a trust store, both with keytool's password `changeit`. */
  async toKeyStores(name: string): Promise<{ keyStore: string; trustStore: string }> {
    const at = (file: string) => join(this.folder, file);
    await run('openssl', [
      ...['pkcs12', '-export', '-in', at(`${name}.pem`), '-inkey', at(`${name}.key`), '-name', name],
      ...['-passout', 'pass:changeit', '-out', at(`${name}.p12`)],
    ]);
    const keyStore = at(`${name}.jks`);
    const trustStore = at('trust.jks');
    await Promise.all([
      run('keytool', [
        ...['-importkeystore', '-noprompt', '-srckeystore', at(`${name}.p12`), '-srcstoretype', 'PKCS12'],
        ...['-srcstorepass', 'changeit', '-destkeystore', keyStore, '-deststorepass', 'changeit'],
      ]),
      run('keytool', [
        ...['-importcert', '-noprompt', '-alias', 'ca', '-file', at('ca.pem')],
        ...['-keystore', trustStore, '-storepass', 'changeit'],
      ]),
    ]);
    return { keyStore, trustStore };
  }
}

/** @param folder must exist; the caller removes it */
export async function createAuthority(folder: string): Promise<TestAuthority> {
  const key = join(folder, 'ca.key');
  const pem = join(folder, 'ca.pem');
  await makeKey(key);
  await run('openssl', [
    'req',
    '-x509',
    '-new',
    '-key',
    key,
    '-subj',
    '/CN=test authority',
    '-days',
    '30',
    '-out',
    pem,
  ]);
  return new TestAuthority(folder, await readFile(pem, 'utf8'));
}

/** A self-signed certificate. */
export async function selfSigned(folder: string, name: string): Promise<PemPair> {
  const key = join(folder, `${name}.key`);
  const pem = join(folder, `${name}.pem`);
  await makeKey(key);
  await run('openssl', [
    ...['req', '-x509', '-new', '-key', key, '-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`],
    ...['-days', '30', '-out', pem],
  ]);
  return { cert: await readFile(pem, 'utf8'), key: await readFile(key, 'utf8') };
}

/** A self-signed certificate that begins to be valid in ten days; openssl's command line has no option for that. */
export async function notYetValid(folder: string, name: string): Promise<PemPair> {
  const store = join(folder, `${name}.later.p12`);
  await run('keytool', [
    ...['-genkeypair', '-alias', 'later', '-keyalg', 'EC', '-startdate', '+10d', '-validity', '30'],
    ...['-dname', `CN=${name}`, '-ext', `san=dns:${name}`],
    ...['-storetype', 'PKCS12', '-keystore', store, '-storepass', 'changeit'],
  ]);
  const read = async (...what: string[]): Promise<string> => {
    const { stdout } = await run('openssl', ['pkcs12', '-in', store, '-passin', 'pass:changeit', ...what]);
    return stdout;
  };
  return { cert: await read('-nokeys'), key: await read('-nocerts', '-nodes') };
}

/** @returns the key, encrypted with `passphrase` */
export async function encryptKey(folder: string, key: string, passphrase: string): Promise<string> {
  const plain = join(folder, 'plain.key');
  await writeFile(plain, key);
  const { stdout } = await run('openssl', ['pkcs8', '-topk8', '-in', plain, '-passout', `pass:${passphrase}`]);
  return stdout;
}

async function makeKey(file: string): Promise<void> {
  await run('openssl', ['genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', file]);
}
