import type { Hold, Moment, Wait } from '../history/hold.ts';
import type { DialectId } from '../locks/lockQueue.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';

/** Where to look: after that transaction, or after the last transaction at or before that time (epoch ms of the server's clock). */
export type Instant = { zxid: bigint } | { time: number };

/** A part of the recorded time of which not everything is known. */
export interface Gap {
  /** The last moment before it. */
  from: Moment;
  /** The first moment behind it. */
  to: Moment;
  /** It still lasts at `to`: the files end there, or another gap begins. */
  lastsAtEnd?: true;
  why: GapCause;
}

/**
 * `not recorded`: nothing was recorded then: the recorder was off, or had no connection. `missing`: transactions between two files, or within one, are not there (purged, or of another folder). `damaged`: a record that cannot
 * be read. `other ensemble`: the files behind it are of other data (dbId). `no snapshot`: what was there when it began is not
 * known. `fuzzy snapshot`: until its last transaction a snapshot may show nodes before or after their changes.
 */
export type GapCause = 'not recorded' | 'missing' | 'damaged' | 'other ensemble' | 'no snapshot' | 'fuzzy snapshot';

/** Something that could not be read, as a closed fact: the user interface has the words. */
export interface Problem {
  /** Name within the folder. Foreign text. */
  file: string;
  /** Bytes from the start of the file (for compressed snapshots: of what is unpacked). */
  offset: number;
  what: ProblemKind;
}

/** Kinds of damage; each has its words in the user interface. */
export type ProblemKind =
  | 'empty file'
  | 'not a transaction log'
  | 'not a snapshot'
  | 'not a recording'
  | 'unknown version'
  | 'no permission'
  | 'unreadable'
  | 'torn tail'
  | 'wrong checksum'
  | 'bad length'
  | 'bad record'
  | 'zxid goes back'
  | 'other ensemble'
  | 'truncated snapshot';

/** A session, as far as the files show it. */
export interface RecordedSession {
  opened?: Moment;
  timeoutMs?: number;
  ended?: Moment;
  /** Absent with `ended`: not known. */
  how?: 'closed' | 'expired';
  /** Of its client, `ip:port`, where a recorder asked the servers for it. Foreign text. */
  address?: string;
  /** What a name server said of that address. Foreign text. */
  host?: string;
  /** What its client's nodes say of the process, or a name of it. Foreign text. */
  process?: string;
}

/** A lock that was there at some time. */
export interface RecordedLock {
  path: string;
  lockName?: string;
  dialect: DialectId;
}

/** What transaction logs and snapshots say of the locks of an ensemble. Everything in it is foreign text. */
export interface Recording {
  readonly from: Moment;
  readonly to: Moment;
  /** From this moment on the picture is sure, but for `gaps` behind it. */
  readonly sureFrom: Moment;
  readonly gaps: readonly Gap[];
  readonly problems: readonly Problem[];
  /** How many transactions were read. */
  readonly transactions: number;
  locks(): RecordedLock[];
  /** Ordered by `from.zxid`. @param path of a lock; default: of all */
  holds(path?: string): Hold[];
  /** Contenders that wait at the end, or left without having held; ordered by `queued.zxid`. */
  waits(path?: string): Wait[];
  session(id: bigint): RecordedSession | undefined;
  /** All sessions that are known, by id. */
  sessions(): ReadonlyMap<bigint, RecordedSession>;
  /** The moment that an instant means: of the last transaction at or before it, within `from` and `to`. */
  momentAt(instant: Instant): Moment;
  /**
   * The state after that transaction, to be read with everything that reads a live session; it stays as it is. Every write is refused
   * with ZooKeeperError NOT_READONLY, watches never fire, and ACLs hide nothing.
   */
  at(instant: Instant): ZooKeeperClient;
  /** Reads what a running server has added since, and new files. @returns whether there was something */
  readMore(options?: { signal?: AbortSignal }): Promise<boolean>;
  /** Closes its files. Clients of `at` fail from then on. */
  close(): Promise<void>;
}
