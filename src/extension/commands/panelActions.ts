import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { CancelledError } from '../../zookeeper/errors.ts';
import type { CommandParts } from './clusterCommands.ts';
import { commandIds, type CommandId } from '../platform/contributions.ts';
import { askMeans } from './askMeans.ts';
import { gatherOwners } from '../../app/owners/gatherFacts.ts';
import type { ReadOnlyTexts } from '../platform/readOnlyTexts.ts';
import { withProgress } from '../platform/withProgress.ts';
import { displayText } from '../../base/displayText.ts';
import type { ContenderNode, LockNode, TreeNode } from '../../app/clusters/clusterModel.ts';
import type { ViewState } from '../views/viewState.ts';
import { nodeText, readNodeData } from '../panel/nodeDocument.ts';
import { fileNamePart, type PanelActions } from '../panel/panelIntents.ts';

export type PanelActionParts = Pick<CommandParts, 'targets' | 'security'> & {
  texts: ReadOnlyTexts;
  state: ViewState;
};

/** What panels do by means of VS Code and the cluster's browsing session. */
export function panelActions(parts: PanelActionParts): PanelActions {
  return {
    copy: async text => vscode.env.clipboard.writeText(text),
    showNodeData: node => showNodeData(parts, node),
    // Through the command: there is one way to delete, with its question, its guards and its record.
    forceDelete: node => run(commandIds.forceDelete, node),
    explain: lock => run(commandIds.explainLock, lock),
    findOwners: lock => findOwners(parts, lock),
    save,
    reconnect: lock => reconnect(parts, lock),
  };
}

async function run(command: CommandId, row: TreeNode): Promise<void> {
  await vscode.commands.executeCommand(command, row);
}

/** Reads a node and opens it as a document. @throws the cause */
export async function showNodeData(parts: PanelActionParts, { lock, contender }: ContenderNode): Promise<void> {
  const client = await parts.targets.client(parts.targets.browserOf(lock));
  const reading = await readNodeData(client, contender.path);
  const text = nodeText(reading, lock.cluster.profile.name, contender.czxid);
  await parts.texts.show(`${fileNamePart(contender.name)}.txt`, text);
}

async function findOwners(parts: PanelActionParts, lock: LockNode): Promise<ReadonlyMap<bigint, string>> {
  const client = await parts.targets.client(parts.targets.browserOf(lock));
  const facts = await withProgress(l10n.t('Asking the servers'), async signal => {
    const owners = await gatherOwners(lock.cluster.profile, client, askMeans(parts), signal);
    if (signal.aborted) throw new CancelledError('Find owners');
    return owners;
  });
  return new Map([...facts.connections].map(([session, { address }]) => [session, address]));
}

async function save(fileName: string, format: 'json' | 'csv', text: string): Promise<string> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  const uri = await vscode.window.showSaveDialog({
    title: l10n.t('Save History'),
    saveLabel: l10n.t('Save'),
    defaultUri: vscode.Uri.joinPath(folder, fileName),
    filters: format === 'json' ? { JSON: ['json'] } : { CSV: ['csv'] },
  });
  if (uri === undefined) throw new CancelledError('Save History');
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  return displayText(uri.fsPath);
}

async function reconnect({ targets, state }: PanelActionParts, lock: LockNode): Promise<void> {
  state.paused = false;
  const browser = await targets.connected(targets.browserOf(lock));
  await browser.refresh(lock.path);
}
