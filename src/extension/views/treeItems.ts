import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import { builtInCommandIds, commandIds, contextValues, settingKeys } from '../platform/contributions.ts';
import { displayText } from '../../base/displayText.ts';
import { hazardText } from '../words/hazardText.ts';
import { listed } from '../words/language.ts';
import type { MarkSource } from '../../app/clusters/marks.ts';
import { clusterRow } from './clusterRow.ts';
import { contenderRow } from './contenderRow.ts';
import { lockRow } from './lockRow.ts';
import { messageRow, moreRow } from './messageRow.ts';
import { nodeId, type HazardNode, type StrangerNode, type TreeNode } from '../../app/clusters/clusterModel.ts';
import type { Row } from './row.ts';
import { decorationUri } from './rowDecorations.ts';

function strangerRow({ name }: StrangerNode): Row {
  const label = displayText(name);
  const what = l10n.t('no contender');
  return {
    label,
    description: what,
    tooltip: `${label}\n${l10n.t('A child that does not fit the names of this lock. It is shown, not counted.')}`,
    accessibleLabel: `${label}, ${what}`,
    icon: 'circle-slash',
    color: 'disabledForeground',
    contextValue: contextValues.stranger,
    parent: false,
    decoration: undefined,
  };
}

function hazardRow({ hazard }: HazardNode): Row {
  const label = hazardText(hazard.kind);
  const names = displayText(hazard.names.join(', '), 100);
  return {
    label,
    description: names,
    tooltip: [label, ...hazard.names.slice(0, 20).map(name => displayText(name))].join('\n'),
    accessibleLabel: listed([l10n.t('Warning'), label, names]),
    icon: 'warning',
    color: 'list.warningForeground',
    contextValue: contextValues.hazard,
    parent: false,
    decoration: undefined,
  };
}

function rowOf(node: TreeNode, now: number, marks: MarkSource | undefined): Row {
  switch (node.type) {
    case 'cluster':
      return clusterRow(node, now);
    case 'lock':
      return lockRow(node, now, marks?.of(node, now));
    case 'contender':
      return contenderRow(node, now, marks?.of(node.lock, now).of(node.contender));
    case 'stranger':
      return strangerRow(node);
    case 'hazard':
      return hazardRow(node);
    case 'more':
      return moreRow(node);
    case 'message':
      return messageRow(node.message);
    default:
      return assertNever(node);
  }
}

/** What a click on the row does, where it does more than select. */
function commandOf(node: TreeNode): vscode.Command | undefined {
  if (node.type === 'more') return { command: commandIds.showMore, title: '', arguments: [node] };
  if (node.type !== 'message') return undefined;
  switch (node.message.kind) {
    case 'untrusted':
      return { command: builtInCommandIds.manageTrust, title: '' };
    case 'no-locks':
    case 'truncated': {
      const revealSetting = { key: settingKeys.clusters };
      return { command: builtInCommandIds.openSettingsText, title: '', arguments: [{ revealSetting }] };
    }
    default:
      return undefined;
  }
}

/** Draws a row. The only place that makes tree items. */
export function drawRow(row: Row, id: string): vscode.TreeItem {
  const { Collapsed, None } = vscode.TreeItemCollapsibleState;
  const drawn = new vscode.TreeItem(row.label, row.parent ? Collapsed : None);
  drawn.id = id;
  drawn.description = row.description;
  drawn.iconPath = new vscode.ThemeIcon(
    row.icon,
    row.color === undefined ? undefined : new vscode.ThemeColor(row.color),
  );
  drawn.contextValue = row.contextValue;
  drawn.accessibilityInformation = { label: row.accessibleLabel };
  if (row.tooltip !== undefined) drawn.tooltip = row.tooltip;
  if (row.decoration !== undefined) drawn.resourceUri = decorationUri(row.decoration);
  return drawn;
}

/** Draws a row of the Clusters view; without `marks` nothing is marked as stale, deadlocked or long-held. */
export function toTreeItem(node: TreeNode, now: number, marks?: MarkSource): vscode.TreeItem {
  const drawn = drawRow(rowOf(node, now, marks), nodeId(node));
  const command = commandOf(node);
  if (command !== undefined) drawn.command = command;
  return drawn;
}
