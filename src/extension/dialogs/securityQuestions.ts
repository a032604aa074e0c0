import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { displayText } from '../../base/displayText.ts';
import { errorText } from '../words/errorText.ts';
import type { SecretPurpose } from '../../app/security/clusterSecrets.ts';
import {
  passphrasePurpose,
  passwordPurpose,
  type Login,
  type SecurityDraft,
} from '../../app/security/securityDraft.ts';
import { isEncryptedKey, opensKey, readPem } from '../../app/security/tlsFiles.ts';
import { userFault } from '../../app/clusters/clusterProfile.ts';
import { pageFocusSettled } from '../platform/pageFocus.ts';
import { askChoice, askText, type Choice, type StepResult, type StepTitle } from './quickInput.ts';
import { choiceStep, stepThatAsks, textStep, type SeriesStep } from './questionSeries.ts';
import { l10n } from '../words/language.ts';

/** What the questions about encryption and log-in read and fill in. */
export interface SecuritySeries {
  readonly title: string;
  readonly security: SecurityDraft;
  /** Whether a secret is saved already, so that it need not be typed. */
  readonly isKept: (purpose: SecretPurpose) => Promise<boolean>;
}

type SecurityStep = SeriesStep<SecuritySeries>;

function usesTls({ security }: SecuritySeries): boolean {
  return security.encryption !== 'none';
}

function usesKey({ security }: SecuritySeries): boolean {
  return security.encryption === 'mutual';
}

function hasOneLogin({ security }: SecuritySeries): boolean {
  return passwordPurpose(security) !== undefined;
}

/** The placeholder of a secret: what an empty field stands for. */
async function emptyMeans({ isKept }: SecuritySeries, purpose: SecretPurpose | undefined): Promise<string> {
  return purpose !== undefined && (await isKept(purpose))
    ? l10n.t('Leave empty to keep what is saved')
    : l10n.t('Leave empty to type it when connecting');
}

interface FileQuestion extends StepTitle {
  /** What the file holds, as a question. */
  placeholder: string;
  /** Title of the open dialog. */
  dialogTitle: string;
  present: string | undefined;
  /** The choice of no file at all; left out where one is needed. */
  without?: { label: string; description: string };
  /** @throws an error that says why the file cannot be used */
  check(file: string): Promise<unknown>;
}

type FileChoice = 'present' | 'other' | 'without';

/** @param fault why the file that was chosen last cannot be used */
function fileChoices({ present, without }: FileQuestion, fault: string | undefined): Choice<FileChoice>[] {
  const offered: Choice<FileChoice>[] = [];
  if (present !== undefined) {
    const description = displayText(dirname(present));
    offered.push({ label: displayText(basename(present)), description, value: 'present' });
  }
  if (without !== undefined) offered.push({ ...without, value: 'without' });
  const detail = fault === undefined ? {} : { detail: `$(warning) ${fault}` };
  offered.push({ label: l10n.t('Choose a file…'), description: l10n.t('PEM'), ...detail, value: 'other' });
  return offered;
}

async function openDialog({ dialogTitle, present }: FileQuestion): Promise<string | undefined> {
  const files = await vscode.window.showOpenDialog({
    title: dialogTitle,
    openLabel: l10n.t('Choose'),
    canSelectMany: false,
    // Beside the former file; an address without a scheme would be none of this machine.
    ...(present === undefined ? {} : { defaultUri: vscode.Uri.file(present) }),
    filters: {
      [l10n.t('PEM files')]: ['pem', 'crt', 'cer', 'key', 'cert', 'ca-bundle'],
      [l10n.t('All files')]: ['*'],
    },
  });
  // It took the place of the question before, and has closed: the next one finds nothing on screen.
  await pageFocusSettled();
  return files?.[0]?.fsPath;
}

/**
 * Asks for a file by the open dialog, again if the file cannot be used: the question then says why.
 *
 * @returns the absolute path, or `undefined` for no file
 */
async function askFile(question: FileQuestion): Promise<StepResult<string | undefined>> {
  let { placeholder } = question;
  let fault: string | undefined;
  for (;;) {
    const offered = fileChoices(question, fault);
    const active = fault === undefined ? offered[0]?.value : 'other';
    const answer = await askChoice({ ...question, placeholder, choices: offered, active });
    if (answer.kind === 'back') return answer;
    if (answer.value === 'without') return { kind: 'value', value: undefined };
    const file = answer.value === 'present' ? question.present : await openDialog(question);
    if (file === undefined) continue;
    try {
      await question.check(file);
      return { kind: 'value', value: file };
    } catch (error) {
      ({ what: fault, next: placeholder } = errorText(error));
    }
  }
}

const encryptionStep = choiceStep<SecuritySeries, SecurityDraft['encryption']>({
  question: ({ security }) => ({
    placeholder: l10n.t('Is the connection encrypted?'),
    choices: [
      {
        label: l10n.t('Not encrypted'),
        description: l10n.t('the plain client port; everything can be read and changed in transit'),
        value: 'none',
      },
      { label: l10n.t('TLS'), description: l10n.t('the secure client port'), value: 'tls' },
      {
        label: l10n.t('TLS with client certificate'),
        description: l10n.t('for servers that require one'),
        value: 'mutual',
      },
    ],
    active: security.encryption,
  }),
  save: ({ security }, encryption) => (security.encryption = encryption),
});

function fileStep(
  applies: (series: SecuritySeries) => boolean,
  question: (security: SecurityDraft) => Omit<FileQuestion, 'title'>,
  save: (security: SecurityDraft, file: string | undefined) => void,
): SecurityStep {
  return stepThatAsks<SecuritySeries, FileQuestion, string | undefined>(
    { applies, question: ({ security }) => question(security), save: ({ security }, file) => save(security, file) },
    askFile,
  );
}

const authoritiesStep = fileStep(
  usesTls,
  security => ({
    placeholder: l10n.t('Which certificate authorities are trusted for the servers?'),
    dialogTitle: l10n.t('CA Certificates (PEM)'),
    present: security.caFile,
    without: { label: l10n.t('Those trusted by this machine'), description: l10n.t('public authorities') },
    check: file => readPem('ca', file),
  }),
  (security, file) => (security.caFile = file),
);

const certificateStep = fileStep(
  usesKey,
  security => ({
    placeholder: l10n.t('Which client certificate is sent to the servers?'),
    dialogTitle: l10n.t('Client Certificate (PEM)'),
    present: security.certFile,
    check: file => readPem('cert', file),
  }),
  (security, file) => (security.certFile = file),
);

const keyStep = fileStep(
  usesKey,
  security => ({
    placeholder: l10n.t('Which private key belongs to the client certificate?'),
    dialogTitle: l10n.t('Private Key (PEM)'),
    present: security.keyFile,
    check: async file => {
      security.keyIsEncrypted = isEncryptedKey(await readPem('key', file));
    },
  }),
  (security, file) => {
    if (file !== security.keyFile) security.passphrase = '';
    security.keyFile = file;
  },
);

const passphraseStep: SecurityStep = {
  applies: ({ security }) => passphrasePurpose(security) !== undefined,
  async ask(series, step) {
    const { title, security } = series;
    const placeholder = await emptyMeans(series, passphrasePurpose(security));
    let value = security.passphrase;
    let prompt = l10n.t('Passphrase of the private key; kept in the keyring, never in the settings');
    for (;;) {
      const answer = await askText({ title, step, value, prompt, placeholder, secret: true });
      if (answer.kind === 'back') return true;
      if (answer.value === '' || (await opensKey(security.keyFile ?? '', answer.value))) {
        security.passphrase = answer.value;
        return false;
      }
      value = '';
      prompt = l10n.t('That passphrase does not open the key. Type it again');
    }
  },
};

/** Why a server name cannot be used, ready for the screen. */
function serverNameFault(name: string): string | undefined {
  return /^[A-Za-z0-9_.:-]*$/.test(name.trim()) ? undefined : l10n.t('Type a host name, like zk.example.org.');
}

const serverNameStep = textStep<SecuritySeries>({
  applies: usesTls,
  question: ({ security }) => ({
    value: security.serverName,
    prompt: l10n.t('Name in the certificate of the servers, if it differs from the host in the connect string'),
    placeholder: l10n.t('Leave empty to expect the host of the connection'),
    validate: serverNameFault,
  }),
  save: ({ security }, name) => (security.serverName = name.trim()),
});

/** The ways to log in, and what each gives away without TLS. */
function loginChoices({ encryption, present }: SecurityDraft): Choice<Login>[] {
  const isPlain = encryption === 'none';
  const several = present.auth ?? [];
  const kept: Choice<Login> = {
    label: l10n.t('Keep {0} log-ins', several.length),
    description: displayText(several.map(({ scheme, user }) => `${scheme} ${user}`).join(', '), 80),
    value: 'several',
  };
  return [
    ...(several.length < 2 ? [] : [kept]),
    { label: l10n.t('No log-in'), description: l10n.t('as anyone'), value: 'none' },
    {
      label: l10n.t('User and password (digest)'),
      description: isPlain
        ? l10n.t('$(warning) without TLS, the password can be read in transit')
        : l10n.t('for nodes with digest ACLs'),
      value: 'digest',
    },
    {
      label: l10n.t('User and password (SASL DIGEST-MD5)'),
      description: isPlain ? '' : l10n.t('for servers with a JAAS log-in'),
      // Too long to stand beside the label.
      ...(isPlain
        ? {
            detail: l10n.t(
              '$(warning) without TLS, all data can be read in transit, and weak passwords can be guessed',
            ),
          }
        : {}),
      value: 'sasl',
    },
  ];
}

const loginStep = choiceStep<SecuritySeries, Login>({
  question: ({ security }) => ({
    placeholder: l10n.t('How do you log in?'),
    choices: loginChoices(security),
    active: security.login,
  }),
  save: ({ security }, login) => (security.login = login),
});

/** Why a user name cannot be used, ready for the screen. */
function userNameFault(user: string): string | undefined {
  switch (userFault(user)) {
    case undefined:
      return undefined;
    case 'credentials':
      return l10n.t('A user name has no colon. The password comes next.');
    case 'auth':
      return l10n.t('Type a user name.');
  }
}

const userStep = textStep<SecuritySeries>({
  applies: hasOneLogin,
  question: ({ security }) => ({ value: security.user, prompt: l10n.t('User name'), validate: userNameFault }),
  save: ({ security }, user) => (security.user = user),
});

/** The prompt of the password: where the password goes. */
function passwordPrompt({ encryption, login }: SecurityDraft): string {
  if (encryption !== 'none') return l10n.t('Password; kept in the keyring, never in the settings');
  return login === 'digest'
    ? l10n.t('Password. Careful: without TLS it is sent as plain text, as all digest log-ins are')
    : l10n.t('Password. Careful: without TLS the log-in is only as safe as the password is hard to guess');
}

const passwordStep = textStep<SecuritySeries>({
  applies: hasOneLogin,
  question: async series => ({
    value: series.security.password,
    prompt: passwordPrompt(series.security),
    placeholder: await emptyMeans(series, passwordPurpose(series.security)),
    secret: true,
  }),
  save: ({ security }, password) => (security.password = password),
});

/** The questions about encryption and log-in, in order. */
export const securitySteps: readonly SecurityStep[] = [
  encryptionStep,
  authoritiesStep,
  certificateStep,
  keyStep,
  passphraseStep,
  serverNameStep,
  loginStep,
  userStep,
  passwordStep,
];
