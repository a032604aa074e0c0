import type { Interruptible } from '../base/interruptible.ts';
import { sortedPlaces } from '../base/sortedPlaces.ts';

/** One way to read the end of a node name as the number that the server appended. */
export interface SequenceReading {
  /** The name without the number. */
  stem: string;
  /** Signed: the server's counter is an `int` that can pass 2147483647 (docs/dialects.md, 0.1). */
  sequence: number;
  /** The number as written in the name, sign included. Libraries that compare text compare this. */
  suffix: string;
}

const DIGITS = 10;
const INT_MAX = 2_147_483_647;
const SMALLEST_TEN_DIGITS = 1_000_000_000;

/**
 * Reads the sequence number at the end of a name, as the server's `%010d` writes it: ten digits, or a minus and nine or ten.
 *
 * A minus before ten digits may be a sign or the end of the prefix (`lock-` + `2147483647` looks like `lock` +
 * `-2147483647`), so there can be two readings; only who knows the prefix can choose. A double dash makes the sign likelier.
 *
 * @returns the readings, likelier first; empty when the name ends in no such number
 */
export function readSequence(name: string): readonly SequenceReading[] {
  const start = name.length - DIGITS;
  if (start < 0) return [];
  const magnitude = digitsFrom(name, start + 1);
  if (magnitude === undefined) return [];
  const first = name.charCodeAt(start) - 48;
  if (first === MINUS) return magnitude === 0 ? [] : [readAt(name, start, -magnitude)];
  if (first < 0 || first > 9) return [];
  return tenDigitReadings(name, start, first * SMALLEST_TEN_DIGITS + magnitude);
}

/**
 * Puts names in the order of the ten digits at their ends, equal ones in the order given: contenders that are read so are made in
 * grant order, need not be sorted any more, and lie in memory as they are gone through. It may be interrupted: 100,000 take some 28 ms.
 *
 * @returns the list given, where the server appended no number to one of them
 */
export function* inNumberOrder(names: readonly string[]): Interruptible<readonly string[]> {
  const numbers = new Float64Array(names.length);
  const areNumbered = names.every((name, at) => {
    const number = name.length < DIGITS ? undefined : digitsFrom(name, name.length - DIGITS);
    if (number === undefined || number > INT_MAX) return false;
    numbers[at] = number;
    return true;
  });
  yield;
  const places = areNumbered ? sortedPlaces(numbers) : undefined;
  yield;
  if (places === undefined) return names;
  const sorted = new Array<string>(names.length);
  places.forEach((place, at) => (sorted[at] = names[place] ?? ''));
  return sorted;
}

/** The code of `-` relative to the code of `0`. */
const MINUS = 45 - 48;

function digitsFrom(name: string, start: number): number | undefined {
  let value = 0;
  for (let at = start; at < name.length; at++) {
    const digit = name.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
  }
  return value;
}

function tenDigitReadings(name: string, start: number, value: number): SequenceReading[] {
  // Lists of a known length: one that grows takes room for many more.
  const plain = value <= INT_MAX ? [readAt(name, start, value)] : [];
  const dashBefore = name[start - 1] === '-';
  if (!dashBefore || value < SMALLEST_TEN_DIGITS || value > INT_MAX + 1) return plain;
  const signed = readAt(name, start - 1, -value);
  return name[start - 2] === '-' ? [signed, ...plain] : [...plain, signed];
}

function readAt(name: string, start: number, sequence: number): SequenceReading {
  return { stem: name.slice(0, start), sequence, suffix: name.slice(start) };
}
