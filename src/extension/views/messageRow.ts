import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import { ConnectError } from '../../zookeeper/errors.ts';
import { contextValues, settingKeys } from '../platform/contributions.ts';
import { byKind } from '../../base/byKind.ts';
import { displayText } from '../../base/displayText.ts';
import { errorSentence, errorText } from '../words/errorText.ts';
import { hazardText } from '../words/markText.ts';
import { l10n, listed, sentences } from '../words/language.ts';
import type { HazardNode, Message, MoreNode, StrangerNode } from '../../app/clusters/clusterModel.ts';
import type { Row } from './row.ts';

function plain(label: string, description: string, icon: string, tooltip?: string): Row {
  return {
    label,
    description,
    tooltip: tooltip ?? [label, description].filter(text => text !== '').join('\n'),
    accessibleLabel: listed([label, description].filter(text => text !== '')),
    icon,
    color: undefined,
    contextValue: contextValues.message,
    parent: false,
    decoration: undefined,
  };
}

/** @param more what happens next without the user */
function failure(title: string, error: unknown, ...more: string[]): Row {
  const { what, next } = errorText(error);
  return {
    ...plain(title, what, 'error', [title, what, next, ...more].join('\n')),
    accessibleLabel: listed([title, sentences(what, next, ...more)]),
    color: 'list.errorForeground',
    contextValue: contextValues.retry,
  };
}

/** Advises to change the lock roots, which can be done in the settings file only. */
function rootsAdvice(label: string, description: string): Row {
  const where = l10n.t('The lock roots are "lockRoots" of this cluster in the setting {0}.', settingKeys.clusters);
  return plain(label, description, 'info', [label, description, where].join('\n'));
}

/** A line of text in place of missing rows. */
export const messageRow = byKind<Message, Row>({
  connecting: () => plain(l10n.t('Connecting…'), l10n.t('Disconnect stops it'), 'loading~spin'),
  'not-connected': () => ({
    ...plain(l10n.t('Not connected'), '', 'debug-disconnect'),
    contextValue: contextValues.retry,
  }),
  untrusted: () =>
    plain(l10n.t('Trust this workspace to connect'), l10n.t('select to manage trust'), 'workspace-untrusted'),
  'connect-failed': ({ error, triesAgain }) => {
    const more = triesAgain ? [l10n.t('It is tried again automatically. Disconnect stops the attempts.')] : [];
    const row = failure(l10n.t('Cannot connect'), error, ...more);
    // The text begins with the address, which is what has to be seen when the row is cut.
    return error instanceof ConnectError ? { ...row, label: row.description, description: '' } : row;
  },
  searching: ({ visited, locks }) =>
    plain(l10n.t('Looking for locks…'), l10n.t('Nodes: {0}, locks so far: {1}', visited, locks), 'loading~spin'),
  'search-failed': ({ error }) => failure(l10n.t('Cannot look for locks'), error),
  'no-locks': ({ visited }) =>
    rootsAdvice(
      l10n.t('No locks found'),
      l10n.t('{0} nodes searched; select to change the lock roots, or open a lock by its path', visited),
    ),
  'no-match': ({ filter }) => plain(l10n.t('No lock matches the filter'), displayText(filter), 'filter'),
  unread: ({ count }) =>
    plain(
      l10n.t('Locks not read yet, so they may match: {0}', count),
      l10n.t('show more of them, or raise the number of watched locks in the settings'),
      'eye-closed',
    ),
  truncated: ({ visited }) =>
    rootsAdvice(
      l10n.t('Search stopped after {0} nodes', visited),
      l10n.t('select to narrow the lock roots, or raise the limit in the settings'),
    ),
  denied: ({ paths }) => {
    const label =
      paths.length === 1
        ? l10n.t('1 branch without permission')
        : l10n.t('{0} branches without permission', paths.length);
    return { ...plain(label, displayText(paths.join(', '), 100), 'shield'), tooltip: undefined };
  },
  'not-whole': ({ problems, gaps }) => {
    const label = listed(
      [
        problems === 0 ? '' : l10n.t('files that could not be read in full: {0}', problems),
        gaps === 0 ? '' : l10n.t('times of which nothing is sure: {0}', gaps),
      ].filter(part => part !== ''),
    );
    const row = plain(label, l10n.t('select to see what was read'), 'warning');
    return { ...row, color: 'list.warningForeground' };
  },
  'no-recorded-locks': () => plain(l10n.t('No locks in these files'), '', 'info'),
  reading: () => plain(l10n.t('Reading…'), '', 'loading~spin'),
  'read-failed': ({ error }) => failure(l10n.t('Cannot be read'), error),
  'no-contenders': () => plain(l10n.t('No holders, no waiters'), '', 'unlock'),
  'more-strangers': ({ count }) => plain(l10n.t('More children that are no contenders: {0}', count), '', 'ellipsis'),
});

export function moreRow({ next, remaining }: MoreNode): Row {
  const label = l10n.t('Show {0} more of {1}', next, remaining);
  return { ...plain(label, '', 'ellipsis'), contextValue: contextValues.more };
}

export function strangerRow({ name }: StrangerNode): Row {
  const label = displayText(name);
  const hint = l10n.t('A child whose name does not fit this lock. It is shown, not counted.');
  return {
    ...plain(label, l10n.t('no contender'), 'circle-slash', `${label}\n${hint}`),
    color: 'disabledForeground',
    contextValue: contextValues.stranger,
  };
}

export function hazardRow({ hazard }: HazardNode): Row {
  const label = hazardText(hazard.kind);
  const names = displayText(hazard.names.join(', '), 100);
  const tooltip = [label, ...hazard.names.slice(0, 20).map(name => displayText(name))].join('\n');
  return {
    ...plain(label, names, 'warning', tooltip),
    accessibleLabel: listed([l10n.t('Warning'), label, names]),
    color: 'list.warningForeground',
    contextValue: contextValues.hazard,
  };
}

/** Explaining a path costs three small requests, so it is done on hover, and only for the first paths. */
const maxExplained = 5;
const maxNamed = 20;

/**
 * Why branches cannot be read: the missing right, the ACL if it can be read, and the log-ins of this session. The search kept
 * only the paths, so the servers are asked again.
 *
 * @param client one that explains denials (`explainDenials`); `undefined`: only the paths are listed
 * @returns safe for the screen
 */
export async function deniedTooltip(client: ZooKeeperClient | undefined, paths: readonly string[]): Promise<string> {
  const explained = client === undefined ? [] : paths.slice(0, maxExplained);
  const texts = await Promise.all(explained.map(path => denialText(client, path)));
  const named = paths.slice(explained.length, maxNamed).map(path => displayText(path));
  const rest = paths.length - explained.length - named.length;
  return [...texts, ...named, ...(rest > 0 ? [l10n.t('and {0} more', rest)] : [])].join('\n');
}

async function denialText(client: ZooKeeperClient | undefined, path: string): Promise<string> {
  const shown = displayText(path);
  try {
    await client?.getChildren(path);
    return l10n.t('{0} may be read now: refresh the cluster.', shown);
  } catch (error) {
    const text = errorSentence(error);
    return text.includes(shown) ? text : `${shown}: ${text}`;
  }
}
