import type { Disposable } from '../../base/disposable.ts';
import type { LockQueue } from '../../locks/lockQueue.ts';
import type { TimeIntent } from '../../historyProtocol.ts';
import type { Intent, PanelStatus, PanelView } from '../../protocol.ts';
import type { ClusterProfile } from '../clusters/clusterProfile.ts';
import type { LockNode } from '../clusters/clusterModel.ts';
import type { RecordedTime } from '../clusters/recordedTime.ts';
import type { HistoryLock } from '../../history/historyFile.ts';
import type { IntentOutcome, SnapshotFacts } from './panelWords.ts';
import type { SavedLock } from './savedLock.ts';

/** What the user does with the history of a lock, and with the moment of a recording. */
export type HistoryIntent = Extract<Intent, { kind: 'pauseHistory' | 'clearHistory' }> | TimeIntent;

/** The lock that a panel shows: a live one, or one at a moment of a recording. */
export interface PanelLock extends Disposable {
  readonly clusterId: string;
  readonly profile: ClusterProfile;
  /** Its row, with the queue that is shown. */
  readonly lock: LockNode;
  /** An empty one before the first reading. */
  readonly queue: LockQueue;
  /** What identifies the lock after the window was closed. */
  readonly saved: SavedLock;
  /** Of an open recording only. */
  readonly time?: RecordedTime;
  /** The cluster is no longer in the list. */
  readonly isRemoved: boolean;
  readonly status: PanelStatus;
  /** Whether a row, present or past, is a row of this lock. */
  is(lock: LockNode): boolean;
  /** The page is there: changes are followed from now on. */
  start(): void;
  /** The page is gone. */
  stop(): void;
  facts(view: PanelView): Pick<SnapshotFacts, 'now' | 'aheadMs' | 'history'>;
  /** An intent of the other kind of lock does nothing. @throws RowGone for a moment of a recording that was closed */
  carryOut(intent: HistoryIntent): IntentOutcome | Promise<IntentOutcome>;
  /** Of a recording only: reads its files again. Its outcome is the status. */
  reopen?(): void;
  /** The history as a file. @param savedAt epoch ms */
  historyText(format: 'json' | 'csv', lock: HistoryLock, savedAt: number): string;
}
