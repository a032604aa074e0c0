import { l10n } from 'vscode';
import { contextValues, settingKeys } from '../platform/contributions.ts';
import { displayText } from '../../base/displayText.ts';
import { errorText } from '../words/errorText.ts';
import { listed, sentences } from '../words/language.ts';
import { numberText } from '../words/localeText.ts';
import type { Message, MoreNode } from '../../app/clusters/clusterModel.ts';
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

function failure(title: string, error: unknown): Row {
  const { what, next } = errorText(error);
  return {
    ...plain(title, what, 'error', [title, what, next].join('\n')),
    accessibleLabel: listed([title, sentences(what, next)]),
    color: 'list.errorForeground',
    contextValue: contextValues.retry,
  };
}

function progressText(visited: number, locks: number): string {
  return l10n.t('Nodes: {0}, locks so far: {1}', numberText(visited), numberText(locks));
}

function connectionMessage(message: Message): Row | undefined {
  switch (message.kind) {
    case 'connecting':
      return plain(l10n.t('Connecting…'), l10n.t('Disconnect stops it'), 'loading~spin');
    case 'not-connected':
      return { ...plain(l10n.t('Not connected'), '', 'debug-disconnect'), contextValue: contextValues.retry };
    case 'untrusted':
      return plain(l10n.t('Trust this workspace to connect'), l10n.t('select to manage trust'), 'workspace-untrusted');
    case 'connect-failed':
      return failure(l10n.t('Cannot connect'), message.error);
    default:
      return undefined;
  }
}

/** Advice to change the lock roots, which only the text of the settings can. */
function rootsAdvice(label: string, description: string): Row {
  const where = l10n.t('The lock roots are "lockRoots" of this cluster in the setting {0}.', settingKeys.clusters);
  return plain(label, description, 'info', [label, description, where].join('\n'));
}

function searchMessage(message: Message): Row | undefined {
  switch (message.kind) {
    case 'searching':
      return plain(l10n.t('Looking for locks…'), progressText(message.visited, message.locks), 'loading~spin');
    case 'search-failed':
      return failure(l10n.t('Cannot look for locks'), message.error);
    case 'no-locks':
      return rootsAdvice(
        l10n.t('No locks found'),
        l10n.t(
          '{0} nodes searched; select to change the lock roots, or open a lock by its path',
          numberText(message.visited),
        ),
      );
    case 'no-match':
      return plain(l10n.t('No lock matches the filter'), displayText(message.filter), 'filter');
    case 'unread':
      return plain(
        l10n.t('Locks not read so far, so they may match: {0}', numberText(message.count)),
        l10n.t('show more of them, or raise the number of watched locks in the settings'),
        'eye-closed',
      );
    case 'truncated':
      return rootsAdvice(
        l10n.t('Search stopped after {0} nodes', numberText(message.visited)),
        l10n.t('select to narrow the lock roots, or raise the limit in the settings'),
      );
    case 'denied':
      return {
        ...plain(
          message.paths.length === 1
            ? l10n.t('1 branch without permission')
            : l10n.t('{0} branches without permission', message.paths.length),
          displayText(message.paths.join(', '), 100),
          'shield',
        ),
        tooltip: undefined,
      };
    default:
      return undefined;
  }
}

/** A line of text where rows are missing. */
export function messageRow(message: Message): Row {
  switch (message.kind) {
    case 'reading':
      return plain(l10n.t('Reading…'), '', 'loading~spin');
    case 'read-failed':
      return failure(l10n.t('Cannot be read'), message.error);
    case 'nobody':
      return plain(l10n.t('Nobody holds or waits'), '', 'unlock');
    case 'more-strangers':
      return plain(l10n.t('More children that are no contenders: {0}', numberText(message.count)), '', 'ellipsis');
    default:
      return connectionMessage(message) ?? searchMessage(message) ?? plain('', '', 'info');
  }
}

export function moreRow({ next, remaining }: MoreNode): Row {
  const label = l10n.t('Show {0} more of {1}', numberText(next), numberText(remaining));
  return { ...plain(label, '', 'ellipsis'), contextValue: contextValues.more };
}
