import * as vscode from 'vscode';
import { builtInCommandIds, commandIds, settingKeys } from '../platform/contributions.ts';
import { noMarks, type MarkSource } from '../../app/clusters/marks.ts';
import { clusterRow } from './clusterRow.ts';
import { contenderRow } from './contenderRow.ts';
import { directoryRow } from './directoryRow.ts';
import { lockRow } from './lockRow.ts';
import { hazardRow, messageRow, moreRow, strangerRow } from './messageRow.ts';
import { nodeId, type TreeNode } from '../../app/clusters/clusterModel.ts';
import { decorationUri, type Row } from './row.ts';

const unmarked: MarkSource = { of: () => noMarks };

function rowOf(node: TreeNode, now: number, marks: MarkSource): Row {
  switch (node.type) {
    case 'cluster':
      return clusterRow(node, now);
    case 'directory':
      return directoryRow(node, now, marks);
    case 'lock':
      return lockRow(node, now, marks.of(node, now));
    case 'contender':
      return contenderRow(node, now, marks.of(node.lock, now).of(node.contender));
    case 'stranger':
      return strangerRow(node);
    case 'hazard':
      return hazardRow(node);
    case 'more':
      return moreRow(node);
    case 'message':
      return messageRow(node.message);
  }
}

/** The command of a click, for rows where a click does more than select. */
function commandOf(node: TreeNode): vscode.Command | undefined {
  if (node.type === 'more') return { command: commandIds.showMore, title: '', arguments: [node] };
  if (node.type !== 'message') return undefined;
  const { kind } = node.message;
  if (kind === 'untrusted') return { command: builtInCommandIds.manageTrust, title: '' };
  if (kind === 'not-whole') return { command: commandIds.describeRecording, title: '', arguments: [node] };
  if (kind !== 'no-locks' && kind !== 'truncated') return undefined;
  const revealSetting = { key: settingKeys.clusters };
  return { command: builtInCommandIds.openSettingsText, title: '', arguments: [{ revealSetting }] };
}

/** All that a row shows, as one text to compare. */
export function rowText(node: TreeNode, now: number, marks: MarkSource): string {
  const details = node.type === 'contender' ? node.contender.details : undefined;
  return JSON.stringify([rowOf(node, now, marks), details]);
}

/** Draws a row. The only function that creates tree items. */
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
export function toTreeItem(node: TreeNode, now: number, marks = unmarked): vscode.TreeItem {
  const drawn = drawRow(rowOf(node, now, marks), nodeId(node));
  const command = commandOf(node);
  if (command !== undefined) drawn.command = command;
  return drawn;
}
