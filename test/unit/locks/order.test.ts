import { describe, expect, it } from 'vitest';
import {
  byCreation,
  byDigits,
  byName,
  bySequence,
  bySuffixText,
  sortEntries,
  type Comparison,
  type Entry,
} from '../../../src/locks/order.ts';
import { seededRandom, type SeededRandom } from '../../support/seededRandom.ts';
import { child, entry as entryOf } from './directory.ts';

const comparisons: readonly [string, Comparison][] = [
  ['signed numbers', bySequence],
  ['digits', byDigits],
  ['text', bySuffixText],
];

function entry(sequence: number, at: number, random: SeededRandom, isForeign = false): Entry {
  const suffix = sequence < 0 ? `-${String(-sequence).padStart(9, '0')}` : String(sequence).padStart(10, '0');
  const node = child('/l', { name: `x-${suffix}`, czxid: BigInt(random.below(50)) }, at);
  const own = entryOf({ name: node.name, kind: 'exclusive', sequence, suffix, czxid: node.czxid });
  return isForeign ? own : { ...own, node };
}

/** The order without any short cut. */
function slowly(entries: readonly Entry[], compare: Comparison): Entry[] {
  return [...entries].sort((a, b) => compare(a, b) || byCreation(a, b));
}

describe.each(comparisons)('sortEntries by %s gives the order of the comparison', (_, compare) => {
  const random = seededRandom(5);
  const numbers = (count: number, most: number): Entry[] =>
    Array.from({ length: count }, (_value, at) => entry(random.below(most), at, random));

  it.each([
    ['none', []],
    ['plain numbers', numbers(200, 2_147_483_648)],
    ['numbers that are there twice', numbers(200, 60)],
    ['negative numbers among them', [...numbers(50, 1000), entry(-7, 51, random), entry(-2_147_483_648, 52, random)]],
    ['foreign children among them', [...numbers(50, 1000), entry(500, 51, random, true)]],
  ])('%s', (_case, entries) => {
    const expected = slowly(entries, compare);
    expect(sortEntries([...entries], compare)).toEqual(expected);
  });
});

it('the largest number and the last place do not run into each other', () => {
  const random = seededRandom(6);
  const entries = [2_147_483_647, 2_147_483_646, 0, 1].map((sequence, at) => entry(sequence, at, random));
  expect(sortEntries(entries, byName).map(({ sequence }) => sequence)).toEqual([0, 1, 2_147_483_646, 2_147_483_647]);
});
