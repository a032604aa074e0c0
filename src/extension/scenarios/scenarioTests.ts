import type * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { ScenarioItems } from './scenarioItems.ts';
import { scenarioLenses } from './scenarioLenses.ts';
import { ScenarioRuns, type ScenarioRunParts } from './scenarioRuns.ts';

/** What is behind the test controller, loaded when it is asked for something. */
export class ScenarioTests implements Disposable {
  readonly items: ScenarioItems;
  readonly runs: ScenarioRuns;
  private readonly owned = new DisposableStore();

  constructor(parts: ScenarioRunParts & { logger: Logger }) {
    this.items = this.owned.add(new ScenarioItems(parts.controller, parts.logger));
    this.runs = new ScenarioRuns(this.items, parts);
  }

  lenses(document: vscode.TextDocument): vscode.CodeLens[] {
    return scenarioLenses(document);
  }

  dispose(): void {
    this.owned.dispose();
  }
}
