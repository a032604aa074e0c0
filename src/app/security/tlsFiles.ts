import { FactError } from '../../base/factError.ts';
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { ClusterTls } from '../clusters/clusterProfile.ts';

export type TlsFileRole = 'ca' | 'cert' | 'key';

/** `foreign`: no PEM, or PEM of another kind. `mismatch`: the key does not belong to the certificate. */
export type TlsFileFault = 'missing' | 'unreadable' | 'relative' | 'too-large' | 'foreign' | 'mismatch';

/** A file of the cluster's TLS fields cannot be used. None of its content is shown. */
export class TlsFileError extends FactError {
  readonly role: TlsFileRole;
  readonly file: string;
  readonly fault: TlsFileFault;

  constructor(role: TlsFileRole, file: string, fault: TlsFileFault) {
    super('TlsFileError', `${file} ${role} ${fault}`);
    this.role = role;
    this.file = file;
    this.fault = fault;
  }
}

/** The passphrase does not open the key. It is not used again: the next attempt asks for it. */
export class WrongPassphraseError extends FactError {
  readonly file: string;

  constructor(file: string) {
    super('WrongPassphraseError', file);
    this.file = file;
  }
}

/** A bundle of all public authorities has 0.2 MB; a larger file was chosen by mistake. Bytes. */
const largestFile = 4 * 1024 * 1024;

/** PEM texts, and the name that the server's certificate must have. */
export interface TlsMaterial {
  servername?: string;
  ca?: string;
  cert?: string;
  key?: string;
}

/** Whether a PEM key opens only with a passphrase (PKCS#8, RFC 5958; or the older header of RFC 1421). */
export function isEncryptedKey(pem: string): boolean {
  return /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: *4, *ENCRYPTED/m.test(pem);
}

const expected: Record<TlsFileRole, RegExp> = {
  ca: /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/,
  cert: /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/,
  key: /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/,
};

function readFault(error: unknown): TlsFileFault {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'unreadable';
}

/** Reads one PEM file and checks its kind. @throws TlsFileError */
export async function readPem(role: TlsFileRole, file: string): Promise<string> {
  if (!isAbsolute(file)) throw new TlsFileError(role, file, 'relative');
  let text: string;
  try {
    const { size } = await stat(file);
    if (size > largestFile) throw new TlsFileError(role, file, 'too-large');
    text = await readFile(file, 'latin1');
  } catch (error) {
    throw error instanceof TlsFileError ? error : new TlsFileError(role, file, readFault(error));
  }
  if (!expected[role].test(text)) throw new TlsFileError(role, file, 'foreign');
  return text;
}

/** Reads the files of a cluster's TLS fields. @throws TlsFileError for the first that cannot be used */
export async function readTlsFiles({ caFile, certFile, keyFile, serverName }: ClusterTls): Promise<TlsMaterial> {
  const material: TlsMaterial = {};
  if (serverName !== undefined) material.servername = serverName;
  if (caFile !== undefined) material.ca = await readPem('ca', caFile);
  if (certFile !== undefined) material.cert = await readPem('cert', certFile);
  if (keyFile !== undefined) material.key = await readPem('key', keyFile);
  return material;
}

/** @throws WrongPassphraseError, TlsFileError */
export function openKey(file: string, pem: string, passphrase: string | undefined): KeyObject {
  try {
    return createPrivateKey({ key: pem, ...(passphrase === undefined ? {} : { passphrase }) });
  } catch {
    // The message depends on the version of OpenSSL; only an encrypted key can have a wrong passphrase.
    throw isEncryptedKey(pem) ? new WrongPassphraseError(file) : new TlsFileError('key', file, 'foreign');
  }
}

/** @returns whether the passphrase opens the key */
export async function opensKey(keyFile: string, passphrase: string): Promise<boolean> {
  try {
    openKey(keyFile, await readPem('key', keyFile), passphrase);
    return true;
  } catch (error) {
    if (error instanceof WrongPassphraseError) return false;
    throw error;
  }
}

/**
 * Opens the key and compares it with the certificate: the handshake would fail without saying why.
 *
 * @throws WrongPassphraseError, TlsFileError
 */
export function checkKeyPair(tls: ClusterTls, material: TlsMaterial, passphrase: string | undefined): void {
  const { keyFile = '', certFile = '' } = tls;
  if (material.key === undefined || material.cert === undefined) return;
  const key = openKey(keyFile, material.key, passphrase);
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(material.cert);
  } catch {
    // It has the header of a certificate, but other content.
    throw new TlsFileError('cert', certFile, 'foreign');
  }
  if (!certificate.checkPrivateKey(key)) throw new TlsFileError('key', keyFile, 'mismatch');
}
