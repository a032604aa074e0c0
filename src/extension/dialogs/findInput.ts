import * as vscode from 'vscode';
import { ask, valueOf, type Choice, type StepTitle } from './quickInput.ts';

export interface FoundQuestion<T> extends StepTitle {
  placeholder: string;
  /** What fits a typed text, the best first; asked for with every key. */
  find: (typed: string) => Promise<readonly Choice<T>[]>;
}

/**
 * Asks for one of what is found by the text that is typed. What is found stays on screen until more is; an answer to a text that was
 * typed before is dropped.
 *
 * @throws CancelledError when it is hidden; what `find` throws
 */
export async function askFound<T>({ find, ...question }: FoundQuestion<T>): Promise<T> {
  const picker = vscode.window.createQuickPick<vscode.QuickPickItem & { value: T }>();
  picker.placeholder = question.placeholder;
  const failure = new AbortController();
  let asked = 0;
  let error: unknown;
  const show = async (typed: string): Promise<void> => {
    const mine = ++asked;
    picker.busy = true;
    const found = await find(typed);
    if (mine !== asked) return;
    // VS Code would look for the text in the labels itself.
    picker.items = found.map(choice => ({ ...choice, alwaysShow: true }));
    picker.busy = false;
  };
  const refill = (typed: string): void =>
    void show(typed).catch((cause: unknown) => {
      error = cause;
      failure.abort();
    });
  refill('');
  try {
    return valueOf(
      await ask<T>(picker, { ...question, signal: failure.signal }, settle => [
        picker.onDidChangeValue(refill),
        picker.onDidAccept(() => {
          const [chosen] = picker.selectedItems;
          if (chosen !== undefined) settle({ kind: 'value', value: chosen.value });
        }),
      ]),
    );
  } catch (cause) {
    throw failure.signal.aborted ? error : cause;
  } finally {
    // An answer that comes later changes nothing.
    asked++;
  }
}
