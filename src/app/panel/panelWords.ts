import type { Ahead } from './aheadOf.ts';
import type { ClusterProfile } from '../clusters/clusterProfile.ts';
import type { FollowedLock } from './followedLock.ts';
import type { RecordPart } from './recordOfLock.ts';
import type { Gap } from '../../replay/recording.ts';
import type { RecordedTime } from '../clusters/recordedTime.ts';
import type { Moment } from '../../history/hold.ts';
import type { Reopening } from '../recordings/reopenings.ts';
import type { LockMarks } from '../clusters/marks.ts';
import type { TableOrder } from './tableOrder.ts';
import type { FoundOwners } from '../owners/foundOwners.ts';
import type { History } from '../../history/historyRecorder.ts';
import type { Contender, LockQueue } from '../../locks/lockQueue.ts';
import type { HostMessage, PanelSnapshot, PanelStatus, PanelTexts, PanelView, TableColumn } from '../../protocol.ts';

/** The state of the lock and of its connection. */
export type PanelFacts = FollowedLock['facts'] & {
  /** The lock's node or directory does not exist. */
  isGone: boolean;
  /** Epoch ms when the picture was last current; `undefined` if it never was. */
  lastSeenAt: number | undefined;
};

/** The state of a lock of a recording. */
export interface RecordedState {
  /** The recording is no longer in the list. */
  isRemoved: boolean;
  /** How far it is on the way back, if it is removed. */
  reopening: Reopening | undefined;
  /** Of its files. Foreign text. */
  path: string;
  /** Why the last reading failed. */
  error: unknown;
  /** `undefined`: nothing has been read yet. */
  contenders: number | undefined;
  /** The lock's node or directory does not exist at that moment. */
  isGone: boolean;
  /** The path holds several named locks, and it is not known which of them is this one. */
  isSeveral: boolean;
}

/** The state of whatever shows a recording that is not in the list: nothing of it was read. @param path of its files */
export function removedRecording(path: string, reopening: Reopening | undefined): RecordedState {
  return {
    isRemoved: true,
    reopening,
    path,
    error: undefined,
    contenders: undefined,
    isGone: false,
    isSeveral: false,
  };
}

/** A moment of a recording, and what the recording says of the lock. */
export interface RecordedFacts extends RecordPart {
  time: Pick<RecordedTime, 'recording' | 'kind' | 'speed' | 'isFollowing'>;
  /** The moment that the queue is of. */
  moment: Moment;
}

/** What the recorder of this window has seen of a live lock. */
export interface SeenFacts extends RecordPart {
  gaps: readonly Gap[];
  /** How far the clock of this machine is ahead of that of all these times, ms. */
  aheadMs: number;
}

/** Everything that a snapshot is built from. */
export interface SnapshotFacts {
  revision: number;
  /** Epoch ms of this machine; of a recording the moment that is shown, by the clock of its servers. */
  now: number;
  /** How far the clock of this machine is ahead of the servers', ms. */
  aheadMs: number;
  status: PanelStatus;
  profile: Pick<ClusterProfile, 'name' | 'environment' | 'readOnly'>;
  isRemoved: boolean;
  /** The lock's name. Foreign text. */
  name: string;
  queue: LockQueue;
  marks: LockMarks;
  view: PanelView;
  history: History | RecordedFacts | SeenFacts;
  order: TableOrder;
  owners: FoundOwners;
  isOwn(contender: Contender): boolean;
}

/** A contender in its queue, with the address of its owner if that was looked up. */
export interface CellFacts {
  contender: Contender;
  /** 1 is the head of the queue. */
  position: number;
  address: string | undefined;
  /** Who it waits for, if that one is in the queue. */
  ahead: Ahead | undefined;
  /** Epoch ms of the server's clock. */
  now: number;
}

/** What came of an intent of the page. */
export type IntentOutcome =
  | { kind: 'done' }
  | { kind: 'cancelled' }
  | { kind: 'copied' }
  /** @param file safe for the screen */
  | { kind: 'saved'; file: string }
  /** How many of the contenders have an owner whose address is known. */
  | { kind: 'owners-found'; known: number; contenders: number }
  | { kind: 'node-gone' }
  | { kind: 'cycle-gone' }
  /** No session owns the node, or it may not be read. */
  | { kind: 'no-session' }
  /** There is no hand-over or session end in that direction. */
  | { kind: 'no-step' }
  | { kind: 'failed'; error: unknown };

/** The words of the panel, in the language of the editor. */
export interface PanelWords {
  /** Every fixed text. */
  texts(): PanelTexts;
  kind(kind: Contender['kind']): string;
  status(facts: PanelFacts): PanelStatus;
  recordedStatus(facts: RecordedState): PanelStatus;
  snapshot(facts: SnapshotFacts): PanelSnapshot;
  outcome(outcome: IntentOutcome): Omit<Extract<HostMessage, { type: 'outcome' }>, 'type'>;
  /** The columns of a row for the clipboard: foreign text byte for byte. */
  copied(facts: CellFacts): Record<TableColumn, string>;
  /** For the log, in English. */
  logEntry(error: unknown): string;
}
