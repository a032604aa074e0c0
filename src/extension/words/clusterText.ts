import type { ClusterProfile, Environment } from '../../app/clusters/clusterProfile.ts';
import { byKind } from '../../base/byKind.ts';
import { displayText } from '../../base/displayText.ts';
import { l10n, listed } from './language.ts';
import type { RefusedEntry, SharedCluster } from '../../app/profiles/clusterFile.ts';
import type { ImportRow, Weakening } from '../../app/profiles/importPlan.ts';

const environmentTexts: Readonly<Record<Environment, () => string>> = {
  development: () => l10n.t('development'),
  staging: () => l10n.t('staging'),
  production: () => l10n.t('production'),
};

/** The word for an environment. */
export function environmentText(environment: Environment): string {
  return environmentTexts[environment]();
}

/** What a cluster is for, and whether it is protected; of the sandbox, that it does not last. */
export type ClusterUse = Pick<ClusterProfile, 'environment' | 'readOnly' | 'isSandbox'>;

/** The words for a cluster's use. */
export function useText({ environment, readOnly, isSandbox }: ClusterUse): string {
  if (isSandbox === true) return l10n.t('in memory only');
  const text = environmentText(environment);
  return readOnly === true ? l10n.t('{0}, read-only', text) : text;
}

const refusalTexts: Record<RefusedEntry['fault'], (field: string) => string> = {
  'not-an-object': () => l10n.t('it does not have the form of a cluster'),
  name: () => l10n.t('its name is missing, too long, or has invisible characters'),
  connectString: () => l10n.t('its connect string cannot be used'),
  environment: () => l10n.t('it does not state whether it is development, staging or production'),
  lockRoots: () => l10n.t('its lock roots are not paths'),
  readOnly: () => l10n.t('"readOnly" must be true or false'),
  auth: () => l10n.t('its log-ins cannot be used'),
  tls: () => l10n.t('its TLS fields cannot be used'),
  credentials: () => l10n.t('it holds a password or another secret, which does not belong in a file'),
  'file-path': field => l10n.t('it names a file on another machine: {0}', field),
  'unknown-field': field => l10n.t('it has an unknown field: {0}', field),
  duplicate: () => l10n.t('the file has an earlier cluster with this name'),
};

const fieldTexts: Readonly<Record<keyof SharedCluster, () => string>> = {
  name: () => l10n.t('name'),
  connectString: () => l10n.t('servers'),
  environment: () => l10n.t('environment'),
  lockRoots: () => l10n.t('lock roots'),
  readOnly: () => l10n.t('read-only'),
  auth: () => l10n.t('log-in'),
  tls: () => l10n.t('encryption'),
};

/** Where the cluster is and how it is reached, in one line. */
function reachText({ connectString, environment, readOnly, auth, tls }: SharedCluster): string {
  const parts = [displayText(connectString), environmentText(environment)];
  if (readOnly === true) parts.push(l10n.t('read-only'));
  if (tls !== undefined) parts.push(l10n.t('TLS'));
  for (const { user } of auth ?? []) parts.push(l10n.t('log-in as {0}', displayText(user, 60)));
  return parts.join(' · ');
}

function addText({ shared, name, neighbours }: Extract<ImportRow, { kind: 'add' }>): string {
  if (name !== shared.name) return l10n.t('the name is taken: add it under another name');
  const [neighbour] = neighbours;
  return neighbour === undefined
    ? l10n.t('new')
    : l10n.t('new, on the servers of "{0}", which is already saved', displayText(neighbour.name, 60));
}

export interface RowText {
  label: string;
  description: string;
  detail?: string;
}

/** A row of the preview, ready for the screen. */
export const importRowText = byKind<ImportRow, RowText>({
  add: row => ({ label: displayText(row.name), description: addText(row), detail: reachText(row.shared) }),
  // The row above shows the address: it adds the same entry under another name.
  replace: ({ former, differing }) => ({
    label: displayText(former.name),
    description: l10n.t('replace the saved one'),
    detail: l10n.t('Differs in: {0}', listed(differing.map(field => fieldTexts[field]()))),
  }),
  same: ({ shared }) => ({
    label: displayText(shared.name),
    description: l10n.t('already saved, nothing to do'),
    detail: reachText(shared),
  }),
  refused: ({ entry: { index, name, fault, field = '' } }) => {
    const label = name === undefined ? l10n.t('Entry {0}', index + 1) : displayText(name, 60);
    const why = refusalTexts[fault](displayText(field, 60));
    return { label: `$(warning) ${label}`, description: l10n.t('cannot be used: {0}', why) };
  },
});

const weakeningTexts: Readonly<Record<Weakening['guard'], (name: string, former: string) => string>> = {
  production: (name, former) =>
    l10n.t('"{0}" of the file is not marked as production, but the saved "{1}" is.', name, former),
  readOnly: (name, former) => l10n.t('"{0}" of the file is not read-only, but the saved "{1}" is.', name, former),
  tls: (name, former) => l10n.t('"{0}" of the file is not encrypted, but the saved "{1}" is.', name, former),
};

/** One line for each guard that would be lost. */
export function weakeningText({ row, saved, guard }: Weakening): string {
  return weakeningTexts[guard](displayText(row.shared.name, 60), displayText(saved.name, 60));
}
