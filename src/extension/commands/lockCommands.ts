import type { Disposable } from '../../base/disposable.ts';
import { isLockPath } from '../../app/clusters/clusterProfile.ts';
import { commandIds } from '../platform/contributions.ts';
import { displayText } from '../../base/displayText.ts';
import { contendersPerPage } from '../../app/clusters/clusterModel.ts';
import type { CommandParts } from './clusterCommands.ts';
import { withProgress } from '../platform/withProgress.ts';
import { askText, valueOf } from '../dialogs/quickInput.ts';
import { l10n } from '../words/language.ts';

async function askPath(title: string, prompt: string, value: string): Promise<string> {
  const answer = await askText({
    title,
    value,
    prompt,
    placeholder: '/team/locks',
    validate: path =>
      isLockPath(path.trim())
        ? undefined
        : l10n.t('A path begins with a slash and has no empty parts, like /team/locks.'),
  });
  return valueOf(answer).trim();
}

async function findLocks(parts: CommandParts, argument: unknown): Promise<void> {
  const title = l10n.t('Find Locks');
  const { targets } = parts;
  const browser = await targets.connected(await targets.browser(argument, title));
  const row = targets.row(argument);
  const root =
    row?.type === 'lock' ? row.path : await askPath(title, l10n.t('Look for locks at and below this path'), '/');
  const found = await withProgress(l10n.t('Looking for locks below {0}', displayText(root)), (signal, report) =>
    browser.find(root, signal, ({ visited, found: locks }) =>
      report(l10n.t('Nodes: {0}, locks so far: {1}', visited, locks)),
    ),
  );
  await parts.view.revealCluster(browser, true);
  parts.reporter.inform(
    found.truncated
      ? l10n.t(
          'Locks found below {1}: {0}; stopped after {2} nodes.',
          found.locks.length,
          displayText(root),
          found.visited,
        )
      : l10n.t(
          'Locks found below {1}: {0}; nodes searched: {2}.',
          found.locks.length,
          displayText(root),
          found.visited,
        ),
  );
}

async function openLock(parts: CommandParts, argument: unknown): Promise<void> {
  const title = l10n.t('Open Lock by Path');
  const browser = await parts.targets.connected(await parts.targets.browser(argument, title));
  const path = await askPath(title, l10n.t('Path of the lock, as its library is given it'), '/');
  const lock = await browser.open(path);
  if (lock !== undefined) await parts.view.revealLock(browser, lock);
}

async function refresh({ registry, targets }: CommandParts, argument: unknown): Promise<void> {
  const row = targets.row(argument);
  if (row === undefined) {
    await Promise.all(registry.all.map(browser => browser.refreshAll()));
    return;
  }
  const browser = targets.browserOf(row);
  if (row.type === 'lock') await browser.refresh(row.path);
  else await browser.refreshAll();
}

async function retry({ targets }: CommandParts, argument: unknown): Promise<void> {
  const row = targets.row(argument);
  if (row?.type !== 'message') return;
  const browser = targets.browserOf(row);
  if (row.parent.type === 'lock') await browser.refresh(row.parent.path);
  else if (row.message.kind === 'search-failed') await browser.searchRoots();
  else {
    try {
      await targets.connected(browser);
    } catch (error) {
      // It failed again: the row says so.
      if (browser.connection.state.kind !== 'failed') throw error;
    }
  }
}

function showMore({ targets, view }: CommandParts, argument: unknown): void {
  const row = targets.row(argument);
  if (row?.type !== 'more') return;
  if (row.parent.type === 'cluster') targets.browserOf(row).showMoreLocks();
  else {
    row.parent.contenderLimit += contendersPerPage;
    view.touch(row.parent);
  }
}

/** Find, open by path, refresh, retry, show more. */
export function registerLockCommands(parts: CommandParts): Disposable[] {
  const { register } = parts;
  return [
    register(commandIds.findLocks, argument => findLocks(parts, argument ?? undefined)),
    register(commandIds.openLock, argument => openLock(parts, argument ?? undefined)),
    register(commandIds.refresh, argument => refresh(parts, argument ?? undefined)),
    register(commandIds.retry, argument => retry(parts, argument)),
    register(commandIds.showMore, argument => showMore(parts, argument)),
  ];
}
