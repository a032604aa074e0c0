import type { DialectId } from '../locks/lockQueue.ts';

/** A lock as a search finds it: where, and how many want it. */
export interface LockSummary {
  path: string;
  /** Set where one directory holds several locks that are told apart by name. */
  lockName?: string;
  dialect: DialectId;
  /** Holders and waiters; where names alone told, nodes that are named like them. */
  contenders: number;
}

/** What a search found. */
export interface FoundLocks {
  locks: LockSummary[];
  /** Nodes whose children were listed. */
  visited: number;
  /** Whether `maxNodes` ended the search before it had seen everything. */
  truncated: boolean;
  /** Nodes whose children may not be listed, or are too many to be sent; what lies below them is unknown. */
  denied: string[];
}
