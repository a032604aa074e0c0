/**
 * The messages between the extension host and the page of a lock panel.
 *
 * The page shows what it is told and asks by intent; the host reads ZooKeeper, sorts, filters, folds, decides and confirms.
 * So a message holds what is on screen and no more, however long the queue is. Messages are JSON: session ids are lower-case
 * hexadecimal with `0x`, czxids are decimal, both as strings; times are epoch ms, spans are ms. Every string from ZooKeeper
 * is foreign text: it is already cut and free of control characters, and still must only ever become a text node.
 */

import type { PageText } from './panelTexts.ts';

/** Columns of the table, in the order of the screen. */
export const tableColumns = [
  'position',
  'kind',
  'who',
  'address',
  'age',
  'waitsFor',
  'session',
  'sequence',
  'czxid',
] as const;
export type TableColumn = (typeof tableColumns)[number];

/** What of a contender can be copied: one column's text, the whole row (tab separated), or its path. */
export type CopyPart = TableColumn | 'row' | 'path';

/** What the page has chosen to look at. It survives in the page's own state and is sent again after it was hidden. */
export interface PanelView {
  /** Absent: grant order. */
  sort?: { column: TableColumn; descending: boolean };
  /** Case-insensitive part of any column's text; empty: everything. */
  filter: string;
  /** Index of the first row wanted, among the rows that match the filter. */
  tableFrom: number;
  /** How many contenders of the picture are unfolded, counted from the head of the queue. */
  pictureCount: number;
}

/** Rows in one page of the table, contenders in one page of the picture, and the most that the picture ever draws. */
export const tablePageSize = 50;
export const picturePageSize = 50;
export const pictureLimit = 500;
/** Holds at the same time that the timeline ever draws. */
export const timelineLanes = 12;
/** Characters of a filter; the page's field and the host's check agree on it. */
export const filterLimit = 200;

/**
 * A node and no other. Some locks use one name for ever, so by the time that the person presses, the name alone may already
 * mean the node of somebody else.
 */
export interface NodeIdentity {
  /** As it is shown: no two names look the same. */
  name: string;
  /** Of the transaction that created it. */
  czxid: string;
}

/** What the person asked for. The host decides, confirms where it must, and answers with an `outcome`. */
export type Intent =
  | ({ kind: 'copy'; part: CopyPart } & NodeIdentity)
  | ({ kind: 'showNodeData' } & NodeIdentity)
  | ({ kind: 'forceDelete' } & NodeIdentity)
  | { kind: 'findOwners' }
  | { kind: 'pauseHistory'; paused: boolean }
  | { kind: 'clearHistory' }
  | { kind: 'saveHistory'; format: 'json' | 'csv' }
  | { kind: 'reconnect' }
  | { kind: 'explain' };

/** `ready` is the page's first message; nothing is sent to it before. */
export type PageMessage =
  | { type: 'ready'; view: PanelView }
  | { type: 'view'; view: PanelView }
  | { type: 'intent'; request: number; intent: Intent };

export type HostMessage =
  /** First answer to `ready`: every fixed text of the page, in the language of the editor. */
  | { type: 'texts'; texts: PanelTexts; language: string }
  | { type: 'snapshot'; snapshot: PanelSnapshot }
  /** Answer to the intent with the same `request`. `text` is for the status line; absent if there is nothing to say. */
  | { type: 'outcome'; request: number; outcome: 'done' | 'cancelled' | 'failed'; text?: string };

/** `connecting` and `loading`: nothing has been read yet. In `disconnected` and `failed` the last picture stays, dimmed. */
export type PanelStatus =
  | { state: 'loading' }
  | { state: 'live' }
  | { state: 'empty' }
  | { state: 'gone' }
  | { state: 'denied'; text: string }
  | { state: 'failed'; text: string }
  | { state: 'disconnected'; text: string; lastContact?: number };

/** Everything on screen at one moment. A later snapshot replaces it whole. */
export interface PanelSnapshot {
  /** Rises by one with each snapshot of a panel. */
  revision: number;
  /** Host's clock, epoch ms. */
  takenAt: number;
  status: PanelStatus;
  lock: {
    path: string;
    name: string;
    cluster: string;
    isProduction: boolean;
    isReadOnly: boolean;
    /** The cluster was removed from the list, so nothing can be done with the nodes but copying. */
    isRemoved: boolean;
    dialect: string;
    /** One sentence for each hazard and each mark (stale, held for long, deadlocked). */
    warnings: string[];
  };
  totals: { contenders: number; holders: number; waiters: number; strangers: number };
  picture: Picture;
  table: Table;
  history: History;
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

export interface PictureContender extends NodeIdentity {
  /** 1 is the head of the queue. */
  position: number;
  kind: ContenderKind;
  isHolder: boolean;
  who: string;
  /** Name of the contender it waits for, whether or not that one is in the picture. */
  waitsFor?: string;
  /** Its wait is part of a circle: drawn in the error colour and said in words. */
  isDeadlocked: boolean;
  isStale: boolean;
  /** One of this window's own test locks. */
  isOwn: boolean;
}

export type ContenderKind = 'exclusive' | 'read' | 'write' | 'lease' | 'candidate';

export interface Table {
  /** Index of the first row among those that match. */
  from: number;
  rows: TableRow[];
  /** Rows that match the filter, on all pages. */
  matching: number;
}

export interface TableRow extends NodeIdentity {
  isHolder: boolean;
  isStale: boolean;
  isOwn: boolean;
  /** Epoch ms by the server's clock; the page shows the age. */
  createdAt: number;
  /** Text of each column as it is shown; `age` is the age when the snapshot was taken. */
  cells: Record<TableColumn, string>;
}

/** What was seen since the panel was opened, bounded: the newest holds and a thinned curve of the length. */
export interface History {
  openedAt: number;
  isPaused: boolean;
  /** Events kept, of at most 1,000, and how many older ones were dropped. */
  events: number;
  dropped: number;
  /** The newest 100 holds, and the oldest `timelineLanes` of those before that last still; oldest first. */
  holds: Hold[];
  /** Holds that last still and are not in `holds`. */
  leftOut: number;
  /** Length of the queue over time, oldest first, at most 200 points. */
  lengths: { at: number; contenders: number }[];
  /** Spans in which nothing was watched (hidden, paused, disconnected): nothing is claimed about them. */
  unwatched: { from: number; until?: number }[];
  figures: HistoryFigures;
}

export interface Hold {
  name: string;
  who: string;
  kind: ContenderKind;
  from: number;
  /** It already held when watching began, so `from` is only when that was seen. */
  isFromBefore: boolean;
  /** Absent: it still holds. */
  until?: number;
  /** Time without any holder before this one; absent for the first and after an unwatched span. */
  gapMs?: number;
}

/** Spans in ms; a figure without a sample is absent. */
export interface HistoryFigures {
  /** Holds that took over from one that was seen to end. */
  handOvers: number;
  longestQueue: number;
  hold: Quantiles;
  wait: Quantiles;
  /** For how long the lock, or the lease of a semaphore, was free before a hand-over. */
  gap: Quantiles;
}

export interface Quantiles {
  samples: number;
  p50?: number;
  p95?: number;
  max?: number;
}

/** Every fixed text of the page. `{0}`, `{1}` stand for what the page fills in. */
export interface PanelTexts {
  columns: Record<TableColumn, string>;
  kinds: Record<ContenderKind, string>;
  page: Record<PageText, string>;
}
