import type { Interruptible } from './interruptible.ts';

/** Sorting so many takes a few ms. */
const partLength = 2_048;

/** A sorted copy of a long list; what is equal keeps its order. */
export function* sortedInParts<T>(all: readonly T[], compare: (one: T, other: T) => number): Interruptible<T[]> {
  let runs: T[][] = [];
  for (let start = 0; start < all.length; start += partLength) {
    if (start > 0) yield;
    runs.push(all.slice(start, start + partLength).sort(compare));
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const [one = [], other] = [runs[at], runs[at + 1]];
      merged.push(other === undefined ? one : yield* mergedRuns(one, other, compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

/** Of runs that are not empty. */
function* mergedRuns<T>(
  one: readonly T[],
  other: readonly T[],
  compare: (one: T, other: T) => number,
): Interruptible<T[]> {
  // Of what is sorted already, all runs are so.
  if (compare(one.at(-1) as T, other[0] as T) <= 0) return one.concat(other);
  const merged: T[] = [];
  let [left, right] = [0, 0];
  while (left < one.length && right < other.length) {
    const isLeftFirst = compare(one[left] as T, other[right] as T) <= 0;
    merged.push((isLeftFirst ? one[left++] : other[right++]) as T);
    if (merged.length % partLength === 0) yield;
  }
  return merged.concat(one.slice(left), other.slice(right));
}
