import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { largestClusterFile, ClusterFileError } from '../../app/profiles/clusterFile.ts';

function folderUri(): vscode.Uri | undefined {
  return vscode.workspace.workspaceFolders?.[0]?.uri;
}

/** Asks for a file of clusters. @returns `undefined` when the dialog is closed */
export async function chooseClusterFile(title: string): Promise<vscode.Uri | undefined> {
  const folder = folderUri();
  const files = await vscode.window.showOpenDialog({
    title,
    openLabel: l10n.t('Import'),
    canSelectMany: false,
    ...(folder === undefined ? {} : { defaultUri: folder }),
    filters: { JSON: ['json'] },
  });
  return files?.[0];
}

/** Reads a file of clusters by VS Code's own file systems, virtual ones included. @throws ClusterFileError */
export async function readClusterBytes(uri: vscode.Uri): Promise<Uint8Array> {
  let size: number;
  try {
    ({ size } = await vscode.workspace.fs.stat(uri));
  } catch {
    // Which of the texts of which file system it is does not help; the person knows the name.
    throw new ClusterFileError('unreadable');
  }
  if (size > largestClusterFile) throw new ClusterFileError('too-large');
  try {
    return await vscode.workspace.fs.readFile(uri);
  } catch {
    // As above: gone in between, or nobody may read it.
    throw new ClusterFileError('unreadable');
  }
}

/** Asks where to write `text`, and writes it. @returns the place, or `undefined` when the dialog is closed */
export async function saveClusterFile(title: string, text: string): Promise<string | undefined> {
  const folder = folderUri();
  const uri = await vscode.window.showSaveDialog({
    title,
    saveLabel: l10n.t('Export'),
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, 'zookeeper-clusters.json') }),
    filters: { JSON: ['json'] },
  });
  if (uri === undefined) return undefined;
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  return uri.scheme === 'file' ? uri.fsPath : uri.path;
}
