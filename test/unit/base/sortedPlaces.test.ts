import { expect, it } from 'vitest';
import { sortedPlaces } from '../../../src/base/sortedPlaces.ts';
import { seededRandom } from '../../support/seededRandom.ts';

/** The same with a comparison. */
function slowly(numbers: readonly number[]): number[] {
  return Array.from(numbers, (_, at) => at).sort((one, other) => numbers[one]! - numbers[other]!);
}

it('gives the places that a comparison gives, equal numbers in their order', () => {
  const random = seededRandom(9);
  for (const length of [0, 1, 2, 300, 5_000]) {
    for (const limit of [1, 40, 2 ** 32]) {
      const numbers = Array.from({ length }, () => random.below(limit));
      expect([...sortedPlaces(Float64Array.from(numbers))!]).toEqual(slowly(numbers));
    }
  }
});

it('does not mix up the greatest number and the last place', () => {
  const numbers = new Float64Array(2 ** 21).fill(2 ** 32 - 1);
  numbers[2 ** 21 - 1] = 2 ** 32 - 2;
  const places = sortedPlaces(numbers)!;
  expect([places[0], places[1], places.at(-1)]).toEqual([2 ** 21 - 1, 0, 2 ** 21 - 2]);
});

it('leaves a longer list to its caller', () => {
  expect(sortedPlaces(new Float64Array(2 ** 21 + 1))).toBeUndefined();
});
