import * as vscode from 'vscode';
import type { Logger } from '../../base/logger.ts';
import { CancelledError } from '../../zookeeper/errors.ts';
import { NoClusterError } from '../../app/clusters/clusterErrors.ts';
import { commandIds } from './contributions.ts';
import { NothingToDo } from './nothingToDo.ts';
import { errorSentence, logText } from '../words/errorText.ts';

/** Tells the person what happened. The only place that shows messages; callers pass texts made by l10n and displayText. */
export class ErrorReporter {
  private readonly logger: Logger;

  constructor(logger: Logger) {
    this.logger = logger;
  }

  /** Logs and shows a failure; says nothing when the person cancelled. Does not wait for the message to be closed. */
  report(error: unknown): void {
    if (error instanceof CancelledError || error instanceof vscode.CancellationError) return;
    if (error instanceof NoClusterError) {
      this.offerFirstCluster();
      return;
    }
    if (error instanceof NothingToDo) {
      this.inform(error.message);
      return;
    }
    this.logger.error(logText(error));
    const showLog = vscode.l10n.t('Show Log');
    void vscode.window.showErrorMessage(errorSentence(error), showLog).then(chosen => {
      if (chosen === showLog) return vscode.commands.executeCommand(commandIds.showLog);
      return undefined;
    });
  }

  private offerFirstCluster(): void {
    const add = vscode.l10n.t('Add Cluster');
    void vscode.window
      .showInformationMessage(vscode.l10n.t('There is no cluster yet. Add the ZooKeeper that your locks are in.'), add)
      .then(chosen => (chosen === add ? vscode.commands.executeCommand(commandIds.addCluster) : undefined));
  }

  /** Tells the outcome of something the person waited for. */
  inform(text: string): void {
    void vscode.window.showInformationMessage(text);
  }

  /** Tells that something went otherwise than the person wanted, though nothing failed. Text made by l10n and displayText. */
  warn(text: string): void {
    this.logger.warn(text);
    void vscode.window.showWarningMessage(text);
  }

  /** Tells something and offers what may follow, in the way of nobody; `undefined` when it was closed without a choice. */
  async offer<T>(text: string, actions: readonly { label: string; value: T }[]): Promise<T | undefined> {
    const chosen = await vscode.window.showInformationMessage(text, ...actions.map(({ label }) => label));
    return actions.find(({ label }) => label === chosen)?.value;
  }

  /** Asks before something that cannot be undone; resolves with whether `action` was chosen. */
  async confirm(question: string, detail: string, action: string): Promise<boolean> {
    return (await vscode.window.showWarningMessage(question, { modal: true, detail }, action)) === action;
  }

  /** As `confirm`, with several ways to go on, the one that does least harm first; `undefined` if none was chosen. */
  async choose<T>(
    question: string,
    detail: string,
    actions: readonly { label: string; value: T }[],
  ): Promise<T | undefined> {
    const titles = actions.map(({ label }) => ({ title: label }));
    const chosen = await vscode.window.showWarningMessage(question, { modal: true, detail }, ...titles);
    return actions.find(({ label }) => label === chosen?.title)?.value;
  }
}
