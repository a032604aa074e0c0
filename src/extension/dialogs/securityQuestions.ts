import { l10n } from 'vscode';
import { passphrasePurpose, type SecurityDraft } from '../../app/security/securityDraft.ts';
import { WrongPassphraseError, isEncryptedKey, openKey, readPem } from '../../app/security/tlsFiles.ts';
import { askFile } from './fileQuestion.ts';
import { askChoice, askText } from './quickInput.ts';
import { emptyMeans, type SecuritySeries, type SecurityStep } from './securitySeries.ts';
import { take } from './questionSeries.ts';

function usesTls({ security }: SecuritySeries): boolean {
  return security.encryption !== 'none';
}

function usesKey({ security }: SecuritySeries): boolean {
  return security.encryption === 'mutual';
}

const askEncryption: SecurityStep = {
  ask: async ({ title, security }, step) =>
    take(
      await askChoice<SecurityDraft['encryption']>({
        title,
        step,
        placeholder: l10n.t('Is the connection encrypted?'),
        choices: [
          {
            label: l10n.t('Not encrypted'),
            description: l10n.t('the plain client port; everything can be read and changed on the way'),
            value: 'none',
          },
          { label: l10n.t('TLS'), description: l10n.t('the secure client port'), value: 'tls' },
          {
            label: l10n.t('TLS with client certificate'),
            description: l10n.t('for servers that want to see one'),
            value: 'mutual',
          },
        ],
        active: security.encryption,
      }),
      encryption => (security.encryption = encryption),
    ),
};

const askAuthorities: SecurityStep = {
  applies: usesTls,
  ask: async ({ title, security }, step) =>
    take(
      await askFile({
        title,
        step,
        placeholder: l10n.t('Which certificate authorities may vouch for the servers?'),
        dialogTitle: l10n.t('CA Certificates (PEM)'),
        present: security.caFile,
        without: { label: l10n.t('Those that this machine trusts'), description: l10n.t('public authorities') },
        check: file => readPem('ca', file),
      }),
      file => (security.caFile = file),
    ),
};

const askCertificate: SecurityStep = {
  applies: usesKey,
  ask: async ({ title, security }, step) =>
    take(
      await askFile({
        title,
        step,
        placeholder: l10n.t('Which client certificate is shown to the servers?'),
        dialogTitle: l10n.t('Client Certificate (PEM)'),
        present: security.certFile,
        check: file => readPem('cert', file),
      }),
      file => (security.certFile = file),
    ),
};

const askKey: SecurityStep = {
  applies: usesKey,
  ask: async ({ title, security }, step) =>
    take(
      await askFile({
        title,
        step,
        placeholder: l10n.t('Which private key belongs to the client certificate?'),
        dialogTitle: l10n.t('Private Key (PEM)'),
        present: security.keyFile,
        check: async file => {
          security.keyIsEncrypted = isEncryptedKey(await readPem('key', file));
        },
      }),
      file => {
        if (file !== security.keyFile) security.passphrase = '';
        security.keyFile = file;
      },
    ),
};

/** @returns whether the passphrase opens the key */
async function opens(keyFile: string, passphrase: string): Promise<boolean> {
  try {
    openKey(keyFile, await readPem('key', keyFile), passphrase);
    return true;
  } catch (error) {
    if (error instanceof WrongPassphraseError) return false;
    throw error;
  }
}

const askPassphrase: SecurityStep = {
  applies: ({ security }) => passphrasePurpose(security) !== undefined,
  ask: async (series, step) => {
    const { title, security } = series;
    const placeholder = await emptyMeans(series, passphrasePurpose(security));
    let value = security.passphrase;
    let prompt = l10n.t('Passphrase of the private key; kept in the keyring, never in the settings');
    for (;;) {
      const answer = await askText({
        title,
        step,
        value,
        prompt,
        placeholder,
        secret: true,
        validate: () => undefined,
      });
      if (answer.kind === 'back') return true;
      if (answer.value === '' || (await opens(security.keyFile ?? '', answer.value))) {
        security.passphrase = answer.value;
        return false;
      }
      value = '';
      prompt = l10n.t('That passphrase does not open the key. Type it again');
    }
  },
};

/** Why a server name cannot be used. */
export function serverNameFault(name: string): string | undefined {
  return /^[A-Za-z0-9_.:-]*$/.test(name.trim()) ? undefined : l10n.t('Type a host name, like zk.example.org.');
}

const askServerName: SecurityStep = {
  applies: usesTls,
  ask: async ({ title, security }, step) =>
    take(
      await askText({
        title,
        step,
        value: security.serverName,
        prompt: l10n.t("Name in the servers' certificate, if it differs from the host in the connect string"),
        placeholder: l10n.t('Leave empty to expect the host that is dialled'),
        validate: serverNameFault,
      }),
      name => (security.serverName = name.trim()),
    ),
};

/** The questions about encryption, in order. */
export function tlsSteps(): SecurityStep[] {
  return [askEncryption, askAuthorities, askCertificate, askKey, askPassphrase, askServerName];
}
