import * as vscode from 'vscode';
import { toDisposable, type Disposable } from '../../base/disposable.ts';
import { builtInCommandIds, viewIds } from '../platform/contributions.ts';
import { l10n, sentences } from '../words/language.ts';
import { summaryOf, type Summary, type WorstState } from '../../app/testLocks/testLock.ts';
import type { TestLockRegistry } from '../../app/testLocks/testLockRegistry.ts';
import { summaryText } from '../words/testLockText.ts';

const worstStates: Record<WorstState, { icon: string; text: () => string }> = {
  waiting: { icon: '$(clockface)', text: () => l10n.t('waiting') },
  held: { icon: '$(key)', text: () => l10n.t('held') },
  uncertain: { icon: '$(warning)', text: () => l10n.t('uncertain: no confirmed contact with the cluster') },
  lost: { icon: '$(error)', text: () => l10n.t('lost: another client may hold a lock') },
};

function background({ worst, holdsOnProduction }: Summary): vscode.ThemeColor | undefined {
  if (worst === 'lost') return new vscode.ThemeColor('statusBarItem.errorBackground');
  const needsCare = worst === 'uncertain' || holdsOnProduction;
  return needsCare ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
}

/** The status bar entry: how many test locks, and the worst of their states. Hidden when there are none. */
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
    const { icon, text } = worstStates[worst];
    const count = summaryText(summary);
    const state = sentences(
      l10n.t('ZooKeeper test locks: {0}. Worst state: {1}.', count, text()),
      summary.holdsOnProduction ? l10n.t('A production cluster is affected.') : '',
    );
    entry.text = `${icon} ${count}`;
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
