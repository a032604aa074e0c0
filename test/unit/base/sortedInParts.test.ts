import { describe, expect, it } from 'vitest';
import { atOnce } from '../../../src/base/interruptible.ts';
import { sortedInParts } from '../../../src/base/sortedInParts.ts';
import { seededRandom } from '../../support/seededRandom.ts';

interface Item {
  key: number;
  place: number;
}

const byKey = (one: Item, other: Item): number => one.key - other.key;
const sorted = (items: readonly Item[]): Item[] => atOnce(sortedInParts(items, byKey));
const items = (keys: readonly number[]): Item[] => keys.map((key, place) => ({ key, place }));

describe('sortedInParts', () => {
  it('sorts as Array.sort does, what is equal in its order', () => {
    const random = seededRandom(7);
    for (const length of [0, 1, 2_047, 2_048, 2_049, 4_096, 9_000, 20_001]) {
      for (const keys of [3, 1_000, 1_000_000]) {
        const list = items(Array.from({ length }, () => random.below(keys)));
        expect(sorted(list)).toEqual([...list].sort(byKey));
      }
    }
  });

  it('sorts what is sorted already, or the other way round, or nearly so', () => {
    const up = Array.from({ length: 12_345 }, (_, at) => Math.floor(at / 3));
    const nearly = up.map((key, at) => (at % 2_048 === 0 ? key + 5_000 : key));
    for (const keys of [up, up.toReversed(), nearly]) {
      const list = items(keys);
      expect(sorted(list)).toEqual([...list].sort(byKey));
    }
  });

  it('leaves the list as it is, and gives a copy', () => {
    const list = items([2, 1]);
    expect(sorted(list)).not.toBe(list);
    expect(list.map(({ key }) => key)).toEqual([2, 1]);
    const one = items([1]);
    expect(sorted(one)).not.toBe(one);
  });
});
