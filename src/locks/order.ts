import { sortedPlaces } from '../base/sortedPlaces.ts';
import type { ChildNode } from './lockDirectory.ts';
import type { Contender } from './lockQueue.ts';

/** What takes a place in the order of a queue: a contender, or a foreign child that the library counts. */
export interface Entry {
  name: string;
  /** A foreign child counts as `read`: it blocks writers only. */
  kind: Contender['kind'];
  sequence: number;
  /** The number as written, for libraries that compare text. */
  suffix: string;
  czxid: bigint;
  /** 0n: not ephemeral, or not known. */
  ownerSession: bigint;
  /** The part of the name that stays the same for one client. */
  client?: string;
  /** The node's data says that it holds (rule `marked`). */
  marked?: boolean;
  /** Its library's attempt has failed: it never holds, and its node stays in the way. */
  hasFailed?: boolean;
  /** Waits like its kind, but no other entry waits for it (Hive's SEMI_SHARED). */
  isNeverWaitedFor?: boolean;
  /** Absent for a foreign child. */
  node?: ChildNode;
}

export type Comparison = (a: Entry, b: Entry) => number;

/** By the number with its sign. */
export function bySequence(a: Entry, b: Entry): number {
  return a.sequence - b.sequence;
}

/** By the number without its sign, as parsers do that read the trailing digits only. */
export function byDigits(a: Entry, b: Entry): number {
  return Math.abs(a.sequence) - Math.abs(b.sequence);
}

/** As text, by code units, as Java's and Python's comparisons do for these characters. */
export function bySuffixText(a: Entry, b: Entry): number {
  // Texts of ten digits are in the order of their numbers, which compare faster.
  if (isPlainNumber(a) && isPlainNumber(b)) return a.sequence - b.sequence;
  return compareText(a.suffix, b.suffix);
}

/** By the whole name as text. */
export function byName(a: Entry, b: Entry): number {
  return compareText(a.name, b.name);
}

/** By the number with its sign, then by the whole name. */
export function bySequenceThenName(a: Entry, b: Entry): number {
  return bySequence(a, b) || byName(a, b);
}

/** By creation, then by name. */
export function byCreation(a: Pick<Entry, 'name' | 'czxid'>, b: Pick<Entry, 'name' | 'czxid'>): number {
  if (a.czxid === b.czxid) return compareText(a.name, b.name);
  return a.czxid < b.czxid ? -1 : 1;
}

/** Compares by code units; independent of the locale. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** What decides between entries that compare as equal: their creation and then their names, or the server's list, whose order stays. */
export type Ties = 'creation' | 'listing';

/**
 * Sorts by the comparison given.
 *
 * @returns the list given, where it is sorted already, or a new one
 */
export function sortEntries<E extends Entry>(
  entries: readonly E[],
  compare: Comparison = bySequence,
  ties: Ties = 'creation',
): readonly E[] {
  const sorted = sortByNumber(entries);
  if (sorted !== undefined) return sorted;
  return entries.toSorted(ties === 'listing' ? compare : (a, b) => compare(a, b) || byCreation(a, b));
}

/** A contender's suffix of ten digits: the server writes a negative number with nine or more behind the minus. */
function isPlainNumber({ node, sequence }: Entry): boolean {
  return node !== undefined && sequence >= 0;
}

/**
 * Where all numbers are plain and differ, every dialect sorts by them, so no comparison is called.
 *
 * @returns the list given, where it is sorted already, or a new one; undefined when the comparison is needed
 */
function sortByNumber<E extends Entry>(entries: readonly E[]): readonly E[] | undefined {
  if (!entries.every(isPlainNumber)) return undefined;
  if (entries.every(({ sequence }, at) => at === 0 || sequence > (entries[at - 1]?.sequence ?? 0))) return entries;
  const numbers = new Float64Array(entries.length);
  entries.forEach(({ sequence }, at) => (numbers[at] = sequence));
  const sorted: E[] = [];
  let former = -1;
  const differ = sortedPlaces(numbers)?.every(place => {
    const entry = entries[place];
    if (entry === undefined || entry.sequence === former) return false;
    former = entry.sequence;
    sorted.push(entry);
    return true;
  });
  return differ === true ? sorted : undefined;
}
