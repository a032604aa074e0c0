import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { pageFocusSettled } from '../platform/pageFocus.ts';

export interface SaveQuestion {
  title: string;
  saveLabel: string;
  /** Proposed, in the first folder of the workspace, else in the person's own. */
  fileName: string;
  format: 'json' | 'csv';
}

/** Asks where to save `text`, and writes it. @returns the place, or `undefined` when the dialog is closed */
export async function saveText(
  { title, saveLabel, fileName, format }: SaveQuestion,
  text: string,
): Promise<string | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  await pageFocusSettled();
  const uri = await vscode.window.showSaveDialog({
    title,
    saveLabel,
    defaultUri: vscode.Uri.joinPath(folder, fileName),
    filters: format === 'json' ? { JSON: ['json'] } : { CSV: ['csv'] },
  });
  if (uri === undefined) return undefined;
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  return uri.scheme === 'file' ? uri.fsPath : uri.path;
}
