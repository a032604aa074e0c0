import * as vscode from 'vscode';
import { DisposableStore, toDisposable, type Disposable } from '../../base/disposable.ts';
import { RowGone } from '../../app/clusters/clusterErrors.ts';
import type { ClusterRegistry } from '../../app/clusters/clusterRegistry.ts';
import { rowOfQueue } from '../../app/panel/savedLock.ts';
import { recordingId } from '../../app/recordings/openRecording.ts';
import type { OpenRecordings } from '../../app/recordings/openRecordings.ts';
import { moveToKept, type Reopenings } from '../../app/recordings/reopenings.ts';
import type { QueueFact } from '../../incident/incident.ts';
import { IncidentEditor, type IncidentEditorParts, type ListedIncident } from '../panel/incidentEditor.ts';
import { loadPage, pageOf } from '../panel/webviewPage.ts';
import { builtInCommandIds, commandIds } from '../platform/contributions.ts';
import type { CommandParts } from './clusterCommands.ts';

export interface IncidentEditorsParts extends Pick<CommandParts, 'registry' | 'reporter' | 'logger'> {
  recordings: OpenRecordings;
  reopenings: Reopenings;
  extensionUri: vscode.Uri;
}

/** The commands of a file, each of which shows its own outcome. */
const actions = {
  report: commandIds.showIncidentReport,
  compare: commandIds.compareIncidents,
  copy: commandIds.copyAsMarkdown,
} as const;

/** The open editors of incident files. */
export class IncidentEditors implements Disposable {
  private readonly parts: IncidentEditorsParts;
  private readonly owned = new DisposableStore();

  constructor(parts: IncidentEditorsParts) {
    this.parts = parts;
  }

  /** Fills the editor that VS Code made for a file. */
  fill(panel: vscode.WebviewPanel, file: vscode.Uri): void {
    const editor = this.owned.add(new IncidentEditor(this.editorParts(), pageOf(panel), file));
    const closing = panel.onDidDispose(() => editor.dispose());
    this.owned.add(toDisposable(() => void closing.dispose()));
    loadPage(panel.webview, this.parts.extensionUri, 'incident');
  }

  dispose(): void {
    this.owned.dispose();
  }

  private editorParts(): IncidentEditorParts {
    const { registry, recordings, reopenings, reporter, logger } = this.parts;
    return {
      reopenings,
      onListChange: registry.onChange,
      listed: path => {
        const cluster = recordingId('incident', path);
        const incident = recordings.get(cluster)?.incident;
        return incident && { cluster, incident };
      },
      closeReplaced: path => recordings.closeReplaced(path),
      showLock: async (listed, queue) => {
        await keepEditor();
        await showLock(registry, listed, queue);
      },
      act: async (action, file) => {
        await keepEditor();
        await vscode.commands.executeCommand(actions[action], file);
      },
      report: error => reporter.report(error),
      language: vscode.env.language,
      logger,
    };
  }
}

/** A file that was clicked in the Explorer has a tab that the next report or panel would take. */
async function keepEditor(): Promise<void> {
  await vscode.commands.executeCommand(builtInCommandIds.keepEditor);
}

/** Opens the panel of a lock, at the moment of the incident. @throws RowGone when its recording was closed */
async function showLock(registry: ClusterRegistry, { cluster, incident }: ListedIncident, queue: QueueFact['queue']) {
  const browser = registry.get(cluster);
  const time = browser?.node.time;
  if (browser === undefined || time === undefined) throw new RowGone();
  moveToKept(time, incident.header.span.to);
  await vscode.commands.executeCommand(commandIds.showQueue, rowOfQueue(registry, cluster, queue));
}
