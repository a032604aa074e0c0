import type { ChildNode } from './lockDirectory.ts';
import type { Contender, DialectId } from './lockQueue.ts';
import type { Comparison, Entry, Ties } from './order.ts';
import type { SequenceReading } from './sequence.ts';
import type { TurnRule } from './turn.ts';

/** What is known of a child besides its name. */
export interface NameContext {
  directoryPath: string;
  /** Absent where only names were read. */
  node?: ChildNode;
}

/** What a dialect reads from a name without its sequence number. */
export interface StemMatch {
  kind: Contender['kind'];
  /** Separates queues of one dialect in one directory that do not see each other; default ''. */
  queueKey?: string;
  /** Shown to the user where one directory holds several locks. */
  lockName?: string;
  /** The part of the name that stays the same for one client. */
  client?: string;
  /** Who, where the name holds it. */
  identifier?: string;
  isNeverWaitedFor?: boolean;
}

/** A contender's name, read. */
export interface NameMatch {
  dialect: Dialect;
  /** Place in the order of recognition; in a shared queue the most specific dialect decides. */
  rank: number;
  match: StemMatch;
  reading: SequenceReading;
}

/** A child that is a contender by its name: an entry whose turn is not known yet. One object for all of it, for speed. */
export interface Member extends Entry {
  readonly node: ChildNode;
  readonly dialect: Dialect;
  readonly rank: number;
  readonly match: StemMatch;
  /** Who; filled in on first use. */
  identifier: string | undefined;
  /** As it was last shown: shown again while it is still right. */
  contender: Contender | undefined;
}

/** Whether an entry is a contender, not a foreign child. */
export function isMember(entry: Entry): entry is Member {
  return entry.node !== undefined;
}

/**
 * How the library treats children that are no contenders of its own, if it sees them.
 * `fails`: its attempts end with an error. `counted`: they take a place in its order. `counted-or-fails`: a child without a suffix
 * ends its attempts with an error, which leave their nodes behind; others take a place.
 */
export type ForeignChildren =
  | { effect: 'fails'; unless?: RegExp }
  | { effect: 'counted'; suffixOf: (name: string, queueKey: string) => string }
  | { effect: 'counted-or-fails'; suffixOf: (name: string) => string | undefined };

/** The rest of the directory, which some rules need. */
export interface QueueView {
  entries: readonly Entry[];
  hasChild: (name: string) => boolean;
}

/** The facts that decide whether two contenders share a number on purpose. */
export type NumberSharer = Pick<Contender, 'kind' | 'ownerSession'>;

/** One naming scheme with its library's own rules: how to read names, how to sort them, who waits for whom. */
export interface Dialect {
  id: DialectId;
  /** Dialects of one family see each other's nodes and share one queue. Default: the id alone. */
  family?: string;
  /** @param stem the name without its sequence number */
  match: (stem: string, context: NameContext) => StemMatch | undefined;
  /**
   * The library's own comparison (docs/dialects.md, 0.2); ties are broken by czxid. Between contenders of its own whose
   * numbers are plain and differ, all libraries go by the number, so `sortEntries` does not call it. Default: by the number with
   * its sign.
   */
  compare?: Comparison;
  /** Default: creation. */
  ties?: Ties;
  /** For libraries whose order is no comparison of two; given a copy, returns it sorted. */
  arrange?: (entries: Entry[]) => Entry[];
  /** Default: a mutex; each waiter watches its predecessor. */
  rule?: TurnRule | ((view: QueueView) => TurnRule);
  /** Default: the library does not see them. */
  foreign?: ForeignChildren;
  /** Who, from the node's data; '' falls back to the name. Default: the data as text. */
  identify?: (node: ChildNode) => string;
  /** More than who, from the node's data: shown in the details of a contender. */
  detailsOf?: (node: ChildNode) => string;
  /** Whether the node's data marks a holder (rule `marked`). */
  isMarked?: (node: ChildNode) => boolean;
  /** The kind where only the data holds it. */
  kindOf?: (node: ChildNode) => Contender['kind'] | undefined;
  /** Refuses a number that the library's own parser does not see: some read nine or ten digits after a minus only. */
  acceptsSuffix?: (suffix: string) => boolean;
  /** Whether clients that are alive make contenders that are not ephemeral: always, or when the program asks for it. */
  makesPersistent?: 'by-design' | 'on-request';
  /** Hand-written recipes have such names, too: their nodes need no session, and their clients may poll or watch the directory. */
  isHandWritten?: boolean;
  /** Whether two contenders share a number on purpose: one joined out of order. */
  sharesNumber?: (a: NumberSharer, b: NumberSharer) => boolean;
  /** Whether a contender may have joined in front of older ones on purpose. */
  joinsOutOfOrder?: (contender: Pick<Contender, 'kind'>) => boolean;
  /** Exclusive and write locks have the same names: beside readers an exclusive contender is a writer. */
  writesAsExclusive?: boolean;
  /** Several locks share one directory on purpose, distinguished by their names. */
  sharesDirectory?: boolean;
  /** The tree stores no limit: how many may hold is a guess. */
  isLimitUnknown?: boolean;
  /** Names alone prove no lock: other things have such names, so the nodes must be read. */
  isGuess?: boolean;
}

export const mutexRule = { type: 'mutex', waiterWatches: 'predecessor' } satisfies TurnRule;

/** The rule of most read/write locks; Curator's readers watch the first writer. */
export const readWriteRule = { type: 'read-write', readerWatches: 'nearest-writer' } satisfies TurnRule;

/** What a recipe asks for. `exclusive` is the single ephemeral node; it has no queue and so no names. */
export type QueueRecipe = 'mutex' | 'read' | 'write' | 'semaphore';

/** What the names are made of. */
export interface NameParts {
  /** A UUID with dashes, new for every create. */
  attemptId: string;
  sessionId: bigint;
  /** Only for dialects that keep several locks in one directory. */
  lockName?: string | undefined;
  /** Only for `<hostname>-R-`. */
  hostName?: string | undefined;
}

/** How a recipe names its nodes. */
export interface ContenderNaming {
  /** The name without the number that the server appends. */
  prefix: (parts: NameParts) => string;
  /** Whether the name holds the attempt's id; if not, the node's data must. */
  hasIdInName: boolean;
}

/**
 * How a library's semaphore grants its leases. `lease-node`: each holder has a node in the directory `leases`; the head of the
 * mutex queue in `queue` makes it, `first` and then checks the limit, or only `when-free`. `in-queue`: the first contenders of one
 * queue hold; with `marksHolders` each also marks its own node.
 */
export type SemaphoreLayout = LeaseNodeLayout | { type: 'in-queue'; marksHolders: boolean };

export interface LeaseNodeLayout {
  type: 'lease-node';
  made: 'first' | 'when-free';
  /** The directory of the queue. @param path the path that clients use */
  queue: (path: string) => string;
  /** The directory of the leases. @param path the path that clients use */
  leases: (path: string) => string;
  /** A lease's name; without the number where `made` is `first`. @param id a UUID with dashes, new for every create */
  leaseName: (id: string) => string;
}

/** What other layers need to know of a dialect besides its queues; absent means no. */
export interface DialectTraits {
  /** The names that its recipes write, for each recipe that the library has. */
  writes?: Partial<Record<QueueRecipe, ContenderNaming>>;
  /** Set for a dialect of semaphores: the dialect whose names its nodes have. */
  semaphoreOf?: DialectId;
  /** Set for dialects that write semaphores. */
  semaphore?: SemaphoreLayout;
  /** Its clients fail when their empty directory vanishes, so it must not be a container. */
  needsDirectory?: boolean;
  /** Some version makes a reader wait for a writer behind it, which waits for the reader. */
  hasMutualWaits?: boolean;
  /** The lock is one node, though not the directory itself. */
  isOneNode?: boolean;
  /** The node stays when the lock is free, to be used again: a lease in its data that is over is no remainder. */
  reusesNode?: boolean;
  /** Data that changes after the end of a holder decides who holds next, so names cannot foretell it. */
  isElectedByData?: boolean;
  /** The lock takes more than one directory. */
  spansDirectories?: boolean;
  /** Its readers wait for all before them that are no readers, all others for everyone: names need not be asked. */
  waitsByKind?: boolean;
}

/** What one library adds to the traits of all. */
export type TraitsTable = Partial<Record<DialectId, DialectTraits>>;

/** For dialects whose names are a fixed text and a number. */
export function matchStems(stems: Record<string, StemMatch>): Dialect['match'] {
  const matches = new Map(Object.entries(stems));
  return stem => matches.get(stem);
}

/** A naming without parts. */
export function fixedNaming(text: string): ContenderNaming {
  return { prefix: () => text, hasIdInName: false };
}
