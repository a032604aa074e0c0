import * as vscode from 'vscode';
import { builtInCommandIds, type ContextKey } from './contributions.ts';

/** Sets what the `when` clauses of package.json ask for. */
export function setContextKey(key: ContextKey, value: boolean): void {
  void vscode.commands.executeCommand(builtInCommandIds.setContext, key, value);
}
