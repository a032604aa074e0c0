import * as vscode from 'vscode';
import { logText } from '../../base/displayText.ts';
import type { Logger } from '../../base/logger.ts';
import { CancelledError } from '../../zookeeper/errors.ts';
import { NoClusterError } from '../../app/clusters/clusterErrors.ts';
import { commandIds, type CommandId } from './contributions.ts';
import { pageFocusSettled } from './pageFocus.ts';
import { errorSentence, logText as errorLogText } from '../words/errorText.ts';
import { l10n } from '../words/language.ts';

/** Writes to the output channel; strikes out credentials and shows unseen characters in every message. */
export function channelLogger(channel: Pick<vscode.LogOutputChannel, 'debug' | 'info' | 'warn' | 'error'>): Logger {
  return {
    debug: message => channel.debug(logText(message)),
    info: message => channel.info(logText(message)),
    warn: message => channel.warn(logText(message)),
    error: message => channel.error(logText(message)),
  };
}

/** A command has no target: nothing is selected, or nothing fits. The message is shown as it is: made by l10n. */
export class NothingToDo extends Error {}

/** Shows outcomes, failures and questions. The only place that shows messages; callers pass texts made by l10n and displayText. */
export class ErrorReporter {
  private readonly logger: Logger;

  constructor(logger: Logger) {
    this.logger = logger;
  }

  /** Logs and shows a failure; silent on cancellation. Does not wait for the message to be closed. */
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
    this.logger.error(errorLogText(error));
    const showLog = l10n.t('Show Log');
    void vscode.window.showErrorMessage(errorSentence(error), showLog).then(chosen => {
      if (chosen === showLog) return vscode.commands.executeCommand(commandIds.showLog);
      return undefined;
    });
  }

  private offerFirstCluster(): void {
    const offers = new Map<string, CommandId>([
      [l10n.t('Add Cluster'), commandIds.addCluster],
      [l10n.t('Try a Sandbox'), commandIds.trySandbox],
    ]);
    const text = l10n.t('There is no cluster yet. Add the ZooKeeper cluster that holds your locks, or try a sandbox.');
    void vscode.window.showInformationMessage(text, ...offers.keys()).then(chosen => {
      const command = chosen === undefined ? undefined : offers.get(chosen);
      return command === undefined ? undefined : vscode.commands.executeCommand(command);
    });
  }

  /** Shows the outcome of something the person waited for. */
  inform(text: string): void {
    void vscode.window.showInformationMessage(text);
  }

  /** Shows that something ended otherwise than the person wanted, though nothing failed. */
  warn(text: string): void {
    this.logger.warn(text);
    void vscode.window.showWarningMessage(text);
  }

  /** Shows a text with buttons, not modal; `undefined` when it was closed without a choice. */
  async offer<T>(text: string, actions: readonly { label: string; value: T }[]): Promise<T | undefined> {
    const chosen = await vscode.window.showInformationMessage(text, ...actions.map(({ label }) => label));
    return actions.find(({ label }) => label === chosen)?.value;
  }

  /** Asks before something that cannot be undone, as `choose` does; resolves with whether `action` was chosen. */
  async confirm(question: string, detail: string, action: string): Promise<boolean> {
    return (await this.choose(question, detail, [{ label: action, value: true }])) === true;
  }

  /**
   * Asks with several ways to go on, the one that does least harm first; `undefined` if none was chosen.
   *
   * VS Code gives its first button the keyboard, so that is *Cancel*: Enter never does what cannot be undone. It adds another one
   * for Escape.
   *
   * @param close what that other one does, if not the same as *Cancel*
   */
  async choose<T>(
    question: string,
    detail: string,
    actions: readonly { label: string; value: T }[],
    close?: { label: string; value: T },
  ): Promise<T | undefined> {
    const buttons: vscode.MessageItem[] = actions.map(({ label }) => ({ title: label }));
    const last = { title: close?.label ?? l10n.t('Close'), isCloseAffordance: true };
    const items = [{ title: l10n.t('Cancel') }, ...buttons, last];
    await pageFocusSettled();
    const chosen = await vscode.window.showWarningMessage(question, { modal: true, detail }, ...items);
    return chosen === last ? close?.value : actions[buttons.findIndex(button => button === chosen)]?.value;
  }
}
