import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { monotonicNow } from '../../base/deadline.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { ClusterBrowser } from '../../app/clusters/clusterBrowser.ts';
import { locksAt } from '../../app/clusters/lockCatalogue.ts';
import { askLockPath } from '../dialogs/pathQuestion.ts';
import { askChoice, valueOf } from '../dialogs/quickInput.ts';
import type { ReadOnlyTexts } from '../platform/readOnlyTexts.ts';
import { dialectText } from '../words/dialectText.ts';
import { displayText } from '../../base/displayText.ts';
import { callLater } from '../../base/timer.ts';
import { type ClusterNode, type LockNode, matchingLocks, nameOfLock } from '../../app/clusters/clusterModel.ts';
import { LockPanels } from '../panel/lockPanels.ts';
import { panelActions, showNodeData, type PanelActionParts } from './panelActions.ts';
import type { PanelsParts } from './panelsParts.ts';

/** Nobody wants to wait longer for suggestions. */
const searchLimitMs = 2_000;

/** The lock panels and *Show Node Data*, as their commands use them. Loaded when one of them runs for the first time. */
export class PanelCommands implements Disposable {
  private readonly parts: PanelsParts;
  private readonly actionParts: PanelActionParts;
  private readonly panels: LockPanels;

  constructor(parts: PanelsParts, texts: ReadOnlyTexts) {
    const { targets, security, state, ownLocks } = parts;
    this.parts = parts;
    this.actionParts = { targets, security, texts, state };
    this.panels = new LockPanels(
      {
        ...parts,
        actions: panelActions(this.actionParts),
        isOwn: (clusterId, path) => ownLocks.releaserOf(clusterId, path) !== undefined,
        language: vscode.env.language,
        schedule: callLater,
        now: Date.now,
        monotonicNow,
      },
      parts.extensionUri,
    );
  }

  async showQueue(argument: unknown): Promise<void> {
    this.panels.show(await lockOf(this.parts, argument));
  }

  async showNodeData(argument: unknown): Promise<void> {
    await showNodeData(this.actionParts, this.parts.targets.contender(argument));
  }

  dispose(): void {
    this.panels.dispose();
  }
}

/** The lock of the row that was passed or is selected, else the one that the person picks or types. @throws CancelledError */
async function lockOf({ targets }: PanelsParts, argument: unknown): Promise<LockNode> {
  const row = targets.rowOrSelected(argument);
  if (row?.type === 'lock') return row;
  if (row !== undefined && 'lock' in row) return row.lock;
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
  if (locksAt(browser.node, path).length === 0) await browser.open(path);
  const locks = locksAt(browser.node, path);
  const [lock] = locks;
  if (lock === undefined) throw new Error(l10n.t('There is no lock at this path.'));
  return locks.length === 1 ? lock : pickNamed(title, locks);
}

/** Gives a new connection the time to find something to offer; a path can be typed in any case. */
async function firstSearch(browser: ClusterBrowser): Promise<void> {
  await Promise.race([browser.searchRoots(), new Promise<void>(resolve => void callLater(resolve, searchLimitMs))]);
}

/** One directory may hold several locks that are told apart by name. */
async function pickNamed(title: string, locks: readonly LockNode[]): Promise<LockNode> {
  const choices = locks.map(lock => ({
    label: displayText(nameOfLock(lock)),
    description: dialectText(lock.dialect),
    value: lock,
  }));
  return valueOf(await askChoice({ title, placeholder: l10n.t('Which of the locks at this path?'), choices }));
}

function suggestions(cluster: ClusterNode): { path: string; description: string }[] {
  const paths = new Map(matchingLocks(cluster, '').map(({ path, dialect }) => [path, dialectText(dialect)]));
  return [...paths].map(([path, description]) => ({ path, description }));
}
