import * as vscode from 'vscode';
import { builtInCommandIds, roundTripKey } from '../platform/contributions.ts';

/**
 * Takes the events of a quick pick whose list changes one after the other, each when VS Code shows what the ones before made of
 * the list. VS Code tells what is active or checked by its place in the list, and a moment late: in a list that was replaced
 * meanwhile, as after a paste with Enter right behind it, that place is another item.
 *
 * @returns a function that runs an action in its turn
 */
export function turnsOfInput(): (action: () => void) => void {
  let last = Promise.resolve();
  return action => {
    last = last.then(isShown).then(action, action);
  };
}

/** Resolves when VS Code shows what its inputs were told before, and has told back what that changed. */
async function isShown(): Promise<void> {
  // Inputs pass their changes on in a timer of their own; calls to the window are answered in the order of the calls.
  await new Promise(resolve => setTimeout(resolve, 0));
  await vscode.commands.executeCommand(builtInCommandIds.setContext, roundTripKey, true);
}
