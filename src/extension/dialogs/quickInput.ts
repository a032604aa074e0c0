import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { CancelledError } from '../../zookeeper/errors.ts';

/** What one step of a series resolves to. */
export type StepResult<T> = { kind: 'value'; value: T } | { kind: 'back' };

export interface StepTitle {
  title: string;
  /** Position in a series; absent for a single question. */
  step?: { number: number; total: number };
  /** Aborting it closes the input: the answer is not needed any more. */
  signal?: AbortSignal | undefined;
}

export interface TextQuestion extends StepTitle {
  value: string;
  prompt: string;
  placeholder?: string;
  /** Shows dots for what is typed. */
  secret?: boolean;
  /** Why the value cannot be used, ready for the screen; `undefined` if it can. Left out: any value can. */
  validate?(value: string): string | undefined;
}

export interface Choice<T> {
  label: string;
  description: string;
  /** A line of its own below the label. */
  detail?: string;
  value: T;
}

export interface ChoiceQuestion<T> extends StepTitle {
  placeholder: string;
  choices: readonly Choice<T>[];
  /** The value that Enter takes. */
  active?: T;
}

export interface ManyQuestion<T> extends StepTitle {
  placeholder: string;
  choices: readonly (Choice<T> & { isPicked: boolean })[];
}

type Settle<T> = (result: StepResult<T>) => void;

/** Shows an input until it is settled or hidden, and ends it. @throws CancelledError when it is hidden or aborted */
export async function ask<T, P extends vscode.QuickPickItem = vscode.QuickPickItem>(
  input: vscode.InputBox | vscode.QuickPick<P>,
  question: StepTitle,
  listen: (settle: Settle<T>) => Disposable[],
): Promise<StepResult<T>> {
  input.title = question.title;
  input.step = question.step?.number;
  input.totalSteps = question.step?.total;
  input.ignoreFocusOut = true;
  if (question.step !== undefined && question.step.number > 1) input.buttons = [vscode.QuickInputButtons.Back];
  const owned: Disposable[] = [input];
  const { signal } = question;
  try {
    return await new Promise((resolve, reject) => {
      const cancel = (): void => reject(new CancelledError(question.title));
      owned.push(
        ...listen(resolve),
        input.onDidTriggerButton(() => resolve({ kind: 'back' })),
        input.onDidHide(cancel),
      );
      signal?.addEventListener('abort', cancel, { once: true });
      if (signal?.aborted === true) cancel();
      else input.show();
    });
  } finally {
    for (const disposable of owned.reverse()) disposable.dispose();
  }
}

/** Asks for a text, checked while it is typed. */
export async function askText(question: TextQuestion): Promise<StepResult<string>> {
  const input = vscode.window.createInputBox();
  input.value = question.value;
  input.prompt = question.prompt;
  input.placeholder = question.placeholder;
  input.password = question.secret === true;
  return ask(input, question, settle => [
    input.onDidChangeValue(value => {
      // While the field is empty the prompt says what to type; the fault is shown when the field is accepted.
      input.validationMessage = value === '' ? undefined : question.validate?.(value);
    }),
    input.onDidAccept(() => {
      const fault = question.validate?.(input.value);
      input.validationMessage = fault;
      if (fault === undefined) settle({ kind: 'value', value: input.value });
    }),
  ]);
}

/** Asks for one of a few. */
export async function askChoice<T>(question: ChoiceQuestion<T>): Promise<StepResult<T>> {
  const picker = vscode.window.createQuickPick<vscode.QuickPickItem & { value: T }>();
  picker.items = question.choices.map(choice => ({ ...choice }));
  picker.placeholder = question.placeholder;
  picker.activeItems = picker.items.filter(choice => choice.value === question.active);
  return ask(picker, question, settle => [
    picker.onDidAccept(() => {
      const [chosen] = picker.selectedItems;
      if (chosen !== undefined) settle({ kind: 'value', value: chosen.value });
    }),
  ]);
}

/** Asks for any number of values with check boxes. @throws CancelledError when it is hidden */
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

/** The value of a single question. */
export function valueOf<T>(result: StepResult<T>): T {
  if (result.kind === 'back') throw new CancelledError('The question');
  return result.value;
}
