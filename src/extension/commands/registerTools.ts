import * as vscode from 'vscode';
import { toolNames, type ToolKind } from '../../app/assistant/toolName.ts';
import { DisposableStore, toDisposable, type Disposable } from '../../base/disposable.ts';
import { onceDone } from '../../base/onceDone.ts';
import type { ToolAnswers, ToolParts } from './toolAnswers.ts';

interface ToolRegistration extends ToolParts {
  load: () => Promise<{ ToolAnswers: typeof ToolAnswers }>;
}

/**
 * Registers the tools for language models, where VS Code has them. Nothing is read, nor their code loaded, before one is called; a call
 * rejects only if that code cannot be loaded.
 */
export function registerTools(parts: ToolRegistration): Disposable {
  const owned = new DisposableStore();
  // Editors that are made of an older VS Code have none.
  const lm = vscode.lm as typeof vscode.lm | undefined;
  if (typeof lm?.registerTool !== 'function') return owned;
  const answers = onceDone(async () => new (await parts.load()).ToolAnswers(parts));
  for (const [kind, name] of Object.entries(toolNames) as [ToolKind, string][]) {
    const registration = lm.registerTool<unknown>(name, {
      prepareInvocation: async ({ input }) => (await answers()).prepare(kind, input),
      invoke: async ({ input }, token) => (await answers()).invoke(kind, input, token),
    });
    owned.add(toDisposable(() => void registration.dispose()));
  }
  return owned;
}
