import * as vscode from 'vscode';
import { ask, valueOf, type StepTitle } from './quickInput.ts';

/** A choice of any number, ready for the screen. */
export interface ManyQuestion<T> extends StepTitle {
  placeholder: string;
  choices: readonly { label: string; description: string; detail: string; value: T; isPicked: boolean }[];
}

/** Asks with check boxes. @throws CancelledError when it is hidden */
export async function askMany<T>(question: ManyQuestion<T>): Promise<T[]> {
  const picker = vscode.window.createQuickPick<vscode.QuickPickItem & { value: T; isPicked: boolean }>();
  picker.canSelectMany = true;
  picker.placeholder = question.placeholder;
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.items = question.choices.map(choice => ({ ...choice }));
  picker.selectedItems = picker.items.filter(({ isPicked }) => isPicked);
  return valueOf(
    await ask<T[], vscode.QuickPickItem & { value: T; isPicked: boolean }>(picker, question, settle => [
      picker.onDidAccept(() => settle({ kind: 'value', value: picker.selectedItems.map(({ value }) => value) })),
    ]),
  );
}
