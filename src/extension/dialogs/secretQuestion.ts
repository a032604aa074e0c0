import { l10n } from 'vscode';
import type { ClusterProfile } from '../../app/clusters/clusterProfile.ts';
import type { SecretPurpose } from '../../app/security/clusterSecrets.ts';
import type { AskReason } from '../../app/security/sessionOpener.ts';
import { displayText } from '../../base/displayText.ts';
import { askChoice, askText } from './quickInput.ts';
import { runSeries, take, type SeriesStep } from './questionSeries.ts';

export interface SecretQuestion {
  profile: ClusterProfile;
  purpose: SecretPurpose;
  why: AskReason;
  /** Whether there is a keyring to save it in. */
  canSave: boolean;
  /** Aborted when the answer is not wanted any more. */
  signal?: AbortSignal;
}

interface SecretDraft extends SecretQuestion {
  secret: string;
  save: boolean;
}

/** What the box asks for, ready for the screen. */
export function secretPrompt({ purpose, why }: Pick<SecretQuestion, 'purpose' | 'why'>): string {
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

function titleOf({ profile }: SecretDraft): string {
  return l10n.t('Connect to {0}', displayText(profile.name));
}

const askSecretText: SeriesStep<SecretDraft> = {
  ask: async (draft, step) =>
    take(
      await askText({
        title: titleOf(draft),
        step,
        signal: draft.signal,
        value: draft.secret,
        prompt: secretPrompt(draft),
        secret: true,
        validate: secret => (secret === '' ? l10n.t('Type it, or press Escape to stop connecting.') : undefined),
      }),
      secret => (draft.secret = secret),
    ),
};

const askSave: SeriesStep<SecretDraft> = {
  applies: ({ canSave }) => canSave,
  ask: async (draft, step) =>
    take(
      await askChoice({
        title: titleOf(draft),
        step,
        signal: draft.signal,
        placeholder: l10n.t('How long is it kept?'),
        choices: [
          { label: l10n.t('Only until this window closes'), description: l10n.t('in memory'), value: false },
          { label: l10n.t('Save it'), description: l10n.t('in the keyring of this machine'), value: true },
        ],
        active: draft.save,
      }),
      save => (draft.save = save),
    ),
};

/**
 * Asks for a password or passphrase, and whether to save it.
 *
 * @throws CancelledError when the person closes the input, or the signal does
 */
export async function askSecret(question: SecretQuestion): Promise<{ secret: string; save: boolean }> {
  const draft: SecretDraft = { ...question, secret: '', save: false };
  await runSeries([askSecretText, askSave], draft);
  return { secret: draft.secret, save: draft.save };
}
