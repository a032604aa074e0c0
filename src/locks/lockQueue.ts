/** Libraries and products whose lock layouts are known; `generic` is the fallback (docs/dialects.md, section 5). */
export type DialectId =
  | 'curator'
  | 'curator-semaphore'
  | 'curator-latch'
  | 'kazoo'
  | 'kazoo-semaphore'
  | 'kazoo-lease'
  | 'go-zookeeper'
  | 'zookeeper-writelock'
  | 'zookeeper-writelock-c'
  | 'zookeeper-election'
  | 'zk-ruby'
  | 'zk-ruby-semaphore'
  | 'zk-ruby-election'
  | 'distributedlock-net'
  | 'distributedlock-net-semaphore'
  | 'rw-letters'
  | 'named-lock'
  | 'session-named'
  | 'rust-latch'
  | 'aiozk'
  | 'solr'
  | 'mesos'
  | 'hadoop-elector'
  | 'hbase-master'
  | 'kafka-controller'
  | 'patroni'
  | 'accumulo'
  | 'bookkeeper-auditor'
  | 'hive'
  | 'vitess'
  | 'exclusive-node'
  | 'generic';

/** One node of a queue that holds the lock or waits for it. Names, identifiers and paths are foreign text. */
export interface Contender {
  name: string;
  path: string;
  kind: 'exclusive' | 'read' | 'write' | 'lease' | 'candidate';
  role: 'holder' | 'waiter';
  /** Name of the node whose end it waits for, by its library's own rule. Absent for holders and polling waiters. */
  waitsFor?: string;
  /**
   * 1 is the head of the queue. Only where nodes that may not be read stand before it, as far as names tell; absent: its place in
   * the list (`placeOf`).
   */
  position?: number;
  /** The number at the end of the name; absent for single-node locks. */
  sequence?: number;
  /** 0n: not ephemeral, so no session keeps it alive. */
  ownerSession: bigint;
  czxid: bigint;
  /** Epoch ms of the server's clock. */
  createdAt: number;
  /** Who, from the node's data or name; empty if neither says. */
  identifier: string;
  /** Epoch ms of its owner's clock: its data say that it holds until then, and the node stays. Ask `isLeaseOver`. */
  leaseEndsAt?: number;
}

/** Why the picture may not be what the contenders believe. `names`: the nodes concerned. */
export interface Hazard {
  kind:
    | 'duplicate-sequence'
    | 'negative-sequence'
    | 'sequence-nearly-exhausted'
    | 'strangers-block'
    | 'mutual-wait'
    | 'mixed-dialects'
    | 'one-lock-or-several'
    | 'not-ephemeral'
    | 'same-session-twice'
    | 'limit-unknown'
    | 'order-differs-from-creation'
    | 'unreadable';
  names: string[];
}

/** One lock: who holds it and who waits, in grant order (the dialect's own comparison). */
export interface LockQueue {
  /** The directory that holds the contenders, or the node itself for a single-node lock. */
  path: string;
  /** Set where one directory holds several locks that are told apart by name. */
  lockName?: string;
  dialect: DialectId;
  /** How many may hold at once; set for semaphores whose tree stores it. */
  maxLeases?: number;
  contenders: Contender[];
  /** Children that are no contenders: shown, never counted, never deleted. */
  strangers: string[];
  hazards: Hazard[];
}
