import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { pageFocusSettled } from '../platform/pageFocus.ts';

export interface PlaceQuestion {
  title: string;
  saveLabel: string;
  /** Proposed, in the first folder of the workspace, else in the person's own. */
  fileName: string;
  /** Not every folder is on the disk: then the person's own is proposed. */
  isOnDisk?: boolean;
  /** Endings of file names, without their dots, by what they are called. */
  filters: Record<string, string[]>;
}

export interface SaveQuestion extends Omit<PlaceQuestion, 'filters' | 'isOnDisk'> {
  format: 'json' | 'csv';
}

/** Asks where to save a file. @returns `undefined` when the dialog is closed */
export async function askPlace({
  title,
  saveLabel,
  fileName,
  filters,
  isOnDisk = false,
}: PlaceQuestion): Promise<vscode.Uri | undefined> {
  const first = vscode.workspace.workspaceFolders?.[0]?.uri;
  const folder = first === undefined || (isOnDisk && first.scheme !== 'file') ? vscode.Uri.file(homedir()) : first;
  await pageFocusSettled();
  return vscode.window.showSaveDialog({
    title,
    saveLabel,
    defaultUri: vscode.Uri.joinPath(folder, fileName),
    filters,
  });
}

/** Asks where to save `text`, and writes it. @returns the place, or `undefined` when the dialog is closed */
export async function saveText({ format, ...question }: SaveQuestion, text: string): Promise<string | undefined> {
  const uri = await askPlace({ ...question, filters: format === 'json' ? { JSON: ['json'] } : { CSV: ['csv'] } });
  if (uri === undefined) return undefined;
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  return uri.scheme === 'file' ? uri.fsPath : uri.path;
}
