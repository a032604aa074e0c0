/**
 * The part of the protocol that is about time: who held and waited when, and the moment of a recording. What `protocol.ts` says of
 * messages holds here, too: times are epoch ms, spans are ms, every string from ZooKeeper is foreign text.
 */

export type ContenderKind = 'exclusive' | 'read' | 'write' | 'lease' | 'candidate';

/** Epoch ms. */
export interface TimeSpan {
  from: number;
  to: number;
}

/** The most holds at the same time that the timeline draws. */
export const timelineLanes = 12;
/** The most holds of a recording, and the most waits, that the timeline draws: the longest ones of its part of the time. */
export const timelineHolds = 300;
export const timelineWaits = 300;
/** The most lanes of waits. */
export const waitLanes = 8;
/** The shortest time that the timeline is drawn for, ms. */
export const shortestTimeline = 1_000;
/** In how many equal parts of its time the beginnings of a recording's holds are counted. */
export const densityParts = 120;
/** The most gaps of a recording that are drawn. */
export const gapLimit = 100;
/** The speeds that a recording is played at, times real time. */
export const playSpeeds = [1, 10, 100, 1_000] as const;

/** What a step goes to: a moment where a hold begins, or where the session of a contender ends. */
export type TimeStep = 'hand-over' | 'session end';

/** Of a recording only: which moment of it is shown. A zxid is hexadecimal, with `0x`. */
export type TimeIntent =
  | { kind: 'moveTo'; to: { time: number } | { zxid: string } }
  | { kind: 'step'; what: TimeStep; direction: 1 | -1 }
  | { kind: 'play'; speed: (typeof playSpeeds)[number] }
  | { kind: 'pause' }
  | { kind: 'follow'; isWanted: boolean };

/** A recording, and the moment of it that is shown. Times are those of its servers' clock, epoch ms. */
export interface TimeBar extends TimeSpan {
  at: number;
  /** Of the last transaction at that moment, hexadecimal with `0x`. */
  zxid: string;
  /** Times real time; 0: it is not played. */
  speed: number;
  isFollowing: boolean;
  /** Of an incident file: nothing is added to it. */
  isFixed?: true;
  /** From here on the picture is sure, but for the gaps. */
  sureFrom: number;
  /** The moment is neither before that nor in a gap. */
  isSure: boolean;
  /** Of which nothing is known, at most `gapLimit`. */
  gaps: UnknownSpan[];
  /** How many holds of the lock begin in each of `densityParts` equal parts of the time. */
  starts: number[];
}

/** A part of the time of which nothing is known, and why, in words. */
export interface UnknownSpan extends TimeSpan {
  why: string;
}

/**
 * Who held when. Of a live lock: what was seen since the panel was opened, bounded: the newest holds and a thinned curve of the
 * length. Of a recording, and of a live lock whose cluster is recorded by this window: what is known of a part of its time. What is
 * said below of a recording holds for both.
 */
export interface History {
  openedAt: number;
  /** Of a recording only: the part of its time that all of this is about. */
  shown?: TimeSpan;
  /** Of a live lock whose cluster is recorded: all of the time that is known, up to now. */
  whole?: TimeSpan;
  isPaused: boolean;
  /** Events kept, of at most 1,000, and how many older ones were dropped. */
  events: number;
  dropped: number;
  /**
   * The newest 100 holds, and the oldest `timelineLanes` of those before that last still; oldest first. Of a recording the longest
   * `timelineHolds`.
   */
  holds: Hold[];
  /** Holds that last still and are not in `holds`; of a recording all that are not. */
  leftOut: number;
  /** Of a recording only: who waited, oldest first, the longest `timelineWaits`; those that got the lock included. */
  waits: Wait[];
  waitsLeftOut: number;
  /** Length of the queue over time, oldest first, at most 200 points. */
  lengths: { at: number; contenders: number }[];
  /** Spans in which nothing was watched (hidden, paused, disconnected), or of which a recording knows nothing. */
  unwatched: { from: number; until?: number }[];
  figures: HistoryFigures;
}

/** Why a hold or a wait ended. */
export const endCauses = [
  'released',
  'session closed',
  'session expired',
  'session ended',
  'deleted by another session',
  'overtaken',
  'unknown',
] as const;
export type EndCause = (typeof endCauses)[number];

/** A hold or a wait. */
interface Stay {
  name: string;
  who: string;
  kind: ContenderKind;
  from: number;
  /** It had begun already when watching or the recording began, so `from` is only the first look. */
  isFromBefore: boolean;
  /** Absent: it lasts. */
  until?: number;
  /** It ended in a time of which nothing is known: `until` is the last moment before that. */
  isEndUnseen?: true;
  /** By whom its node was deleted, in words, where that was another session or the server. */
  endedBy?: string;
  /** Of a recording only: what is known of it besides. */
  recorded?: RecordedStay;
}

export interface RecordedStay {
  /** Of the transaction since which it lasts, hexadecimal with `0x`. */
  zxid: string;
  /** Of the transaction that created its node, decimal. */
  czxid: string;
  /** The owner session, or that there is none. */
  session: string;
  /** When its node was created. */
  queued: number;
}

export interface Hold extends Stay {
  /** Ms without any holder before this hold; absent for the first one and after an unwatched span. */
  gapMs?: number;
  /** Absent: it lasts, or the window that saw it live does not know. */
  ended?: EndCause;
}

export interface Wait extends Stay {
  /** `held`: it got the lock. */
  ended?: EndCause | 'held';
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
