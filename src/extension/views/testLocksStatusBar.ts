import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { toDisposable, type Disposable } from '../../base/disposable.ts';
import { builtInCommandIds, viewIds } from '../platform/contributions.ts';
import { sentences } from '../words/language.ts';
import { summaryOf, type Summary, type WorstState } from '../../app/testLocks/testLock.ts';
import type { TestLockRegistry } from '../../app/testLocks/testLockRegistry.ts';
import { summaryText } from '../words/testLockText.ts';

const icons: Record<WorstState, string> = {
  waiting: '$(clockface)',
  held: '$(key)',
  uncertain: '$(warning)',
  lost: '$(error)',
};

function worstText(worst: WorstState): string {
  switch (worst) {
    case 'waiting':
      return l10n.t('waiting');
    case 'held':
      return l10n.t('held');
    case 'uncertain':
      return l10n.t('uncertain: no confirmed contact with the cluster');
    case 'lost':
      return l10n.t('lost: somebody else may hold a lock');
  }
}

function background({ worst, holdsOnProduction }: Summary): vscode.ThemeColor | undefined {
  if (worst === 'lost') return new vscode.ThemeColor('statusBarItem.errorBackground');
  const needsCare = worst === 'uncertain' || holdsOnProduction;
  return needsCare ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
}

/** One entry of the status bar: how many test locks, and the worst of their states. Hidden when there are none. */
export function registerTestLocksStatusBar(registry: TestLockRegistry): Disposable {
  const entry = vscode.window.createStatusBarItem(viewIds.testLocks, vscode.StatusBarAlignment.Left);
  entry.name = l10n.t('ZooKeeper Test Locks');
  entry.command = builtInCommandIds.focusTestLocks;
  const update = (): void => {
    const summary = summaryOf(registry.all);
    const { worst } = summary;
    if (worst === undefined) {
      entry.hide();
      return;
    }
    const text = summaryText(summary);
    const state = joinedState(text, worst, summary.holdsOnProduction);
    entry.text = `${icons[worst]} ${text}`;
    entry.tooltip = `${state}\n${l10n.t('Select to show them.')}`;
    entry.accessibilityInformation = { label: state, role: 'button' };
    entry.backgroundColor = background(summary);
    entry.show();
  };
  update();
  const subscription = registry.onChange(update);
  return toDisposable(() => {
    subscription.dispose();
    entry.dispose();
  });
}

function joinedState(text: string, worst: WorstState, onProduction: boolean): string {
  const state = l10n.t('ZooKeeper test locks: {0}. Worst state: {1}.', text, worstText(worst));
  return sentences(state, onProduction ? l10n.t('A production cluster is concerned.') : '');
}
