import * as vscode from 'vscode';
import { isLockPath } from '../../app/clusters/clusterProfile.ts';
import { displayText } from '../../base/displayText.ts';
import { windowRoundTrip } from '../platform/commands.ts';
import { ask, type StepResult, type StepTitle } from './quickInput.ts';
import { l10n } from '../words/language.ts';

/** A path to offer. */
export interface PathSuggestion {
  path: string;
  /** Ready for the screen. */
  description: string;
}

export interface PathQuestion extends StepTitle {
  placeholder: string;
  suggestions: readonly PathSuggestion[];
  /** Chosen before, when the person comes back to this question. */
  chosen: readonly string[];
}

type PathPick = vscode.QuickPickItem & { path: string | undefined };

/** Why a lock cannot be at a path; `undefined` if it can. */
export function lockPathFault(path: string): string | undefined {
  if (!isLockPath(path)) return l10n.t('A path begins with a slash and has no empty parts, like /team/locks.');
  if (path === '/') return l10n.t('The root cannot be a lock. Choose a path below it.');
  if (path === '/zookeeper' || path.startsWith('/zookeeper/')) {
    return l10n.t('/zookeeper belongs to the server itself. Choose another path.');
  }
  return undefined;
}

function known({ path, description }: PathSuggestion): PathPick {
  return { label: displayText(path), description, path };
}

/** The entry for what is typed and not suggested: the path itself, or why it cannot be one. */
function typed(text: string): PathPick {
  const path = text.trim();
  const fault = lockPathFault(path);
  return fault === undefined
    ? { label: displayText(path), description: l10n.t('as typed'), path, alwaysShow: true }
    : { label: displayText(path), description: fault, path: undefined, alwaysShow: true };
}

function picksFor(question: PathQuestion, text: string): PathPick[] {
  const picks = question.suggestions.map(known);
  const wanted = text.trim();
  if (wanted === '' || question.suggestions.some(({ path }) => path === wanted)) return picks;
  return [typed(wanted), ...picks];
}

/**
 * Runs the events of a quick pick whose list changes one after the other, each when VS Code shows what the ones before made of
 * the list. VS Code names the active or checked item by its place in the list, and a moment late: in a list that was replaced
 * meanwhile, as after a paste with Enter right behind it, that place is another item.
 *
 * @returns a function that runs an action in its turn
 */
function turnsOfInput(): (action: () => void) => void {
  let last = Promise.resolve();
  return action => {
    last = last.then(isShown).then(action, action);
  };
}

/** Resolves when VS Code shows the latest state of its inputs, and has reported what that changed. */
async function isShown(): Promise<void> {
  // Inputs pass their changes on in a timer of their own.
  await new Promise(resolve => setTimeout(resolve, 0));
  await windowRoundTrip();
}

/** Asks for one path: a suggested one, or any that is typed. */
export async function askLockPath(question: PathQuestion): Promise<StepResult<string>> {
  const picker = vscode.window.createQuickPick<PathPick>();
  picker.placeholder = question.placeholder;
  picker.value = question.chosen[0] ?? '';
  picker.items = picksFor(question, picker.value);
  const inTurn = turnsOfInput();
  return ask(picker, question, settle => [
    picker.onDidChangeValue(() => {
      inTurn(() => (picker.items = picksFor(question, picker.value)));
    }),
    picker.onDidAccept(() => {
      inTurn(() => {
        const path = picker.activeItems[0]?.path;
        if (path !== undefined) settle({ kind: 'value', value: path });
      });
    }),
  ]);
}

/** What is offered for several paths: nothing moves in the list, and what is typed stands where it stays if taken. */
class OfferedPaths {
  private readonly offered: PathPick[];

  constructor({ suggestions, chosen }: PathQuestion) {
    this.offered = suggestions.map(known);
    for (const path of chosen) this.add(path);
  }

  picks(text: string): PathPick[] {
    const wanted = text.trim();
    return wanted === '' || this.has(wanted) ? this.offered : [...this.offered, typed(wanted)];
  }

  add(path: string): void {
    if (!this.has(path)) this.offered.push({ ...typed(path), alwaysShow: false });
  }

  private has(path: string): boolean {
    return this.offered.some(pick => pick.path === path);
  }
}

/** What is checked stays in sight whatever is typed, so that it can be taken back. */
function selectPaths(picker: vscode.QuickPick<PathPick>, picks: PathPick[], paths: ReadonlySet<string>): void {
  const isChecked = ({ path }: PathPick): boolean => path !== undefined && paths.has(path);
  const items = picks.map(pick => (isChecked(pick) ? { ...pick, alwaysShow: true } : pick));
  picker.items = items;
  picker.selectedItems = items.filter(isChecked);
}

function selectedPaths(picker: vscode.QuickPick<PathPick>): Set<string> {
  return new Set(picker.selectedItems.flatMap(({ path }) => path ?? []));
}

/**
 * Asks for two or more paths. Enter takes what is typed, if anything, and ends the choice otherwise.
 *
 * @returns sorted, so that all clients that sort their paths acquire them in the same order
 */
export async function askLockPaths(question: PathQuestion): Promise<StepResult<string[]>> {
  const picker = vscode.window.createQuickPick<PathPick>();
  const offered = new OfferedPaths(question);
  picker.canSelectMany = true;
  picker.placeholder = question.placeholder;
  selectPaths(picker, offered.picks(''), new Set(question.chosen));
  const inTurn = turnsOfInput();
  return ask(picker, question, settle => [
    picker.onDidChangeValue(() => {
      inTurn(() => selectPaths(picker, offered.picks(picker.value), selectedPaths(picker)));
    }),
    picker.onDidAccept(() => {
      inTurn(() => {
        const paths = selectedPaths(picker);
        const text = picker.value.trim();
        if (text !== '' && lockPathFault(text) === undefined) {
          offered.add(text);
          picker.value = '';
          selectPaths(picker, offered.picks(''), paths.add(text));
        } else if (paths.size >= 2) settle({ kind: 'value', value: [...paths].sort() });
        else picker.title = `${question.title} — ${l10n.t('choose at least two')}`;
      });
    }),
  ]);
}
