import type { Report } from '../base/report.ts';
import type { Moment } from '../history/hold.ts';
import type { LockQueue } from '../locks/lockQueue.ts';
import type { Problem, Recording } from '../replay/recording.ts';

/** `lock`: some queues of one path. `deadlock`: the locks that its cycles go through. */
export type ScopeKind = 'cluster' | 'lock' | 'deadlock';

/** Where the past in the file comes from: `live`: only the moment of saving; `recording`: a recorder; `logs`: transaction logs. */
export type IncidentSource = 'live' | 'recording' | 'logs';

export const redactionModes = ['who', 'names'] as const;
export type RedactionMode = (typeof redactionModes)[number];

/** The first line of a file. Names and paths are foreign text. */
export interface IncidentHeader {
  /** `major.minor`. */
  version: string;
  /** Epoch ms of the machine that saved it. */
  savedAt: number;
  /** Name and version of the program that saved it. Foreign text. */
  savedBy: string;
  cluster: { name: string; environment: string };
  /** `paths`: of the locks; for a cluster those that were searched. */
  scope: { kind: ScopeKind; paths: readonly string[] };
  /** Moments of the servers. Facts and queues are those of `to`. */
  span: { from: Moment; to: Moment };
  source: IncidentSource;
  redacted: boolean;
  /** What is replaced: who and where, or the names in lock paths, too. Absent: not said, or nothing. */
  redaction?: RedactionMode;
  /** Paths below which no locks could be searched. */
  notSearched?: readonly string[];
  /** Whether the search ended before all nodes were seen, so that any lock below `scope.paths` may be missing. */
  isSearchCut?: boolean;
  /** Paths of locks that could not be read: nothing of them is in the file. */
  notRead?: readonly string[];
  /** Locks that changed faster than all of them could be read at one moment: theirs may be somewhat later or earlier. */
  changing: readonly string[];
}

/** A claim about a contender: see `MarkName` of the app. */
export const incidentMarks = [
  'deadlocked',
  'maybeDeadlocked',
  'stale',
  'looksStale',
  'maybeStale',
  'longHeld',
] as const;

export type IncidentMark = (typeof incidentMarks)[number];

/** One queue as it was at the end of the span. */
export interface QueueFact {
  queue: LockQueue;
  /** By the path of the contender; those without marks are absent. */
  marks: ReadonlyMap<string, readonly IncidentMark[]>;
}

/** What the servers said of a session that owns a contender. Texts are foreign. */
export interface OwnerFact {
  session: bigint;
  alive: 'yes' | 'no' | 'unknown';
  /** Of the client, `ip:port`. */
  address?: string;
  /** `host:port` of the server that reported it. */
  server?: string;
  timeoutMs?: number;
}

/** A contender with a sign of being stale. */
export interface StaleFact {
  /** Of the lock. */
  path: string;
  lockName?: string;
  /** Path of the contender. */
  node: string;
  czxid: bigint;
  confidence: 'certain' | 'likely' | 'possible';
  reasons: readonly string[];
}

/** One step of a cycle of waits. */
export interface CycleStep {
  path: string;
  lockName?: string;
  /** Paths of the nodes. */
  waiter: string;
  blocker: string;
  /** Who they are; sessions 0n: not known. */
  waiterSession: bigint;
  blockerSession: bigint;
}

/** A cycle of waits. Only one that has lasted is called a deadlock. */
export interface DeadlockFact {
  isLasting: boolean;
  /** For how long it was seen, ms. */
  ageMs: number;
  steps: readonly CycleStep[];
}

/** What a report said of one lock, or of all. */
export interface ExplanationFact {
  /** Absent: of all locks in the file. */
  path?: string;
  lockName?: string;
  report: Report;
}

/** What was known at the end of the span besides the nodes themselves. */
export interface IncidentFacts {
  queues: readonly QueueFact[];
  owners: ReadonlyMap<bigint, OwnerFact>;
  stale: readonly StaleFact[];
  deadlocks: readonly DeadlockFact[];
  explanations: readonly ExplanationFact[];
}

/** An incident file that was opened. */
export interface Incident {
  header: IncidentHeader;
  recording: Recording;
  facts: IncidentFacts;
  /** What could not be read. Empty: the file is whole. */
  problems: readonly Problem[];
}

/** Key of a queue among those of a file: a path may hold several. */
export function queueKey({ path, lockName }: { path: string; lockName?: string | undefined }): string {
  return lockName === undefined ? path : `${path}\0${lockName}`;
}
