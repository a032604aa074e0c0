import * as vscode from 'vscode';
import { toDisposable, type Disposable } from '../../base/disposable.ts';
import type { CommandId } from './contributions.ts';
import type { ErrorReporter } from './errorReporting.ts';

/** Registers one command; what its handler throws is logged and shown, cancellation is silent. */
export type RegisterCommand = (id: CommandId, handler: (argument?: unknown) => unknown) => Disposable;

/**
 * The one wrapper around every command. The argument is whatever the caller passed: a row, or anything at all when another
 * extension calls; handlers check it. It is `undefined` only when the command was called for nothing in particular: a menu
 * whose row the tree no longer knows passes `undefined`, too, and handlers get `null`.
 */
export function commandRegistrar(reporter: ErrorReporter): RegisterCommand {
  return (id, handler) => {
    const registration = vscode.commands.registerCommand(id, async (...given: unknown[]) => {
      try {
        return await handler(given.length === 0 ? undefined : (given[0] ?? null));
      } catch (error) {
        reporter.report(error);
        return undefined;
      }
    });
    return toDisposable(() => void registration.dispose());
  };
}
