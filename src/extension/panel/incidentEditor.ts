import type * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import { inTurns, type Interruptible } from '../../base/interruptible.ts';
import { displayText } from '../../base/displayText.ts';
import type { WebviewPage } from '../../app/panel/pageLife.ts';
import { parseIncidentMessage } from '../../app/panel/parseIncidentMessage.ts';
import type { Reopenings } from '../../app/recordings/reopenings.ts';
import type { Incident, QueueFact } from '../../incident/incident.ts';
import {
  locksAtOnce,
  type IncidentAction,
  type IncidentHostMessage,
  type IncidentState,
  type IncidentView,
} from '../../incidentProtocol.ts';
import { l10n } from '../words/language.ts';
import {
  incidentTexts,
  incidentTitle,
  openIncidentState,
  preparingIncident,
  type PreparedIncident,
} from './incidentState.ts';
import { reopeningStatus } from './panelStatus.ts';

/** An incident file, as the list has it. */
export interface ListedIncident {
  /** Of its row. */
  cluster: string;
  incident: Incident;
}

export interface IncidentEditorParts {
  reopenings: Pick<Reopenings, 'of' | 'open' | 'onChange'>;
  /** The list of clusters changed. */
  onListChange: Event<unknown>;
  /** The incident of this file, if it is in the list. */
  listed(path: string): ListedIncident | undefined;
  /** Closes the row of a file that was written again since it was read. @returns whether it was */
  closeReplaced(path: string): Promise<boolean>;
  /** Opens the panel of a lock at the moment of the incident. */
  showLock(listed: ListedIncident, lock: QueueFact['queue']): Promise<void>;
  /** Runs the command behind a button of the page. */
  act(action: Exclude<IncidentAction, 'openAgain'>, file: vscode.Uri): Promise<void>;
  report(error: unknown): void;
  language: string;
  logger: Logger;
}

/**
 * An incident file in an editor: what the file is, its locks, and what was said of them. The file is opened as a row of the Clusters
 * view, where nothing connects; what the editor shows is that recording, so both say the same.
 */
export class IncidentEditor implements Disposable {
  private readonly parts: IncidentEditorParts;
  private readonly page: WebviewPage<IncidentHostMessage>;
  private readonly file: vscode.Uri;
  private readonly owned = new DisposableStore();
  private view: IncidentView = { filter: '', shown: locksAtOnce };
  private isReady = false;
  private preparing: Incident | undefined;
  private prepared: PreparedIncident | undefined;
  private isDisposed = false;

  constructor(parts: IncidentEditorParts, page: WebviewPage<IncidentHostMessage>, file: vscode.Uri) {
    this.parts = parts;
    this.page = page;
    this.file = file;
    const { reopenings, onListChange } = parts;
    this.owned.add(page.onMessage(message => this.receive(message)));
    this.owned.add(
      page.onVisibility(() => {
        // VS Code destroys a hidden page.
        if (!page.isVisible) this.isReady = false;
      }),
    );
    this.owned.add(
      reopenings.onChange(path => {
        if (path === file.fsPath) this.send();
      }),
    );
    this.owned.add(onListChange(() => this.send()));
    if (this.isOnDisk && parts.listed(file.fsPath) === undefined) this.read();
  }

  dispose(): void {
    this.isDisposed = true;
    this.owned.dispose();
  }

  private get isOnDisk(): boolean {
    return this.file.scheme === 'file';
  }

  private read(): void {
    this.parts.reopenings.open({ kind: 'incident', path: this.file.fsPath });
  }

  /** A file that was written again while its page was hidden, or its row open, is read again. */
  private async renew(): Promise<void> {
    if (this.isOnDisk && (await this.parts.closeReplaced(this.file.fsPath)) && !this.isDisposed) this.read();
  }

  /** What is long is made once for each reading of the file: at once, or in turns, after which the state is sent again. */
  private preparedOf(incident: Incident): PreparedIncident | undefined {
    if (this.preparing !== incident) {
      this.preparing = incident;
      this.prepared = undefined;
      void inTurns(this.prepare(incident), () => this.preparing === incident && !this.isDisposed);
    }
    return this.prepared;
  }

  private *prepare(incident: Incident): Interruptible<void> {
    let isLong = false;
    const work = preparingIncident(incident);
    let step = work.next();
    for (; step.done !== true; step = work.next()) {
      yield;
      isLong = true;
    }
    if (this.preparing !== incident) return;
    this.prepared = step.value;
    if (isLong) this.send();
  }

  private receive(value: unknown): void {
    const message = parseIncidentMessage(value);
    switch (message?.type) {
      case undefined:
        this.parts.logger.warn('The page of an incident file sent a malformed message; it was dropped.');
        return;
      case 'ready':
        this.view = message.view;
        this.isReady = true;
        this.page.post({ type: 'texts', texts: incidentTexts(), language: this.parts.language });
        this.send();
        void this.carryOut(() => this.renew());
        return;
      case 'view':
        this.view = message.view;
        this.send();
        return;
      case 'showLock':
        void this.carryOut(() => this.showLock(message.id));
        return;
      case 'act':
        this.act(message.action);
    }
  }

  private act(action: IncidentAction): void {
    if (action === 'openAgain') this.read();
    else void this.carryOut(() => this.parts.act(action, this.file));
  }

  private async carryOut(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.parts.report(error);
    }
  }

  private async showLock(id: number): Promise<void> {
    const listed = this.parts.listed(this.file.fsPath);
    const queue = listed?.incident.facts.queues[id]?.queue;
    if (listed !== undefined && queue !== undefined) await this.parts.showLock(listed, queue);
  }

  private send(): void {
    if (this.isReady) this.page.post({ type: 'state', state: this.state() });
  }

  private state(): IncidentState {
    const { fsPath } = this.file;
    const title = incidentTitle(this.file.path);
    if (!this.isOnDisk) {
      const text = l10n.t(
        'Only a file on the disk can be opened, and {0} is in another file system. Save a copy on the disk and open that.',
        displayText(this.file.path),
      );
      return { state: 'notOpen', title, text, canOpen: false };
    }
    const listed = this.parts.listed(fsPath);
    if (listed !== undefined) {
      const prepared = this.preparedOf(listed.incident);
      if (prepared !== undefined) return openIncidentState(prepared, fsPath, this.view);
      return { state: 'reading', title, text: l10n.t('Reading the incident file.') };
    }
    const { isReading, text, canOpen } = reopeningStatus(fsPath, this.parts.reopenings.of(fsPath));
    return isReading ? { state: 'reading', title, text } : { state: 'notOpen', title, text, canOpen };
  }
}
