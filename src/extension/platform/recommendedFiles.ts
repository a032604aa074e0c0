import * as vscode from 'vscode';
import { DisposableSlot, DisposableStore, toDisposable, type Disposable } from '../../base/disposable.ts';

const place = ['.vscode', 'zookeeper-locks.json'] as const;

/** Where a folder of the workspace recommends clusters. */
export interface RecommendedFile {
  folder: string;
  uri: vscode.Uri;
}

function fileOf({ name, uri }: vscode.WorkspaceFolder): RecommendedFile {
  return { folder: name, uri: vscode.Uri.joinPath(uri, ...place) };
}

async function exists({ uri }: RecommendedFile): Promise<boolean> {
  try {
    return (await vscode.workspace.fs.stat(uri)).type !== vscode.FileType.Directory;
  } catch {
    // Most folders have none.
    return false;
  }
}

/** The files that are there now; none in an untrusted workspace. */
export async function recommendedFiles(): Promise<RecommendedFile[]> {
  if (!vscode.workspace.isTrusted) return [];
  const files = (vscode.workspace.workspaceFolders ?? []).map(folder => fileOf(folder));
  const present = await Promise.all(files.map(file => exists(file)));
  return files.filter((_, index) => present[index] === true);
}

/** Watches the one file of each folder. */
function watchFolders(listener: (file: RecommendedFile) => void): Disposable {
  const owned = new DisposableStore();
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    const file = fileOf(folder);
    const watcher = vscode.workspace.createFileSystemWatcher(
      new vscode.RelativePattern(folder, place.join('/')),
      false,
      false,
      true,
    );
    const notify = (): void => listener(file);
    for (const part of [watcher.onDidCreate(notify), watcher.onDidChange(notify), watcher]) {
      owned.add(toDisposable(() => void part.dispose()));
    }
  }
  return owned;
}

/**
 * Calls `listener` for every file that a trusted workspace has, now and whenever one appears or changes. Reads nothing before
 * the workspace is trusted.
 */
export function watchRecommended(listener: (file: RecommendedFile) => void): Disposable {
  const owned = new DisposableStore();
  const watched = owned.add(new DisposableSlot());
  const begin = (): void => {
    if (!vscode.workspace.isTrusted) return;
    watched.value = watchFolders(listener);
    void recommendedFiles().then(files => {
      for (const file of files) listener(file);
    });
  };
  const subscriptions = [
    vscode.workspace.onDidGrantWorkspaceTrust(begin),
    vscode.workspace.onDidChangeWorkspaceFolders(begin),
  ];
  for (const subscription of subscriptions) owned.add(toDisposable(() => void subscription.dispose()));
  begin();
  return owned;
}
