import type { ClusterProfile } from '../../app/clusters/clusterProfile.ts';
import type { SecretPurpose } from '../../app/security/clusterSecrets.ts';
import type { AskReason } from '../../app/security/sessionOpener.ts';
import { displayText } from '../../base/displayText.ts';
import { choiceStep, runSeries, textStep } from './questionSeries.ts';
import { l10n } from '../words/language.ts';

export interface SecretQuestion {
  profile: ClusterProfile;
  purpose: SecretPurpose;
  why: AskReason;
  /** Whether there is a keyring to save it in. */
  canSave: boolean;
  /** Aborted when the answer is not needed any more. */
  signal?: AbortSignal;
}

interface SecretDraft extends SecretQuestion {
  title: string;
  secret: string;
  save: boolean;
}

/** What the box asks for, ready for the screen. */
function secretPrompt({ purpose, why }: SecretQuestion): string {
  if (purpose.kind === 'password') {
    const user = displayText(purpose.user, 60);
    return why === 'refused'
      ? l10n.t('The log-in was refused. Password of {0}', user)
      : l10n.t('Password of {0}', user);
  }
  const file = displayText(purpose.keyFile, 100);
  return why === 'refused'
    ? l10n.t('The passphrase does not open the key. Passphrase of {0}', file)
    : l10n.t('Passphrase of {0}', file);
}

const secretStep = textStep<SecretDraft>({
  question: draft => ({
    value: draft.secret,
    prompt: secretPrompt(draft),
    secret: true,
    validate: secret => (secret === '' ? l10n.t('Type it, or press Escape to stop connecting.') : undefined),
  }),
  save: (draft, secret) => (draft.secret = secret),
});

const saveStep = choiceStep<SecretDraft, boolean>({
  applies: ({ canSave }) => canSave,
  question: ({ save }) => ({
    placeholder: l10n.t('How long is it kept?'),
    choices: [
      { label: l10n.t('Only until this window closes'), description: l10n.t('in memory'), value: false },
      { label: l10n.t('Save it'), description: l10n.t('in the keyring of this machine'), value: true },
    ],
    active: save,
  }),
  save: (draft, save) => (draft.save = save),
});

/**
 * Asks for a password or passphrase, and whether to save it.
 *
 * @throws CancelledError when the person closes the input, or the signal does
 */
export async function askSecret(question: SecretQuestion): Promise<{ secret: string; save: boolean }> {
  const title = l10n.t('Connect to {0}', displayText(question.profile.name));
  const draft: SecretDraft = { ...question, title, secret: '', save: false };
  await runSeries([secretStep, saveStep], draft);
  return { secret: draft.secret, save: draft.save };
}
