import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { scenarioLanguage } from '../platform/contributions.ts';
import { Completion } from './completion.ts';
import { Diagnostics, Fixes } from './diagnostics.ts';
import { Hover } from './hover.ts';
import type { KnownPlaces } from './knownPlaces.ts';
import { LayoutProviders } from './layoutProviders.ts';
import { readingOnce } from './readDocument.ts';
import { SessionProviders } from './sessionProviders.ts';

/** Everything that an editor of a scenario offers. @param known what this window knows of clusters, at the moment of the call */
export function startLanguage(known: () => KnownPlaces): Disposable {
  const owned = new DisposableStore();
  const read = readingOnce();
  const [layout, sessions] = [new LayoutProviders(read), new SessionProviders(read)];
  const { languages } = vscode;
  owned.add(new Diagnostics(read));
  const { triggers } = Completion;
  for (const registered of [
    languages.registerCompletionItemProvider(scenarioLanguage, new Completion(read, known), ...triggers),
    languages.registerHoverProvider(scenarioLanguage, new Hover(read)),
    languages.registerCodeActionsProvider(scenarioLanguage, new Fixes(read), {
      providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
    }),
    languages.registerDocumentSymbolProvider(scenarioLanguage, layout),
    languages.registerFoldingRangeProvider(scenarioLanguage, layout),
    languages.registerDocumentFormattingEditProvider(scenarioLanguage, layout),
    languages.registerDocumentRangeFormattingEditProvider(scenarioLanguage, layout),
    languages.registerDefinitionProvider(scenarioLanguage, sessions),
    languages.registerReferenceProvider(scenarioLanguage, sessions),
    languages.registerDocumentHighlightProvider(scenarioLanguage, sessions),
    languages.registerRenameProvider(scenarioLanguage, sessions),
  ]) {
    owned.add(registered);
  }
  return owned;
}
