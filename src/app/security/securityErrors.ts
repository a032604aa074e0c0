import type { SecretPurpose } from './clusterSecrets.ts';

export type TlsFileRole = 'ca' | 'cert' | 'key';

/** `foreign`: no PEM, or not what it is meant to be. `mismatch`: the key does not belong to the certificate. */
export type TlsFileFault = 'missing' | 'unreadable' | 'relative' | 'too-large' | 'foreign' | 'mismatch';

/** A file of the cluster's TLS fields cannot be used. Nothing of its content is told. */
export class TlsFileError extends Error {
  readonly role: TlsFileRole;
  readonly file: string;
  readonly fault: TlsFileFault;

  constructor(role: TlsFileRole, file: string, fault: TlsFileFault) {
    super(`The ${role} file ${file} cannot be used: ${fault}.`);
    this.name = 'TlsFileError';
    this.role = role;
    this.file = file;
    this.fault = fault;
  }
}

/** The passphrase does not open the key; it is forgotten, so that the next attempt asks for it. */
export class WrongPassphraseError extends Error {
  readonly file: string;

  constructor(file: string) {
    super(`The passphrase does not open the key ${file}.`);
    this.name = 'WrongPassphraseError';
    this.file = file;
  }
}

/** The person was asked for a password or passphrase and gave none. */
export class MissingSecretError extends Error {
  readonly purpose: SecretPurpose;

  constructor(purpose: SecretPurpose) {
    super(`No ${purpose.kind} was given.`);
    this.name = 'MissingSecretError';
    this.purpose = purpose;
  }
}
