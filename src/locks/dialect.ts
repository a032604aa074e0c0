import type { ChildNode } from '../lockDirectory.ts';
import type { Contender, DialectId } from '../lockQueue.ts';
import type { SequenceReading } from '../sequence.ts';
import type { TurnContender, TurnRule } from '../turn.ts';

/** What is known of a child besides its name. */
export interface NameContext {
  directoryPath: string;
  /** Absent during discovery, where only names were read. */
  node?: ChildNode;
}

/** What a dialect reads from a name without its sequence number. */
export interface StemMatch {
  kind: Contender['kind'];
  /** Tells apart queues of one dialect in one directory that do not see each other; default ''. */
  queueKey?: string;
  /** Shown to the user where names tell several locks apart. */
  lockName?: string;
  /** The part of the name that stays the same for one client. */
  client?: string;
  /** Who, where the name says it. */
  identifier?: string;
  blocksNobody?: boolean;
}

/** A child's name, read. */
export interface NameMatch {
  dialect: Dialect;
  /** Place in the order of recognition; in a shared queue the most specific dialect speaks for all. */
  rank: number;
  match: StemMatch;
  reading: SequenceReading;
}

/** What takes a place in a queue's order, as its dialect sees it, before anybody asked whose turn it is. */
export interface Entry extends TurnContender {
  sequence: number;
  /** The number as written, for libraries that compare text. */
  suffix: string;
  czxid: bigint;
  /** Absent for a foreign child that takes a place in the order. */
  node?: ChildNode;
}

/**
 * A child that a dialect knows. It is its own entry, and one object for all of it: a queue has up to 100,000. What was shown
 * is kept with it and shown again while it is still right: seldom more than a few differ from one recognition to the next.
 */
export interface KnownChild extends Entry {
  readonly node: ChildNode;
  readonly dialect: Dialect;
  readonly rank: number;
  readonly match: StemMatch;
  /** Who, once it was asked for. */
  identifier: string | undefined;
  /** As it was shown last. */
  contender: Contender | undefined;
}

/** A child of which nothing is worked out yet but its name. */
export function newlyKnown(node: ChildNode, { dialect, rank, match, reading }: NameMatch): KnownChild {
  const child: KnownChild = {
    name: node.name,
    kind: match.kind,
    sequence: reading.sequence,
    suffix: reading.suffix,
    czxid: node.czxid,
    ownerSession: node.ephemeralOwner,
    node,
    dialect,
    rank,
    match,
    identifier: undefined,
    contender: undefined,
  };
  if (match.client !== undefined) child.client = match.client;
  if (match.blocksNobody === true) child.blocksNobody = true;
  return child;
}

/** Whether an entry is a contender, not a foreign child. */
export function isKnown(entry: Entry): entry is KnownChild {
  return entry.node !== undefined;
}

/**
 * What the library makes of children that are no contenders of its own.
 * `ignored`: nothing. `fails`: its attempts end with an error. `counted`: they take a place in its order.
 */
export type ForeignChildren =
  | { effect: 'ignored' }
  | { effect: 'fails'; unless?: RegExp }
  | { effect: 'counted'; suffixOf: (name: string, queueKey: string) => string };

/** A question about the rest of the directory that some rules need. */
export interface QueueView {
  entries: readonly Entry[];
  hasChild: (name: string) => boolean;
}

/** What tells whether two contenders have the same number on purpose. */
export type NumberSharer = Pick<Contender, 'kind' | 'ownerSession'>;

/**
 * One naming scheme with its library's own rules. Everything here is about reading names; a member that says how to *write*
 * a contender's name belongs here too, next to the parser it must agree with.
 */
export interface Dialect {
  id: DialectId;
  /** Dialects of one family see each other's nodes: theirs is one queue. Default: the id alone. */
  family?: string;
  /** @param stem the name without its sequence number */
  match: (stem: string, context: NameContext) => StemMatch | undefined;
  /**
   * The library's own comparison (docs/dialects.md, 0.2); ties are broken by czxid. Between contenders of its own whose
   * numbers are plain and differ, all libraries go by the number, so `sortEntries` does not ask.
   */
  compare: (a: Entry, b: Entry) => number;
  /** For libraries whose order is no comparison of two; given a copy, returns it sorted. */
  arrange?: (entries: Entry[]) => Entry[];
  rule: TurnRule | ((view: QueueView) => TurnRule);
  foreign: ForeignChildren;
  /** Who, from the node's data; '' falls back to the name. Default: the data as text. */
  identify?: (node: ChildNode) => string;
  /** Says that the node's data marks a holder (rule `marked`). */
  isMarked?: (node: ChildNode) => boolean;
  /** The kind where only the data says it. */
  kindOf?: (node: ChildNode) => Contender['kind'] | undefined;
  /** Only nine or ten digits after a minus count for some parsers; refuses what the library would not see. */
  acceptsSuffix?: (suffix: string) => boolean;
  /** Contenders that are not ephemeral are normal here. */
  persistentByDesign?: boolean;
  /** Two contenders that share a number on purpose: one joined out of order. */
  sharesNumber?: (a: NumberSharer, b: NumberSharer) => boolean;
}

export const ignoresForeign: ForeignChildren = { effect: 'ignored' };

export const mutexRule: TurnRule = { type: 'mutex', waiterWatches: 'predecessor' };

/** By the number with its sign. */
export function bySequence(a: Entry, b: Entry): number {
  return a.sequence - b.sequence;
}

/** By the number without its sign, as parsers see it that take the trailing digits only. */
export function byDigits(a: Entry, b: Entry): number {
  return Math.abs(a.sequence) - Math.abs(b.sequence);
}

/** As text, by code units, as Java's and Python's comparisons do for these characters. */
export function bySuffixText(a: Entry, b: Entry): number {
  // Ten digits each are in the order of their numbers, which is told far sooner.
  if (isPlainNumber(a) && isPlainNumber(b)) return a.sequence - b.sequence;
  return compareText(a.suffix, b.suffix);
}

/** A dialect's own suffix of ten digits: the server writes a negative number with nine or more behind the minus. */
export function isPlainNumber({ node, sequence }: Entry): boolean {
  return node !== undefined && sequence >= 0;
}

/** By the whole name as text. */
export function byName(a: Entry, b: Entry): number {
  return compareText(a.name, b.name);
}

/** Compares by code units; locale-free. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** By creation, then by name. */
export function byCreation(a: Entry, b: Entry): number {
  if (a.czxid === b.czxid) return byName(a, b);
  return a.czxid < b.czxid ? -1 : 1;
}
