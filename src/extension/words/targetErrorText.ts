import { l10n } from 'vscode';
import { ClusterChanged, type ClusterChange, RowGone } from '../../app/clusters/clusterErrors.ts';
import { displayText } from '../../base/displayText.ts';

/** Why a command was not carried out on what it was called for; `undefined` for any other error. */
export function targetErrorText(error: unknown): { what: string; next: string } | undefined {
  if (error instanceof RowGone) {
    return {
      what: l10n.t('This row is gone: its cluster was removed from the list.'),
      next: l10n.t('Add the cluster again, or choose a row in the Clusters view.'),
    };
  }
  if (error instanceof ClusterChanged) {
    return { what: changeText(error.change, displayText(error.cluster)), next: l10n.t('Begin again.') };
  }
  return undefined;
}

function changeText(change: ClusterChange, cluster: string): string {
  switch (change) {
    case 'removed':
      return l10n.t('Nothing was done: the cluster "{0}" was removed from the list meanwhile.', cluster);
    case 'changed':
      return l10n.t('Nothing was done: the cluster "{0}" was changed meanwhile.', cluster);
    case 'disconnected':
      return l10n.t('Nothing was done: the cluster "{0}" was disconnected meanwhile.', cluster);
  }
}
