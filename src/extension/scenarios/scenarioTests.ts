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

  async lenses({ uri }: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const file = await this.items.update(uri);
    return file === undefined ? [] : scenarioLenses(file);
  }

  dispose(): void {
    this.owned.dispose();
  }
}
