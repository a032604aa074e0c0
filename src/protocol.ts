/**
 * The messages between the extension host and the page of a lock panel.
 *
 * The page shows snapshots and sends intents; the host reads ZooKeeper, sorts, filters, folds, decides and confirms. A message
 * holds only what is on screen, however long the queue is. Messages are JSON: session ids are lower-case hexadecimal with `0x`,
 * czxids are decimal, both as strings; times are epoch ms, spans are ms. Every string from ZooKeeper is foreign text: it is cut
 * and free of control characters, and the page must still write it as a text node only.
 */

import type { ContenderKind, History, TimeBar, TimeIntent, TimeSpan } from './historyProtocol.ts';
import { columnTexts, type AgedRow, type PageText } from './panelTexts.ts';

/** Columns of the table, in the order of the screen. */
export type TableColumn = keyof typeof columnTexts;
export const tableColumns = Object.keys(columnTexts) as TableColumn[];

/** The parts of a contender to copy: one column's text, the whole row (tab separated), or its path. */
export type CopyPart = TableColumn | 'row' | 'path';

/** What the user chose to see. The page keeps it in its own state and sends it again after it was hidden. */
export interface PanelView {
  /** Absent: grant order. */
  sort?: { column: TableColumn; descending: boolean };
  /** Case-insensitive part of any column's text; empty: everything. */
  filter: string;
  /** Index of the first row wanted, among the rows that match the filter. */
  tableFrom: number;
  /** How many contenders of the picture are unfolded, counted from the head of the queue. */
  pictureCount: number;
  /** Of a recording: the part of its time that the timeline shows, epoch ms. Absent: the host chooses. */
  timeline?: TimeSpan;
}

/** Rows per page of the table, contenders per page of the picture, and the most contenders that the picture draws. */
export const tablePageSize = 50;
export const picturePageSize = 50;
export const pictureLimit = 500;
/** The most cycles of a deadlock, and locks of one of them, that are drawn. */
export const cycleLimit = 5;
export const cycleStepLimit = 12;
/** Longest filter, in characters, for the page's field and the host's check. */
export const filterLimit = 200;

/** Identifies one node. The name alone does not: some locks reuse a name, which may stand for a newer node by now. */
export interface NodeIdentity {
  /** As it is shown: no two names look the same. */
  name: string;
  /** Of the transaction that created it. */
  czxid: string;
}

/** An action of the user. The host decides, asks for confirmation where needed, and answers with an `outcome`. */
export type Intent =
  | ({ kind: 'copy'; part: CopyPart } & NodeIdentity)
  | ({ kind: 'showNodeData' } & NodeIdentity)
  | ({ kind: 'forceDelete' } & NodeIdentity)
  /** Opens the page of its owner session. */
  | ({ kind: 'showSession' } & NodeIdentity)
  /** Opens the lock of a step of a cycle. */
  | ({ kind: 'showLock' } & NodeIdentity)
  | { kind: 'findOwners' }
  | { kind: 'pauseHistory'; paused: boolean }
  | { kind: 'clearHistory' }
  | { kind: 'saveHistory'; format: 'json' | 'csv' }
  | { kind: 'reconnect' }
  | { kind: 'explain' }
  /** Of a recording only: what happened to the lock. */
  | { kind: 'explainPast' }
  | TimeIntent;

/** `ready` is the page's first message; nothing is sent to it before. */
export type PageMessage =
  | { type: 'ready'; view: PanelView }
  | { type: 'view'; view: PanelView }
  | { type: 'intent'; intent: Intent }
  /** A snapshot is on screen: the next one may be sent, and not before, so that none waits for its turn to be drawn. */
  | { type: 'drawn'; revision: number }
  /** The page has got the keyboard. */
  | { type: 'focus' };

export type HostMessage =
  /**
   * First answer to `ready`: every fixed text of the page, in the language of the editor. `lock` is for the host: the page keeps it
   * beside its own state, and VS Code gives both back when the window is loaded again.
   */
  | { type: 'texts'; texts: PanelTexts; language: string; lock: unknown }
  | { type: 'snapshot'; snapshot: PanelSnapshot }
  /** Keep this in place of the `lock` that came with the texts. */
  | { type: 'keep'; lock: unknown }
  /** How an intent ended. `text`, if any, goes to the status line. */
  | { type: 'outcome'; outcome: 'done' | 'cancelled' | 'failed'; text?: string };

/**
 * `loading`: nothing has been read yet; `text` says how far files are read. `canOpen`: of a recording whose files can be read again. `unconnected`: the same, and there is no session. In `disconnected` and `failed` the last
 * picture stays, dimmed.
 */
export type PanelStatus =
  | { state: 'loading'; text?: string }
  | { state: 'unconnected'; text: string; canOpen?: true }
  | { state: 'live' }
  /** The queue as it was at a moment of a recording. */
  | { state: 'recorded' }
  | { state: 'empty' }
  | { state: 'gone' }
  | { state: 'denied'; text: string }
  | { state: 'failed'; text: string; canOpen?: true }
  | { state: 'disconnected'; text: string; lastContact?: number };

/** Everything on screen at one moment. A later snapshot replaces it whole. */
export interface PanelSnapshot {
  /** Rises by one with each snapshot of a panel. */
  revision: number;
  /** Host's clock, epoch ms; of a recording the moment that is shown, by the clock of its servers. */
  takenAt: number;
  status: PanelStatus;
  /** Present for a recording only. */
  time?: TimeBar;
  lock: {
    path: string;
    name: string;
    cluster: string;
    isProduction: boolean;
    isReadOnly: boolean;
    /** The cluster was removed from the list: its nodes can only be copied. */
    isRemoved: boolean;
    dialect: string;
    /** One for each kind of hazard and each mark (stale, held for long, deadlocked). */
    warnings: Warning[];
  };
  answer: Answer;
  /** The deadlocks, certain or not, that this lock is part of; those that have lasted first. */
  cycles: Cycle[];
  totals: { contenders: number; holders: number; waiters: number; strangers: number };
  picture: Picture;
  table: Table;
  history: History;
}

/** What is wrong with a lock, as a sentence. */
export interface Warning {
  text: string;
  /** A filter of the table that finds the contenders that it is about. */
  filter?: string;
}

/** The most holders that get a card. */
export const cardLimit = 4;

/** Who has the lock, for how long, and who is next: what the first sentence and the cards are made of. Holds only what is known. */
export interface Answer {
  /** The first ones, at most `cardLimit`; `totals.holders` counts all. */
  holders: Card[];
  /** The kind of every holder; absent where they differ. */
  kind?: ContenderKind;
  /** How many may hold at once, if that is known. */
  limit?: number;
  /** No holder is seen, and a node that may not be read can be the holder. */
  isHolderUnknown: boolean;
  /** The holder's lease has ended, by its own data: perhaps no client holds. */
  isLeaseOver: boolean;
  /** When the one that waits longest queued, epoch ms by this machine's clock. */
  waitingSince?: number;
  /** Waiters that may hold all the same. */
  mayHold: number;
  next?: Next;
}

/**
 * Who gets the lock when it becomes free. `known`: by the rule of its library. `limit-unknown`: probably. `race`: the first client
 * that creates the node. `election`: the one that the waiters choose by what their nodes hold then.
 */
export interface Next {
  succession: 'known' | 'limit-unknown' | 'race' | 'election';
  /** The first of those that are next; absent if none of those that wait is. */
  card?: Card;
  /** Those that get it together with the first one; absent: many. */
  others?: number;
}

/** A holder, or the next one, with what an engineer on call asks about it. */
export interface Card extends ShownContender, AgedRow {
  /** 1 is the head of the queue. */
  position: number;
  kind: ContenderKind;
  who: string;
  /** The owner session, or why there is none. */
  session: string;
  /** A session owns its node: servers may know its address. */
  hasOwner: boolean;
  /** Of its client, as a server sees it; absent: not asked, or not reported. */
  address?: string;
  /** Whether its session lived when the servers were asked, epoch ms. */
  seen?: { isAlive: boolean; at: number };
}

/** `possible`: sessions wait for each other, which their threads may end. `lasting`: for longer than the limit in the settings. */
export type DeadlockLevel = 'possible' | 'lasting';

/** Sessions that wait for each other: each waits for the lock of the next step, the last one for that of the first. */
export interface Cycle {
  level: DeadlockLevel;
  /** The first one is in the lock of this panel. */
  steps: CycleStep[];
  /** Steps behind these that are left out. */
  folded: number;
}

/** Who has one of the locks. The identity is that of its node there. */
export interface CycleStep extends NodeIdentity {
  who: string;
  /** Path of the lock, with its name where one directory holds several. */
  lock: string;
  /** False: it waits there itself, before the one that waits for it. */
  isHolder: boolean;
  /** The lock is that of this panel. */
  isHere: boolean;
}

/** The head of the queue, in grant order, with those further back that are part of a deadlock. */
export interface Picture {
  contenders: PictureContender[];
  /** Contenders that are not in `contenders`, and whether more of them can be unfolded. */
  folded: number;
  canUnfold: boolean;
  /** Set for semaphores whose limit is known: that many slots are drawn, free ones empty. */
  slots?: number;
}

/** A contender in the picture or the table. */
export interface ShownContender extends NodeIdentity {
  isHolder: boolean;
  /** What it is marked as, the most urgent first. */
  marks: Mark[];
  /** Only its name may be read: it has no age, and nothing is done to it. */
  isUnread?: true;
}

/** Claims about a contender. `own`: one of this window's own test locks. */
export const allMarks = [
  'deadlocked',
  'maybeDeadlocked',
  'stale',
  'looksStale',
  'maybeStale',
  'longHeld',
  'own',
] as const;
export type Mark = (typeof allMarks)[number];

export interface PictureContender extends ShownContender {
  /** 1 is the head of the queue. */
  position: number;
  kind: ContenderKind;
  who: string;
  /** Name of the contender it waits for, whether or not that one is in the picture. */
  waitsFor?: string;
  /** Who that is, with its position. */
  ahead?: string;
}

export interface Table {
  /** Index of the first row among those that match. */
  from: number;
  rows: TableRow[];
  /** Rows that match the filter, on all pages. */
  matching: number;
}

export interface TableRow extends ShownContender, AgedRow {
  /** Text of each column as it is shown; `age` is the age when the snapshot was taken. */
  cells: Record<TableColumn, string>;
}

/** Every fixed text of the page, with the placeholders `{0}`, `{1}`, ... */
export interface PanelTexts {
  columns: Record<TableColumn, string>;
  kinds: Record<ContenderKind, string>;
  marks: Record<Mark, string>;
  page: Record<PageText, string>;
}
