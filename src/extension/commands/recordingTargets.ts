import type { ClusterBrowser } from '../../app/clusters/clusterBrowser.ts';
import { clusterOf, lockKey, type LockNode } from '../../app/clusters/clusterModel.ts';
import type { RecordedTime } from '../../app/clusters/recordedTime.ts';
import { NothingToDo } from '../platform/errorReporting.ts';
import { l10n } from '../words/language.ts';
import type { RecordingParts } from './registerRecordings.ts';

/** What a command about a recording was called for. */
export interface RecordingTarget {
  browser: ClusterBrowser;
  time: RecordedTime;
  /** The lock of the panel in front, or of the row whose menu was used. */
  lock: LockNode | undefined;
}

/**
 * The recording of the row that was passed, of the panel in front, of the selected row, or else the one that the person picks; a
 * single one is taken without a question.
 *
 * @throws NothingToDo when none is open; CancelledError; RowGone
 */
export async function recordingTarget(
  { targets }: RecordingParts,
  argument: unknown,
  title: string,
): Promise<RecordingTarget> {
  const lock = lockOf(targets.lockInFront(argument) ?? targets.row(argument));
  const row = targets.lockInFront(argument) ?? targets.rowOrSelected(argument);
  const isRecorded = row !== undefined && clusterOf(row).time !== undefined;
  const wanted = {
    fits: ({ node }: ClusterBrowser) => node.time !== undefined,
    none: l10n.t('No recording is open. Open Transaction Logs opens one.'),
  };
  const browser = isRecorded ? targets.browserOf(row) : await targets.browser(undefined, title, wanted);
  const { time } = browser.node;
  if (time === undefined) throw new NothingToDo(wanted.none);
  return { browser, time, lock: lock?.cluster === browser.node ? lock : undefined };
}

/** The lock of a row; `undefined` for other rows. */
export function lockOf(row: ReturnType<RecordingParts['targets']['row']>): LockNode | undefined {
  if (row?.type === 'contender') return row.lock;
  return row?.type === 'lock' ? row : undefined;
}

/** The lock that was passed, is in front or selected. @throws NothingToDo if it is none of a recording; RowGone */
export function recordedLock({ targets }: RecordingParts, argument: unknown): { lock: LockNode; time: RecordedTime } {
  const lock = targets.lock(argument);
  const { time } = lock.cluster;
  if (time !== undefined) return { lock, time };
  throw new NothingToDo(l10n.t('This lock is live. Only of a recording it is known what happened before.'));
}

/** The names by which a recording knows a lock. */
export function recordedName({ queue, path, lockName: own }: LockNode): { path: string; lockName?: string } {
  const lockName = queue === undefined ? own : queue.lockName;
  return { path: queue?.path ?? path, ...(lockName === undefined ? {} : { lockName }) };
}

/** Selects the row of a lock that a hold or wait names. */
export async function revealRecorded(
  { view }: RecordingParts,
  browser: ClusterBrowser,
  { path, lockName }: { path: string; lockName?: string },
): Promise<void> {
  const { locks } = browser.node;
  const named = [...locks.values()].find(({ queue }) => queue?.path === path && queue.lockName === lockName);
  const lock = locks.get(lockKey(path, lockName)) ?? named ?? (await browser.open(path));
  if (lock !== undefined) await view.revealLock(browser, lock);
}
