import { l10n } from 'vscode';
import { displayText } from '../../base/displayText.ts';
import { ClusterFileError, type ClusterFileFault } from '../../app/profiles/clusterFile.ts';

const whatTexts: Record<ClusterFileFault, (field: string) => string> = {
  'too-large': () => l10n.t('The file is too large to hold clusters.'),
  'too-many': () => l10n.t('The file holds too many clusters.'),
  'not-json': () => l10n.t('The file is not JSON in UTF-8.'),
  kind: () => l10n.t('The file holds no clusters of ZooKeeper Lock Inspector.'),
  clusters: () => l10n.t('The file has no list of clusters.'),
  version: () => l10n.t('The file does not say which version of the format it has.'),
  newer: () => l10n.t('The file was written by a newer version of ZooKeeper Lock Inspector.'),
  'unknown-field': field => l10n.t('The file has a field that is not known here: {0}.', field),
  unreadable: () => l10n.t('The file cannot be read.'),
};

function adviceText(fault: ClusterFileFault): string {
  if (fault === 'newer') return l10n.t('Update the extension.');
  if (fault === 'unreadable') return l10n.t('Check that it exists and who may read it.');
  return l10n.t('Choose a file that "Export Clusters" has written.');
}

/** Why a file of clusters cannot be used, ready for the screen; `undefined` for any other error. */
export function clusterFileErrorText(error: unknown): { what: string; next: string } | undefined {
  if (!(error instanceof ClusterFileError)) return undefined;
  return { what: whatTexts[error.fault](displayText(error.field, 60)), next: adviceText(error.fault) };
}
