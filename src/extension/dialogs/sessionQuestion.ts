import * as vscode from 'vscode';
import { readSessionId } from '../../app/sessions/subject.ts';
import { displayText } from '../../base/displayText.ts';
import { sessionText } from '../../base/sessionText.ts';
import { l10n } from '../words/language.ts';
import { ask, type StepResult, type StepTitle } from './quickInput.ts';

/** A session to offer; both texts ready for the screen. */
export interface SessionSuggestion {
  id: bigint;
  who: string;
  about: string;
}

export interface SessionQuestion extends StepTitle {
  placeholder: string;
  suggestions: readonly SessionSuggestion[];
}

type SessionPick = vscode.QuickPickItem & { id: bigint | undefined };

function known({ id, who, about }: SessionSuggestion): SessionPick {
  return { label: sessionText(id), description: who, detail: about, id };
}

/** The entry for what is typed: a session id, or why it is none. Words only filter the others. */
function typed(text: string, { suggestions }: SessionQuestion): SessionPick[] {
  const wanted = text.trim();
  if (!/^0x/iu.test(wanted)) return [];
  const id = readSessionId(wanted);
  if (id !== undefined && suggestions.some(each => each.id === id && sessionText(id) === wanted)) return [];
  const description =
    id === undefined ? l10n.t('A session id is hexadecimal, like 0x100a5b3c2d10000.') : l10n.t('as typed');
  return [{ label: displayText(wanted, 40), description, id, alwaysShow: true }];
}

/** Asks for a session: one of those that are suggested, or any id that is typed. */
export async function askSession(question: SessionQuestion): Promise<StepResult<bigint>> {
  const picker = vscode.window.createQuickPick<SessionPick>();
  const suggested = question.suggestions.map(known);
  picker.placeholder = question.placeholder;
  picker.matchOnDescription = true;
  picker.items = suggested;
  return ask(picker, question, settle => [
    picker.onDidChangeValue(value => {
      picker.items = [...typed(value, question), ...suggested];
    }),
    picker.onDidAccept(() => {
      // Pasted with Enter right behind it, VS Code may still have the item of the list before.
      const written = readSessionId(picker.value);
      const id = written ?? picker.activeItems[0]?.id;
      if (id !== undefined) settle({ kind: 'value', value: id });
    }),
  ]);
}
