import * as vscode from 'vscode';
import type { ClusterProfile } from '../../app/clusters/clusterProfile.ts';
import { largestClusterFile, ClusterFileError } from '../../app/profiles/clusterFile.ts';
import { ask, askMany, valueOf } from './quickInput.ts';
import { displayText } from '../../base/displayText.ts';
import { pageFocusSettled } from '../platform/pageFocus.ts';
import { environmentText, importRowText } from '../words/clusterText.ts';
import { settleChosen, type ChosenRow, type ImportRow } from '../../app/profiles/importPlan.ts';
import { l10n } from '../words/language.ts';

type RowPick = vscode.QuickPickItem & { row: ImportRow };

/** Shows the clusters of a file; ticks follow `settleChosen`. @throws CancelledError when it is closed */
export async function askImportRows(
  title: string,
  rows: readonly ImportRow[],
  ticked: readonly ChosenRow[],
): Promise<readonly ChosenRow[]> {
  const picker = vscode.window.createQuickPick<RowPick>();
  picker.canSelectMany = true;
  picker.matchOnDetail = true;
  picker.placeholder = l10n.t('Which clusters do you want? This connects nothing');
  picker.items = rows.map(row => ({ ...importRowText(row), row }));
  const tick = (chosen: readonly ImportRow[]): void => {
    picker.selectedItems = picker.items.filter(({ row }) => chosen.includes(row));
  };
  let chosen = ticked;
  /** What the window has shown last: a click may come before a row that does not stay ticked is unticked there. */
  let shown: readonly ImportRow[] = ticked;
  tick(chosen);
  const result = await ask<readonly ChosenRow[], RowPick>(picker, { title }, settle => [
    picker.onDidChangeSelection(selected => {
      const now = selected.map(({ row }) => row);
      const settled = settleChosen(chosen, now, shown);
      chosen = settled;
      shown = now;
      // Setting the selection fires this event again; a settled selection stays as it is.
      if (settled.length !== now.length) tick(settled);
    }),
    picker.onDidAccept(() => settle({ kind: 'value', value: chosen })),
  ]);
  return valueOf(result);
}

/** Asks which of the saved clusters, all ticked. @throws CancelledError when it is closed */
export async function askClusters(
  title: string,
  profiles: readonly ClusterProfile[],
): Promise<readonly ClusterProfile[]> {
  return askMany({
    title,
    placeholder: l10n.t('Which clusters? Passwords are never exported'),
    choices: profiles.map(profile => ({
      label: displayText(profile.name),
      description: `${environmentText(profile.environment)} · ${displayText(profile.connectString)}`,
      value: profile,
      isPicked: true,
    })),
  });
}

/** Asks for a file of clusters. @returns `undefined` when the dialog is closed */
export async function chooseClusterFile(title: string): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  await pageFocusSettled();
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
    // The error texts of file systems differ and do not help; the person has the name.
    throw new ClusterFileError('unreadable');
  }
  if (size > largestClusterFile) throw new ClusterFileError('too-large');
  try {
    return await vscode.workspace.fs.readFile(uri);
  } catch {
    // As above: gone in between, or not readable.
    throw new ClusterFileError('unreadable');
  }
}
