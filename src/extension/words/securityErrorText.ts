import { l10n } from 'vscode';
import { AuthenticationFailedError } from '../../zookeeper/errors.ts';
import { MissingSecretError } from '../../app/security/clusterSecrets.ts';
import {
  TlsFileError,
  WrongPassphraseError,
  type TlsFileFault,
  type TlsFileRole,
} from '../../app/security/tlsFiles.ts';
import { displayText } from '../../base/displayText.ts';
import { loginText } from './loginText.ts';

/** Why log-in or TLS settings did not do, ready for the screen; `undefined` for any other error. */
export function securityErrorText(error: unknown): { what: string; next: string } | undefined {
  if (error instanceof TlsFileError) {
    return { what: fileFaultText(error), next: fileAdvice(error.fault, error.role) };
  }
  if (error instanceof WrongPassphraseError) {
    return {
      what: l10n.t('The passphrase does not open the key {0}.', displayText(error.file)),
      next: l10n.t('Type it again.'),
    };
  }
  if (error instanceof MissingSecretError) {
    const { purpose } = error;
    return {
      what:
        purpose.kind === 'password'
          ? l10n.t('The password of {0} was not given.', displayText(purpose.user))
          : l10n.t('The passphrase of the key {0} was not given.', displayText(purpose.keyFile)),
      next: l10n.t('Connect again to be asked for it.'),
    };
  }
  if (error instanceof AuthenticationFailedError) {
    return {
      what: loginText(error.why),
      next: l10n.t('Connect again to type the password anew, or edit the cluster to change user and kind of log-in.'),
    };
  }
  return undefined;
}

function roleText(role: TlsFileRole): string {
  switch (role) {
    case 'ca':
      return l10n.t('CA certificates');
    case 'cert':
      return l10n.t('client certificate');
    case 'key':
      return l10n.t('private key');
  }
}

function fileFaultText({ role, file, fault }: TlsFileError): string {
  const shown = displayText(file);
  switch (fault) {
    case 'missing':
      return l10n.t('The file with the {0} does not exist: {1}.', roleText(role), shown);
    case 'unreadable':
      return l10n.t('The file with the {0} cannot be read: {1}.', roleText(role), shown);
    case 'relative':
      return l10n.t('The file with the {0} must be named by its full path: {1}.', roleText(role), shown);
    case 'too-large':
      return l10n.t('The file is too large to hold the {0}: {1}.', roleText(role), shown);
    case 'foreign':
      return l10n.t('The file holds no {0} in PEM form: {1}.', roleText(role), shown);
    case 'mismatch':
      return l10n.t('The private key does not belong to the client certificate: {0}.', shown);
  }
}

function fileAdvice(fault: TlsFileFault, role: TlsFileRole): string {
  if (fault === 'unreadable') return l10n.t('Check who may read it.');
  if (fault !== 'foreign') return l10n.t('Edit the cluster to choose another file.');
  return role === 'key'
    ? l10n.t('A JKS or PKCS #12 store must be converted first, for example with: openssl pkcs12 -nocerts')
    : l10n.t('A JKS store must be converted first, for example with: keytool -exportcert -rfc');
}
