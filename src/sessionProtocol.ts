/**
 * The messages between the extension host and the page of a session. What `protocol.ts` says of messages holds here, too: a message
 * holds only what is on screen, and every text that is not of ours is foreign: the page writes it as a text node only.
 */

/** What a page shows, or leads to; an id is hexadecimal with `0x`. Foreign text. */
export type PageSubject = { session: string } | { address: string } | { identifier: string };

/** Identifies a lock within the cluster of the page. Foreign text, not for the screen. */
export interface PageLock {
  path: string;
  lockName?: string;
}

export interface SessionFact {
  name: string;
  value: string;
  /** Leads to another page. */
  subject?: PageSubject;
}

/** A lock by its name; without `lock` it cannot be opened. */
export interface ShownLockName {
  name: string;
  path: string;
  lock?: PageLock;
}

/** One contender of the subject. */
export interface ShownPlace extends ShownLockName {
  isHolder: boolean;
  /** Kind, and the position in the queue. */
  standing: string;
  /** Since when. */
  since: string;
  /** Whom it waits for; '' for a holder. */
  waitsFor: string;
  /** Of the session that it waits for. */
  ahead?: PageSubject;
  /** Where the page shows several sessions. */
  owner?: string;
}

/** What happens to one lock if the subject ended now. */
export interface ShownEnding extends ShownLockName {
  /** It is free then, or passed on. */
  isHolder: boolean;
  text: string;
}

export interface ShownSession {
  text: string;
  /** What is known of it, in a line. */
  about: string;
  subject?: PageSubject;
}

export interface ShownHold extends ShownLockName {
  from: string;
  to: string;
  ended: string;
}

export interface GraphNode {
  key: string;
  /** `node`: one that no session owns. */
  kind: 'session' | 'node' | 'lock';
  /** Two lines, and all of it in words for the screen reader and the tooltip. */
  title: string;
  below: string;
  label: string;
  /** The page is about it. */
  isSubject: boolean;
  subject?: PageSubject;
  lock?: PageLock;
}

/** `holds`: from a lock to what keeps it from others. `waits`: to the lock that it waits for. */
export interface GraphEdge {
  kind: 'holds' | 'waits';
  from: string;
  to: string;
}

/** A list that may be longer than what is on screen: `more` says so, else it is ''. */
export interface ShownList<T> {
  rows: T[];
  more: string;
}

/** What the page shows. Every text is ready for the screen. */
export interface SessionState {
  /** `reading`: nothing is known yet. `stale`: what was known last. `absent`: there is nothing to show. */
  state: 'reading' | 'live' | 'recorded' | 'stale' | 'absent';
  title: string;
  cluster: string;
  isProduction: boolean;
  /** Why it is not live; '' if it is. */
  status: string;
  /** The button beside the status. */
  remedy?: 'connect' | 'open';
  /** The answer, in a sentence or two. */
  summary: string;
  facts: SessionFact[];
  /** What else can be said of the facts: of when they are, who was asked. */
  factNotes: string[];
  canAsk: boolean;
  isAsking: boolean;
  /** Of an address or an identifier. */
  sessions?: ShownList<ShownSession>;
  places: ShownList<ShownPlace>;
  /** Of the places: what is missing. */
  placesNote: string;
  endings: ShownList<ShownEnding>;
  endingNotes: string[];
  graph: { nodes: GraphNode[]; edges: GraphEdge[]; note: string };
  /** Watches as far as servers were asked. */
  watches: { text: string; locks: ShownList<ShownLockName> };
  history: { facts: SessionFact[]; note: string; holds: ShownList<ShownHold> };
}

/** The fixed texts of the page in the language of the editor. */
export interface SessionTexts {
  reading: string;
  production: string;
  connect: string;
  open: string;
  askServers: string;
  asking: string;
  copySubject: string;
  copyEndings: string;
  sessions: string;
  places: string;
  lock: string;
  role: string;
  since: string;
  waitsFor: string;
  session: string;
  ifEnded: string;
  picture: string;
  pictureLabel: string;
  pictureHint: string;
  facts: string;
  watches: string;
  history: string;
  held: string;
  heldFrom: string;
  heldTo: string;
  ended: string;
  showQueue: string;
  showSession: string;
}

export const sessionCopyParts = ['subject', 'endings'] as const;
export type SessionCopyPart = (typeof sessionCopyParts)[number];

/** `ready` is the first message of the page; nothing is sent to it before. The host checks each intent. */
export type SessionPageMessage =
  | { type: 'ready' }
  | { type: 'askServers' }
  | { type: 'connect' }
  | { type: 'showSession'; subject: PageSubject }
  | { type: 'showQueue'; lock: PageLock }
  | { type: 'copy'; part: SessionCopyPart };

/** `kept` is what the page keeps while the window is closed. */
export type SessionHostMessage =
  | { type: 'texts'; texts: SessionTexts; language: string }
  | { type: 'keep'; kept: unknown }
  | { type: 'said'; text: string }
  | { type: 'state'; state: SessionState };
