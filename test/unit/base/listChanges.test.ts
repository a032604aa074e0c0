import { describe, expect, it } from 'vitest';
import { additionsTo } from '../../../src/base/listChanges.ts';
import { seededRandom } from '../../support/seededRandom.ts';

const objects = (count: number): object[] => Array.from({ length: count }, (_, at) => ({ at }));

describe('additionsTo', () => {
  it('finds what came at both ends and between', () => {
    const before = objects(1_000);
    const [first, middle, last] = [{}, {}, {}];
    const after = [first, ...before.slice(300, 500), middle, ...before.slice(502), last];
    expect(additionsTo(before, after)).toEqual([first, middle, last]);
    expect(additionsTo(before, before)).toEqual([]);
    expect(additionsTo([], before)).toEqual(before);
    expect(additionsTo(before, [])).toEqual([]);
  });

  it('misses nothing, whatever came, went and moved', () => {
    const random = seededRandom(3);
    let list = objects(50);
    for (let round = 0; round < 300; round++) {
      const after = list.filter(() => random.below(5) > 0);
      for (let count = random.below(6); count > 0; count--) after.splice(random.below(after.length + 1), 0, {});
      const found = new Set(additionsTo(list, after));
      const known = new Set(list);
      expect(found).toEqual(new Set(after.filter(each => !known.has(each))));
      if (after.length > 1 && random.below(3) === 0) after.reverse();
      list = after;
    }
  });
});
