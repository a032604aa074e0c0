/**
 * Libraries and products whose lock layouts are recognised, each with the product's name, which is the same in every language.
 * `undefined`: a naming scheme without an owner, which the user interface describes. `generic` is the fallback
 * (docs/dialects.md, section 5).
 */
export const dialectLabels = {
  curator: 'Curator',
  'curator-semaphore': 'Curator',
  'curator-latch': 'Curator LeaderLatch',
  kazoo: 'kazoo',
  'kazoo-semaphore': 'kazoo',
  'kazoo-lease': 'kazoo',
  'go-zookeeper': 'go-zookeeper',
  'zookeeper-writelock': 'ZooKeeper WriteLock',
  'zookeeper-writelock-c': 'ZooKeeper WriteLock (C)',
  'zookeeper-election': 'ZooKeeper LeaderElectionSupport',
  'zk-ruby': 'zk-ruby',
  'zk-ruby-semaphore': 'zk-ruby',
  'zk-ruby-election': 'zk-ruby',
  'distributedlock-net': 'DistributedLock.NET',
  'distributedlock-net-semaphore': 'DistributedLock.NET',
  'rw-letters': undefined,
  'named-lock': undefined,
  'session-named': undefined,
  'rust-latch': 'Rust latch',
  aiozk: 'aiozk',
  solr: 'Solr',
  mesos: 'Mesos',
  'hadoop-elector': 'Hadoop',
  'hbase-master': 'HBase',
  'kafka-controller': 'Kafka',
  patroni: 'Patroni',
  accumulo: 'Accumulo',
  'bookkeeper-auditor': 'BookKeeper',
  hive: 'Hive',
  vitess: 'Vitess',
  activemq: 'ActiveMQ',
  canal: 'Canal',
  codis: 'Codis',
  elasticjob: 'ElasticJob',
  fabric8: 'fabric8',
  'helix-controller': 'Helix',
  'helix-lock': 'Helix',
  'kafka-consumer': 'Kafka',
  pulsar: 'Pulsar',
  'schema-registry': 'Schema Registry',
  shedlock: 'ShedLock',
  'exclusive-node': undefined,
  generic: undefined,
} as const;

/** One naming scheme with its own order and waiting rule. */
export type DialectId = keyof typeof dialectLabels;

/**
 * Between which moments a holder became holder, epoch ms of the server's clock. Equal ones are the moment itself. Without `latest` it
 * may have been at any time until the queue was read.
 */
export interface HeldSince {
  earliest: number;
  latest?: number;
}

/** One node of a queue that holds the lock or waits for it. Names, identifiers and paths are foreign text. */
export interface Contender {
  name: string;
  path: string;
  kind: 'exclusive' | 'read' | 'write' | 'lease' | 'candidate';
  role: 'holder' | 'waiter';
  /** Name of the node whose end it waits for, by its library's own rule. Absent for holders and polling waiters. */
  waitsFor?: string;
  /**
   * A waiter that may hold all the same, which names cannot show: Curator's reader behind the write lock of its own session; a
   * contender of kazoo behind one of go-zookeeper; one of a semaphore whose limit is not known; a lease of Curator's that may be the one
   * with which the head of the queue waits, as one of the two may not be read.
   */
  mayHold?: true;
  /** The number at the end of the name; absent for single-node locks. */
  sequence?: number;
  /** 0n: not ephemeral, so no session keeps it alive. */
  ownerSession: bigint;
  czxid: bigint;
  /** When it queued, epoch ms of the server's clock; when its turn came is another moment (`heldSince`). */
  createdAt: number;
  /** Of holders only, and not of those that may not be read. */
  heldSince?: HeldSince;
  /** Who, from the node's data or name; empty if neither holds an identifier. */
  identifier: string;
  /** More than who, from the node's data: the query that Hive locks for. At most 200 characters; absent where there is none. */
  details?: string;
  /** Epoch ms of its owner's clock: the end of the lease, from the node's data. The node stays after it: see `isLeaseOver`. */
  leaseEndsAt?: number;
  /**
   * The node may not be read: its name is known, and by that its place and role. Owner, czxid and time of creation are 0 and mean
   * nothing, so nothing is done to it and nothing is said of its owner or age.
   */
  isUnread?: true;
}

/** Whether the node is known to have no session that keeps it alive. */
export function isPersistent({ ownerSession, isUnread }: Pick<Contender, 'ownerSession' | 'isUnread'>): boolean {
  return ownerSession === 0n && isUnread !== true;
}

/** Why the queue may differ from what its contenders believe. `names`: the nodes concerned. */
export interface Hazard {
  kind:
    | 'duplicate-sequence'
    | 'negative-sequence'
    | 'sequence-nearly-exhausted'
    | 'strangers-block'
    | 'mixed-dialects'
    | 'sight-unknown'
    | 'one-lock-or-several'
    | 'not-ephemeral'
    | 'limit-unknown'
    | 'order-differs-from-creation'
    | 'unreadable';
  names: string[];
}

/** One lock: who holds it and who waits, in grant order (the dialect's own comparison). */
export interface LockQueue {
  /** The directory that holds the contenders, or the node itself for a single-node lock. */
  path: string;
  /** Set where one directory holds several locks that differ by name. */
  lockName?: string;
  dialect: DialectId;
  /** How many may hold at once; set for semaphores whose tree stores it. */
  maxLeases?: number;
  contenders: Contender[];
  /** Children that are no contenders: shown, never counted, never deleted. */
  strangers: string[];
  hazards: Hazard[];
}

/** Whether no contender holds by what could be read, while a node that may not be read can be the holder. */
export function isHolderUnknown({ contenders, hazards }: LockQueue): boolean {
  return hazards.some(({ kind }) => kind === 'unreadable') && contenders.every(({ role }) => role === 'waiter');
}

/** Clocks of machines differ: a lease is over only when that difference cannot be the reason. */
const clockToleranceMs = 60_000;

/** Whether the lease has ended by its own data. @param now epoch ms */
export function isLeaseOver({ leaseEndsAt }: Contender, now: number): boolean {
  return leaseEndsAt !== undefined && leaseEndsAt + clockToleranceMs < now;
}
