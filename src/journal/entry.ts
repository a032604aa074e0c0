import type { EndCause, Moment } from '../history/hold.ts';

/** A node of a lock directory as a journal keeps it. `path` and `data` are foreign text. */
export interface JournalNode {
  path: string;
  czxid: bigint;
  mzxid: bigint;
  /** Epoch ms of the server's clock. */
  ctime: number;
  mtime: number;
  version: number;
  /** 0n: not ephemeral. */
  owner: bigint;
  /** What recognition reads (`keptData`): not the data themselves, unless the person asked for those. */
  data: Uint8Array;
  /** It may not be read: only its path is known. */
  isUnread?: true;
}

/** A session as the address book has it. Texts are foreign. */
export interface JournalSession {
  id: bigint;
  /** Of its client, `ip:port`. */
  address?: string;
  host?: string;
  process?: string;
  timeoutMs?: number;
  /** Present once it is known to be over. */
  ended?: Moment;
  how?: 'closed' | 'expired';
}

/**
 * One thing that was seen, in the order in which it was seen. Moments are the server's: `zxid` of the change, or of the last change that is
 * known to come before it; `time` its time, exact for created and written nodes, estimated by the clocks for deletions.
 *
 * `begin`: from here on everything is seen; the nodes that are there follow as `node` until `complete`, and what is not among them is
 * gone. With `continues` nothing was missed since the entry before it: the state is repeated so that a file can be read by itself.
 * `node`: it is there, is new, or was written. `gone`: it was deleted. `cause`: what the servers proved of a deletion, later.
 * `session`: what is known of a session now. `alive`: nothing else happened until here. `gap`: nothing is known from here on, until the next
 * `begin`.
 */
export type JournalEntry =
  | { type: 'begin'; at: Moment; continues?: true }
  | { type: 'complete'; at: Moment }
  | { type: 'node'; at: Moment; node: JournalNode }
  | { type: 'gone'; at: Moment; path: string; czxid: bigint }
  | { type: 'cause'; path: string; czxid: bigint; ended: EndCause; endedBy?: bigint }
  | { type: 'session'; session: JournalSession }
  | { type: 'alive'; at: Moment }
  | { type: 'gap'; at: Moment };
