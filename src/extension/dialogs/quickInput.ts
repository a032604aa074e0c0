import * as vscode from 'vscode';
import { pickedByHand } from '../../app/deletes/pickedByHand.ts';
import { DisposableSlot, type Disposable } from '../../base/disposable.ts';
import { CancelledError } from '../../zookeeper/errors.ts';
import { windowRoundTrip } from '../platform/commands.ts';
import { pageFocusSettled } from '../platform/pageFocus.ts';

/** What one step of a series resolves to. */
export type StepResult<T> = { kind: 'value'; value: T } | { kind: 'back' };

export interface StepTitle {
  title: string;
  /** Position in a series; absent for a single question. */
  step?: { number: number; total: number; onScreen: DisposableSlot };
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

type Pickable<T> = Choice<T> & { isPicked: boolean };

export interface ManyQuestion<T> extends StepTitle {
  placeholder: string;
  choices: readonly Pickable<T>[];
  /** Choices that a button adds at the end, below `title`. They are picked one by one: the box that picks all passes them by. */
  dangerous?: { button: string; title: string; description: string; choices: readonly Pickable<T>[] };
}

type Settle<T> = (result: StepResult<T>) => void;

/** Waits until the window has shown what was shown last, and what had the keyboard before has noted its loss. */
async function windowHasShown(): Promise<void> {
  await windowRoundTrip();
  await windowRoundTrip();
}

type Input<P extends vscode.QuickPickItem> = vscode.InputBox | vscode.QuickPick<P>;

/** The window empties the list of an input that is shown again, and fills it with what is sent after that only (VS Code's quickInput.ts). */
function sendList<P extends vscode.QuickPickItem>(picker: vscode.QuickPick<P>, active: readonly P[]): void {
  const { items, selectedItems, canSelectMany } = picker;
  picker.items = items;
  picker.activeItems = active;
  if (canSelectMany) picker.selectedItems = selectedItems;
}

/**
 * Shows an input, and again when it loses the keyboard while it opens: no person is as fast. A tree that VS Code finishes drawing in
 * that moment takes it (treeView.ts, `doRefresh`), since it counts as focused until the event loop of the window turns.
 *
 * @param onHide called when the person hides it
 */
function showWithKeyboard<P extends vscode.QuickPickItem>(input: Input<P>, onHide: () => void): Disposable {
  let isOpening = true;
  const active = 'items' in input ? input.activeItems : [];
  // While it opens, what loses the keyboard is hidden: there is no other sign of the loss.
  input.ignoreFocusOut = false;
  const hidden = input.onDidHide(() => {
    if (!isOpening) onHide();
    else {
      if ('items' in input) sendList(input, active);
      input.show();
    }
  });
  const settle = async (): Promise<void> => {
    await windowHasShown();
    input.ignoreFocusOut = true;
    // Until the window knows, it may still hide the input for a loss.
    await windowHasShown();
  };
  const end = (): void => void (isOpening = false);
  input.show();
  settle().then(end, end);
  return hidden;
}

/** Shows an input until it is settled or hidden, and ends it. @throws CancelledError when it is hidden or aborted */
export async function ask<T, P extends vscode.QuickPickItem = vscode.QuickPickItem>(
  input: Input<P>,
  question: StepTitle,
  listen: (settle: Settle<T>) => Disposable[],
): Promise<StepResult<T>> {
  input.title = question.title;
  input.step = question.step?.number;
  input.totalSteps = question.step?.total;
  if (question.step !== undefined && question.step.number > 1) input.buttons = [vscode.QuickInputButtons.Back];
  const owned: Disposable[] = [];
  const { signal } = question;
  // A question of a series stays until the next one is shown: in between the keyboard would go to the tree.
  const onScreen = question.step?.onScreen ?? new DisposableSlot();
  try {
    if (onScreen.value === undefined) await pageFocusSettled();
    return await new Promise((resolve, reject) => {
      const cancel = (): void => reject(new CancelledError(question.title));
      owned.push(
        ...listen(resolve),
        input.onDidTriggerButton(button => {
          if (button === vscode.QuickInputButtons.Back) resolve({ kind: 'back' });
        }),
      );
      signal?.addEventListener('abort', cancel, { once: true });
      if (signal?.aborted === true) cancel();
      else owned.push(showWithKeyboard(input, cancel));
      onScreen.value = input;
    });
  } finally {
    for (const disposable of owned.reverse()) disposable.dispose();
    if (question.step === undefined) onScreen.dispose();
    else input.busy = true;
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
export async function askMany<T>({ dangerous, ...question }: ManyQuestion<T>): Promise<T[]> {
  type Item = vscode.QuickPickItem & Pickable<T>;
  const picker = vscode.window.createQuickPick<Item>();
  picker.canSelectMany = true;
  picker.placeholder = question.placeholder;
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  const added = (dangerous?.choices ?? []).map((choice): Item => ({ ...choice }));
  const isDangerous = (item: Item): boolean => added.includes(item);
  const { title = '', description = '' } = dangerous ?? {};
  // It is shown whatever is typed: ticking all lines ticks it too.
  const guard = { label: title, description, alwaysShow: true } as Item;
  const include = { iconPath: new vscode.ThemeIcon('eye'), tooltip: dangerous?.button ?? '' };
  let picked: readonly Item[] = [];
  const fill = (items: readonly Item[], isPicked: (item: Item) => boolean): void => {
    picked = items.filter(isPicked);
    picker.items = items;
    picker.selectedItems = picked;
    picker.buttons = items.includes(guard) || added.length === 0 ? [] : [include];
  };
  const items = question.choices.map((choice): Item => ({ ...choice }));
  const hasDangerous = added.some(({ isPicked }) => isPicked);
  fill(hasDangerous ? [...items, guard, ...added] : items, ({ isPicked }) => isPicked);
  return valueOf(
    await ask<T[], Item>(picker, question, settle => [
      picker.onDidTriggerButton(pressed => {
        if (pressed === include) fill([...items, guard, ...added], item => picked.includes(item));
      }),
      picker.onDidChangeSelection(selected => {
        picked = pickedByHand(picked, selected, { guard, isDangerous });
        if (picked.length < selected.length) picker.selectedItems = picked;
      }),
      picker.onDidAccept(() => settle({ kind: 'value', value: picked.map(({ value }) => value) })),
    ]),
  );
}

/** The value of a single question. */
export function valueOf<T>(result: StepResult<T>): T {
  if (result.kind === 'back') throw new CancelledError('The question');
  return result.value;
}
