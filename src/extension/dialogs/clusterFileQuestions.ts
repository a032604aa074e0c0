import * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { ClusterProfile } from '../../app/clusters/clusterProfile.ts';
import { ask, valueOf } from './quickInput.ts';
import { displayText } from '../../base/displayText.ts';
import { environmentText } from '../words/clusterUseText.ts';
import { settleChosen, type ChosenRow, type ImportRow } from '../../app/profiles/importPlan.ts';
import { importRowText } from '../words/profileTexts.ts';

type RowPick = vscode.QuickPickItem & { row: ImportRow };

/** Shows what a file holds; ticks follow `settleChosen`. @throws CancelledError when it is closed */
export async function askImportRows(
  title: string,
  rows: readonly ImportRow[],
  ticked: readonly ChosenRow[],
): Promise<readonly ChosenRow[]> {
  const picker = vscode.window.createQuickPick<RowPick>();
  picker.canSelectMany = true;
  picker.matchOnDetail = true;
  picker.placeholder = l10n.t('Which clusters do you want? Nothing is connected by this');
  picker.items = rows.map(row => ({ ...importRowText(row), row }));
  const tick = (chosen: readonly ImportRow[]): void => {
    picker.selectedItems = picker.items.filter(({ row }) => chosen.includes(row));
  };
  let chosen = ticked;
  tick(chosen);
  const result = await ask<readonly ChosenRow[], RowPick>(picker, { title }, settle => [
    picker.onDidChangeSelection(selected => {
      const now = selected.map(({ row }) => row);
      const settled = settleChosen(chosen, now);
      chosen = settled;
      // Setting the selection is told again; what is settled stays as it is.
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
  const picker = vscode.window.createQuickPick<vscode.QuickPickItem & { profile: ClusterProfile }>();
  picker.canSelectMany = true;
  picker.placeholder = l10n.t('Which clusters? Passwords are never exported');
  picker.items = profiles.map(profile => ({
    label: displayText(profile.name),
    description: `${environmentText(profile.environment)} · ${displayText(profile.connectString)}`,
    profile,
  }));
  picker.selectedItems = picker.items;
  const result = await ask<readonly ClusterProfile[], vscode.QuickPickItem & { profile: ClusterProfile }>(
    picker,
    { title },
    settle => [
      picker.onDidAccept(() => settle({ kind: 'value', value: picker.selectedItems.map(({ profile }) => profile) })),
    ],
  );
  return valueOf(result);
}
