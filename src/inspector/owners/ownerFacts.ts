import type { Contender } from '../../locks/lockQueue.ts';

/** The connection of a session, as reported by the server that it is attached to. */
export interface OwnerConnection {
  /** Of the client as the server sees it: `ip:port`, IPv6 in brackets. Foreign text. */
  address: string;
  /** Epoch ms of the server's clock; absent if not reported. */
  establishedAt?: number;
  /** Negotiated, ms; absent if not reported. */
  timeoutMs?: number;
  /** `host:port` of the server that reported it. */
  server: string;
  /** What the server did last for it; absent if not reported. */
  last?: LastOperation;
}

/** The last request of a connection that was answered. */
export interface LastOperation {
  /** Four letters: `DELE`, `MULT`, `PING`. Foreign text. */
  name: string;
  /** The transaction that the server had come to when it answered: for a write its own. */
  zxid: bigint;
  /** When it was answered, ms of a monotonic clock of the server (before 3.5 epoch ms). Differs with each answer but those within one ms. */
  at: number;
  /** How long it took the server, from the arrival of the request on, ms. */
  latencyMs: number;
}

/**
 * `not-allowed`: not in the server's whitelist. `unreachable`: no connection. `timeout`: the answer did not end in time.
 * `too-large`: longer than the limit. `redirected`: the answer points elsewhere, which was not followed. `malformed`: not such an
 * answer. `foreign`: the list lacks this tool's own session, so it may be of another cluster. `not-serving`: the server has no
 * quorum. `own-machine`, `local-network`: not contacted, the ensemble reports an address that means this machine, or another one
 * for everyone who dials it; `detail` has the address where the ensemble reports a name. `not-attempted`: cancelled before.
 */
export type SourceOutcome =
  | 'ok'
  | 'not-allowed'
  | 'unreachable'
  | 'timeout'
  | 'too-large'
  | 'redirected'
  | 'malformed'
  | 'foreign'
  | 'not-serving'
  | 'own-machine'
  | 'local-network'
  | 'not-attempted';

/** One question to one server and what came of it, so that a gap in the facts can be named. */
export interface SourceReport {
  /** `host:port` of the server. */
  server: string;
  by: 'admin-server' | 'four-letter-word';
  question: 'connections' | 'dump' | 'watches' | 'statistics';
  outcome: SourceOutcome;
  /** Foreign text; '' if there is nothing to add. */
  detail: string;
}

/** The sessions that are alive, by a list that contains this tool's own session. */
export interface LiveSessions {
  ids: ReadonlySet<bigint>;
  /** Only the leader's list is complete at its time; a follower's may lag behind. */
  listedBy: 'leader' | 'follower';
  server: string;
}

/** Where the client of a session was, as a recorder noted it while the session lived. Foreign text. */
export interface RecordedOwner {
  /** As of `OwnerConnection`. */
  address: string;
  /** What a name server said of it. */
  host?: string;
  process?: string;
}

/** Who is behind the sessions of an ensemble, merged over all servers. */
export interface OwnerFacts {
  connections: ReadonlyMap<bigint, OwnerConnection>;
  /** Of sessions that a recorder knows, those that are over included. */
  recorded?: ReadonlyMap<bigint, RecordedOwner>;
  /** `undefined`: no server that is known to be of the ensemble listed them. */
  live: LiveSessions | undefined;
  sources: readonly SourceReport[];
  /** Epoch ms of this machine's clock before the first question: data read later may name newer sessions. */
  askedAt: number;
}

/** What is known of the owner of a node. */
export interface OwnerStatus {
  /** 0n: no owner, the node is not ephemeral; or not known. */
  session: bigint;
  /** `unknown`: no server listed the sessions that are alive. */
  alive: 'yes' | 'no' | 'unknown' | 'no-owner';
  connection?: OwnerConnection;
  /** Where no server lists its connection. */
  recorded?: RecordedOwner;
}

/** What is known of a contender's owner; `unknown` where the node may not be read. @param facts absent: no server was asked */
export function ownerOf(
  { ownerSession, isUnread }: Pick<Contender, 'ownerSession' | 'isUnread'>,
  facts: OwnerFacts | undefined,
): OwnerStatus {
  return isUnread === true ? { session: 0n, alive: 'unknown' } : ownerStatus(ownerSession, facts);
}

/**
 * Whether the owner session of a node is alive.
 *
 * @param facts absent: no server was asked
 */
export function ownerStatus(session: bigint, facts: OwnerFacts | undefined): OwnerStatus {
  if (session === 0n) return { session, alive: 'no-owner' };
  const connection = facts?.connections.get(session);
  if (connection !== undefined) return { session, alive: 'yes', connection };
  const recorded = facts?.recorded?.get(session);
  return { session, alive: aliveBy(session, facts?.live), ...(recorded === undefined ? {} : { recorded }) };
}

function aliveBy(session: bigint, live: LiveSessions | undefined): OwnerStatus['alive'] {
  if (live === undefined) return 'unknown';
  if (live.ids.has(session)) return 'yes';
  // A follower may not have heard of it yet.
  return live.listedBy === 'leader' ? 'no' : 'unknown';
}
