import * as vscode from 'vscode';
import { ask, valueOf, type Choice, type StepTitle } from './quickInput.ts';

export interface FoundQuestion<T> extends StepTitle {
  placeholder: string;
  /** What fits a typed text, the best first; asked for with every key. */
  find: (typed: string) => Promise<readonly Choice<T>[]>;
}

/**
 * Asks for one of what is found by the text that is typed. What is found stays on screen until more is; an answer to a text that was
 * typed before is dropped. Enter takes what was chosen, or, of a text that was pasted with Enter right behind it, what is found first.
 *
 * @throws CancelledError when it is hidden; what `find` throws
 */
export async function askFound<T>({ find, ...question }: FoundQuestion<T>): Promise<T> {
  type Item = vscode.QuickPickItem & { value: T };
  const picker = vscode.window.createQuickPick<Item>();
  picker.placeholder = question.placeholder;
  const failure = new AbortController();
  let asked = 0;
  /** The text whose first result Enter takes as soon as it is found. */
  let accepted: string | undefined;
  let error: unknown;
  let take: (items: readonly Item[]) => void = () => undefined;
  const show = async (typed: string): Promise<void> => {
    const mine = ++asked;
    if (typed !== accepted) accepted = undefined;
    picker.busy = true;
    const found = await find(typed);
    if (mine !== asked) return;
    // VS Code would look for the text in the labels itself.
    picker.items = found.map(choice => ({ ...choice, alwaysShow: true }));
    picker.busy = false;
    if (typed === accepted) take(picker.items);
  };
  const refill = (typed: string): void =>
    void show(typed).catch((cause: unknown) => {
      error = cause;
      failure.abort();
    });
  refill('');
  try {
    return valueOf(
      await ask<T>(picker, { ...question, signal: failure.signal }, settle => {
        take = ([chosen]) => {
          if (chosen !== undefined) settle({ kind: 'value', value: chosen.value });
        };
        return [
          picker.onDidChangeValue(refill),
          picker.onDidAccept(() => {
            // The window may not have what was found yet: then nothing is chosen in it, or what was found by the text before.
            if (!picker.busy) take(picker.selectedItems.length > 0 ? picker.selectedItems : picker.items);
            else if (picker.value.trim() !== '') accepted = picker.value;
          }),
        ];
      }),
    );
  } catch (cause) {
    throw failure.signal.aborted ? error : cause;
  } finally {
    // An answer that comes later changes nothing.
    asked++;
  }
}
