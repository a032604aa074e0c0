import { l10n } from 'vscode';
import type { LoginCause, LoginRefusal } from '../../zookeeper/sessionCause.ts';
import { displayText } from '../../base/displayText.ts';

const sentences: Record<LoginRefusal, (scheme: string) => string> = {
  malformed: scheme => l10n.t('The log-in was not tried: a {0} credential is written user:password.', scheme),
  credential: scheme => l10n.t('The log-in was refused: the server does not accept the {0} credential.', scheme),
  'no-sasl': () => l10n.t('The log-in was refused: the server does not accept SASL.'),
  'no-digest-md5': () => l10n.t('The log-in was refused: the server has no SASL DIGEST-MD5.'),
  'wrong-account': () => l10n.t('The log-in was refused: user or password are wrong.'),
  'bad-challenge': () => l10n.t('The log-in was given up: the server sent a SASL challenge that cannot be answered.'),
  'demands-more': () => l10n.t('The log-in was given up: the server demands encryption within SASL.'),
  'no-proof': () => l10n.t('The log-in was given up: the server could not prove that it knows the password.'),
};

/** Why a log-in was refused, in whole sentences; which server said so. */
export function loginText({ refusal, scheme, server }: LoginCause): string {
  const sentence = sentences[refusal](displayText(scheme, 40));
  return server === undefined ? sentence : l10n.t('{0} ({1})', sentence, displayText(server));
}
