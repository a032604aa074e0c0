import * as vscode from 'vscode';
import { toDisposable, type Disposable } from '../../base/disposable.ts';
import { builtInCommandIds, roundTripKey, type CommandId, type ContextKey } from './contributions.ts';
import type { ErrorReporter } from './errorReporting.ts';

/** Registers one command; what its handler throws is logged and shown, cancellation is silent. */
export type RegisterCommand = (
  id: CommandId,
  handler: (argument?: unknown, selected?: unknown) => unknown,
) => Disposable;

/** Sets a key that the `when` clauses of package.json read. */
export function setContextKey(key: ContextKey, value: boolean): void {
  void vscode.commands.executeCommand(builtInCommandIds.setContext, key, value);
}

/** A call to the window that changes nothing. Calls are answered in their order; none is while the window is gone. */
export async function windowRoundTrip(): Promise<void> {
  await vscode.commands.executeCommand(builtInCommandIds.setContext, roundTripKey, true);
}

/**
 * The one wrapper around every command. The argument is what the caller passed: a row, or any value when another extension
 * calls; handlers check it. It is `undefined` only when the command was called without an argument: VS Code passes `undefined`,
 * too, for a row that is being redrawn and for the title of a view without a focused row, and the handler gets `null`. `selected`: all selected rows, where the Explorer calls.
 */
export function commandRegistrar(reporter: ErrorReporter): RegisterCommand {
  return (id, handler) => {
    const registration = vscode.commands.registerCommand(id, async (...given: unknown[]) => {
      try {
        return await handler(given.length === 0 ? undefined : (given[0] ?? null), given[1]);
      } catch (error) {
        reporter.report(error);
        return undefined;
      }
    });
    return toDisposable(() => void registration.dispose());
  };
}
