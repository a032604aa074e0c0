import { l10n } from 'vscode';
import { userFault } from '../../app/clusters/clusterSecurity.ts';
import { passwordPurpose, type Login, type SecurityDraft } from '../../app/security/securityDraft.ts';
import { displayText } from '../../base/displayText.ts';
import { askChoice, askText, type Choice } from './quickInput.ts';
import { emptyMeans, type SecuritySeries, type SecurityStep } from './securitySeries.ts';
import { take } from './questionSeries.ts';

/** What each way to log in means, and what it gives away without TLS. */
export function loginChoices({ encryption, present }: SecurityDraft): Choice<Login>[] {
  const isPlain = encryption === 'none';
  const several = present.auth ?? [];
  const kept: Choice<Login>[] =
    several.length < 2
      ? []
      : [
          {
            label: l10n.t('Keep {0} log-ins', several.length),
            description: displayText(several.map(({ scheme, user }) => `${scheme} ${user}`).join(', '), 80),
            value: 'several',
          },
        ];
  return [
    ...kept,
    { label: l10n.t('No log-in'), description: l10n.t('as anyone'), value: 'none' },
    {
      label: l10n.t('User and password (digest)'),
      description: isPlain
        ? l10n.t('$(warning) without TLS, the password can be read on the way')
        : l10n.t('for nodes with digest ACLs'),
      value: 'digest',
    },
    {
      label: l10n.t('User and password (SASL DIGEST-MD5)'),
      description: isPlain ? '' : l10n.t('for servers with a JAAS log-in'),
      // Too long to stand beside the label.
      ...(isPlain
        ? { detail: l10n.t('$(warning) without TLS, all data can be read on the way, and weak passwords be guessed') }
        : {}),
      value: 'sasl',
    },
  ];
}

const askLogin: SecurityStep = {
  ask: async ({ title, security }, step) =>
    take(
      await askChoice<Login>({
        title,
        step,
        placeholder: l10n.t('How do you log in?'),
        choices: loginChoices(security),
        active: security.login,
      }),
      login => (security.login = login),
    ),
};

/** Why a user name cannot be used, ready for the screen. */
export function userNameFault(user: string): string | undefined {
  switch (userFault(user)) {
    case undefined:
      return undefined;
    case 'credentials':
      return l10n.t('A user name has no colon. The password is asked for next.');
    case 'auth':
      return l10n.t('Type a user name.');
  }
}

function hasOneLogin({ security }: SecuritySeries): boolean {
  return passwordPurpose(security) !== undefined;
}

const askUser: SecurityStep = {
  applies: hasOneLogin,
  ask: async ({ title, security }, step) =>
    take(
      await askText({
        title,
        step,
        value: security.user,
        prompt: l10n.t('User name'),
        validate: userNameFault,
      }),
      user => (security.user = user),
    ),
};

/** What the password box says: where the password goes. */
export function passwordPrompt({ encryption, login }: SecurityDraft): string {
  if (encryption !== 'none') return l10n.t('Password; kept in the keyring, never in the settings');
  return login === 'digest'
    ? l10n.t('Password. Careful: without TLS it is sent readable, as digest log-ins are')
    : l10n.t('Password. Careful: without TLS the log-in is safe only as far as the password cannot be guessed');
}

const askPassword: SecurityStep = {
  applies: hasOneLogin,
  ask: async (series, step) => {
    const { title, security } = series;
    const placeholder = await emptyMeans(series, passwordPurpose(security));
    return take(
      await askText({
        title,
        step,
        value: security.password,
        prompt: passwordPrompt(security),
        placeholder,
        secret: true,
        validate: () => undefined,
      }),
      password => (security.password = password),
    );
  },
};

/** The questions about who we are, in order. */
export function loginSteps(): SecurityStep[] {
  return [askLogin, askUser, askPassword];
}
