import { l10n } from 'vscode';
import type { ClusterProfile, Environment } from '../../app/clusters/clusterProfile.ts';

/** The word for an environment. */
export function environmentText(environment: Environment): string {
  switch (environment) {
    case 'development':
      return l10n.t('development');
    case 'staging':
      return l10n.t('staging');
    case 'production':
      return l10n.t('production');
  }
}

/** What a cluster is for, and whether it is protected. */
export type ClusterUse = Pick<ClusterProfile, 'environment' | 'readOnly'>;

/** The words for a cluster's use. */
export function useText({ environment, readOnly }: ClusterUse): string {
  const text = environmentText(environment);
  return readOnly === true ? l10n.t('{0}, read-only', text) : text;
}
