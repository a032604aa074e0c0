import * as vscode from 'vscode';
import { type Uri } from 'vscode';
import { CancelledError } from '../../zookeeper/errors.ts';
import type { CommandParts } from './clusterCommands.ts';
import { commandIds } from '../platform/contributions.ts';
import type { ReadOnlyTexts } from '../platform/readOnlyTexts.ts';
import { displayText } from '../../base/displayText.ts';
import {
  type ClusterNode,
  type ContenderNode,
  type LockNode,
  matchingLocks,
  nameOfLock,
  type TreeNode,
} from '../../app/clusters/clusterModel.ts';
import type { Recorders } from '../../app/recorder/recorders.ts';
import type { OpenRecordings } from '../../app/recordings/openRecordings.ts';
import { Reopenings } from '../../app/recordings/reopenings.ts';
import type { ViewState } from '../../app/clusters/viewState.ts';
import { nodeText } from '../panel/nodeDocument.ts';
import { readNodeData } from '../../app/panel/nodeReading.ts';
import { fileNamePart } from '../../base/fileNamePart.ts';
import type { PanelActions } from '../../app/panel/panelIntents.ts';
import { panelWords } from '../panel/panelWords.ts';
import { monotonicNow } from '../../base/deadline.ts';
import { DisposableStore, toDisposable, type Disposable } from '../../base/disposable.ts';
import type { ClusterBrowser } from '../../app/clusters/clusterBrowser.ts';
import { saveText } from '../dialogs/saveText.ts';
import { askLockPath, type PathSuggestion } from '../dialogs/pathQuestion.ts';
import { askChoice, valueOf } from '../dialogs/quickInput.ts';
import { dialectText } from '../words/contenderText.ts';
import { callLater } from '../../base/timer.ts';
import { lockPanels, type LockPanels } from '../panel/lockPanels.ts';
import { sessionPanels, shownOf, type SessionPanels } from '../panel/sessionPanels.ts';
import type { ClusterRankings } from '../../app/blockers/rankedCluster.ts';
import { sessionText } from '../../base/sessionText.ts';
import { sessionActions } from './sessionActions.ts';
import { sessionTarget } from './sessionCommand.ts';
import { IncidentEditors } from './incidentEditors.ts';
import { readSource } from './recordingFiles.ts';
import { askOwners, type OwnLocks } from './diagnosisParts.ts';
import type { MarkSource } from '../../app/clusters/marks.ts';
import { l10n } from '../words/language.ts';

/** What the panels need of the rest of the extension. */
export interface PanelsParts extends CommandParts {
  state: ViewState;
  recordings: OpenRecordings;
  recorders: Recorders;
  marks: MarkSource;
  ownLocks: OwnLocks;
  /** Those of the view Blockers. */
  rankings: () => Promise<ClusterRankings>;
  extensionUri: Uri;
  /** Where nodes are shown. */
  texts: ReadOnlyTexts;
}

/** How long suggestions for a path are waited for. */
const searchLimitMs = 2_000;

/** The lock panels and *Show Node Data*, as their commands use them. Loaded when one of them runs for the first time. */
export class PanelCommands implements Disposable {
  private readonly parts: PanelsParts;
  private readonly panels: LockPanels;
  private readonly sessions: SessionPanels;
  private readonly incidents: IncidentEditors;
  private readonly owned = new DisposableStore();

  constructor(parts: PanelsParts) {
    this.parts = parts;
    const reopenings = this.owned.add(makeReopenings(parts, this.owned));
    this.incidents = this.owned.add(new IncidentEditors({ ...parts, reopenings }));
    this.panels = lockPanels(
      {
        ...parts,
        reopenings,
        actions: panelActions(parts),
        words: panelWords,
        isOwn: (clusterId, path) => parts.ownLocks.releaserOf(clusterId, path) !== undefined,
        language: vscode.env.language,
        schedule: callLater,
        now: Date.now,
        monotonicNow,
        onFront: lock => parts.targets.look(lock),
      },
      parts.extensionUri,
    );
    this.sessions = this.owned.add(
      sessionPanels(
        {
          ...parts,
          reopenings,
          rankings: { of: async (cluster, use) => (await parts.rankings()).of(cluster, use) },
          actions: sessionActions(parts),
          language: vscode.env.language,
          schedule: callLater,
          now: Date.now,
          monotonicNow,
        },
        parts.extensionUri,
      ),
    );
  }

  async showQueue(argument: unknown): Promise<void> {
    this.panels.show({ lock: await lockOf(this.parts, argument) });
  }

  /** *Show Session*. @param argument anything */
  async showSession(argument: unknown): Promise<void> {
    const { cluster, subject } = await sessionTarget(this.parts, argument);
    this.sessions.show(shownOf(cluster, subject));
  }

  /** As `revive`, of a session page. */
  reviveSession(panel: vscode.WebviewPanel, state: unknown): void {
    this.sessions.revive(panel, state);
  }

  /** A panel of the window as it was before it was loaded again. @param state what its page kept */
  revive(panel: vscode.WebviewPanel, state: unknown): void {
    this.panels.revive(panel, state);
  }

  /** Fills the editor of an incident file. */
  openIncident(panel: vscode.WebviewPanel, file: Uri): void {
    this.incidents.fill(panel, file);
  }

  async showNodeData(argument: unknown): Promise<void> {
    await showNodeData(this.parts, this.parts.targets.contender(argument));
  }

  dispose(): void {
    this.panels.dispose();
    this.owned.dispose();
  }
}

/** What opens the recordings of panels again. Files are read in a trusted workspace only. */
function makeReopenings(parts: PanelsParts, owned: DisposableStore): Reopenings {
  const { recordings, registry, logger } = parts;
  const made = new Reopenings({
    recordings,
    read: (source, options) => readSource(source, options, parts),
    // Its row shows its locks, as it does when a command opens it.
    onOpened: id => void registry.get(id)?.connect(),
    isTrusted: () => vscode.workspace.isTrusted,
    logger,
  });
  const granted = vscode.workspace.onDidGrantWorkspaceTrust(() => made.trust());
  owned.add(toDisposable(() => void granted.dispose()));
  return made;
}

/** The lock of the row that was passed or is selected, else the one that the person picks or types. @throws CancelledError */
async function lockOf(parts: PanelsParts, argument: unknown): Promise<LockNode> {
  const { targets } = parts;
  // The queue of the panel in front is shown already: another one of its cluster is wanted.
  const row = targets.lockInFront(argument)?.cluster ?? targets.rowOrSelected(argument);
  if (row?.type === 'lock') return row;
  if (row !== undefined && 'lock' in row) return row.lock;
  return pickLock(parts, row);
}

/** @param row in whose cluster; the person picks one without it */
async function pickLock({ targets }: PanelsParts, row: TreeNode | undefined): Promise<LockNode> {
  const title = l10n.t('Show Queue');
  const browser = await targets.connected(await targets.browser(row, title));
  if (browser.node.locks.size === 0) await firstSearch(browser);
  const path = valueOf(
    await askLockPath({
      title,
      placeholder: l10n.t('Which lock? Choose one, or type its path'),
      suggestions: suggestions(browser.node),
      chosen: [],
    }),
  );
  if (browser.node.locks.at(path).length === 0) await browser.open(path);
  const locks = browser.node.locks.at(path);
  const [lock] = locks;
  if (lock === undefined) throw new Error(l10n.t('There is no lock at this path.'));
  return locks.length === 1 ? lock : pickNamed(title, locks);
}

/** Gives a new connection time to find locks to offer; the person can type any path. */
async function firstSearch(browser: ClusterBrowser): Promise<void> {
  await Promise.race([browser.searchRoots(), new Promise<void>(resolve => void callLater(resolve, searchLimitMs))]);
}

/** One directory may hold several locks, which differ in name. */
async function pickNamed(title: string, locks: readonly LockNode[]): Promise<LockNode> {
  const choices = locks.map(lock => ({
    label: displayText(nameOfLock(lock)),
    description: dialectText(lock.dialect),
    value: lock,
  }));
  return valueOf(await askChoice({ title, placeholder: l10n.t('Which of the locks at this path?'), choices }));
}

function suggestions(cluster: ClusterNode): PathSuggestion[] {
  const paths = new Map(matchingLocks(cluster, '').map(({ path, dialect }) => [path, dialectText(dialect)]));
  return [...paths].map(([path, description]) => ({ path, description }));
}

/** What panels do by means of VS Code and the cluster's browsing session. */
function panelActions(parts: PanelsParts): PanelActions {
  return {
    copy: async text => vscode.env.clipboard.writeText(text),
    showNodeData: node => showNodeData(parts, node),
    // Through the command: there is one way to delete, with its question, its guards and its record.
    forceDelete: async node => vscode.commands.executeCommand(commandIds.forceDelete, node),
    showQueue: async lock => vscode.commands.executeCommand(commandIds.showQueue, lock),
    explain: async lock => vscode.commands.executeCommand(commandIds.explainLock, lock),
    explainPast: async lock => vscode.commands.executeCommand(commandIds.explainWhatHappened, lock),
    showSession: async ({ lock, contender }) =>
      vscode.commands.executeCommand(commandIds.showSession, {
        cluster: lock.cluster.id,
        session: sessionText(contender.ownerSession),
      }),
    findOwners: lock => askOwners(parts, lock),
    save,
    reconnect: lock => reconnect(parts, lock),
  };
}

/** Reads a node and opens it as a document. @throws the cause */
async function showNodeData(parts: PanelsParts, { lock, contender }: ContenderNode): Promise<void> {
  const client = await parts.targets.client(parts.targets.browserOf(lock));
  const reading = await readNodeData(client, contender.path);
  const text = nodeText(reading, lock.cluster.profile.name, contender.czxid);
  await parts.texts.show(`${fileNamePart(contender.name)}.txt`, text);
}

async function save(fileName: string, format: 'json' | 'csv', text: string): Promise<string> {
  const question = { title: l10n.t('Save History'), saveLabel: l10n.t('Save'), fileName, format };
  const place = await saveText(question, text);
  if (place === undefined) throw new CancelledError('Save History');
  return displayText(place);
}

async function reconnect({ targets, state }: PanelsParts, lock: LockNode): Promise<void> {
  state.paused = false;
  const browser = await targets.connected(targets.browserOf(lock));
  await browser.refresh(lock.path);
}
