import { l10n } from 'vscode';
import type { SecretPurpose } from '../../app/security/clusterSecrets.ts';
import type { SecurityDraft } from '../../app/security/securityDraft.ts';
import type { SeriesStep } from './questionSeries.ts';

/** What the questions about security know and fill in. */
export interface SecuritySeries {
  readonly title: string;
  readonly security: SecurityDraft;
  /** Whether a secret is kept already, so that nothing needs to be typed. */
  readonly isKept: (purpose: SecretPurpose) => Promise<boolean>;
}

export type SecurityStep = SeriesStep<SecuritySeries>;

/** What an empty field means. */
export async function emptyMeans({ isKept }: SecuritySeries, purpose: SecretPurpose | undefined): Promise<string> {
  return purpose !== undefined && (await isKept(purpose))
    ? l10n.t('Leave empty to keep what is saved')
    : l10n.t('Leave empty to be asked when connecting');
}
