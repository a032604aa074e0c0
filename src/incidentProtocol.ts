/**
 * The messages between the extension host and the page of an incident file. What `protocol.ts` says of messages holds here, too: a
 * message holds only what is on screen, and every text that is not of ours is foreign: the page writes it as a text node only.
 */

/** A part of a text of a report; foreign ones are shown as code, so that they cannot pose as ours. */
export interface ShownPiece {
  text: string;
  isForeign: boolean;
}

export type ShownText = ShownPiece[];

export type ShownBlock =
  | { kind: 'heading' | 'paragraph'; text: ShownText }
  | { kind: 'list'; items: { text: ShownText; below: ShownText[] }[] };

/** What a report said when the file was saved. */
export interface ShownReport {
  headline: ShownText;
  blocks: ShownBlock[];
}

/** A lock as it was at the end of the span. */
export interface ShownLock {
  /** Its place among those of the file. */
  id: number;
  name: string;
  path: string;
  dialect: string;
  /** Who held and how many waited. */
  standing: string;
  /** In words, the most urgent first. */
  marks: { text: string; isProven: boolean }[];
  /** What was said of it. */
  report?: ShownReport;
}

/** A property of the file, for a list of names and values. */
export interface ShownFact {
  name: string;
  value: string;
}

/** `notOpen`: it was not read, or could not be; `text` says why and what to do. */
export type IncidentState = {
  /** With the name of the file. */
  title: string;
} & (
  | { state: 'reading'; text: string }
  | { state: 'notOpen'; text: string; canOpen: boolean }
  | {
      state: 'open';
      isProduction: boolean;
      isRedacted: boolean;
      facts: ShownFact[];
      /** What could not be read of the file. */
      problems: string[];
      /** Those that match the filter, at most as many as were asked for. */
      locks: ShownLock[];
      /** How many match, in words. */
      count: string;
      hasMore: boolean;
      /** The file has no locks at all. */
      isEmpty: boolean;
      /** What was said of all of them, or of the only one. */
      reports: ShownReport[];
    }
);

/** The fixed texts of the page in the language of the editor. */
export interface IncidentTexts {
  reading: string;
  openAgain: string;
  production: string;
  redacted: string;
  problems: string;
  locks: string;
  filter: string;
  more: string;
  noLocks: string;
  noMatch: string;
  showQueue: string;
  explanation: string;
  report: string;
  compare: string;
  copy: string;
}

/** What the user chose to see; the page keeps it. */
export interface IncidentView {
  /** Case-insensitive part of the path or name of a lock; empty: all. */
  filter: string;
  /** How many locks are shown at most. */
  shown: number;
}

/** Locks that are shown at first, and how many more each time; longest list; longest filter. */
export const locksAtOnce = 100;
export const lockLimit = 5_000;
export const incidentFilterLimit = 200;

export const incidentActions = ['openAgain', 'report', 'compare', 'copy'] as const;
export type IncidentAction = (typeof incidentActions)[number];

/** `ready` is the first message of the page; nothing is sent to it before. */
export type IncidentPageMessage =
  | { type: 'ready' | 'view'; view: IncidentView }
  | { type: 'showLock'; id: number }
  | { type: 'act'; action: IncidentAction };

export type IncidentHostMessage =
  { type: 'texts'; texts: IncidentTexts; language: string } | { type: 'state'; state: IncidentState };
