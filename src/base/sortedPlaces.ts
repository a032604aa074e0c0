/** More than any list has, and small enough for a number and its place to fit one double exactly. */
const mostPlaces = 2 ** 21;

/**
 * Sorts whole numbers, from 0 to 2^32 - 1. Number and place go into one double each, which the engine sorts natively in a tenth of the
 * time that calls of a comparison take.
 *
 * @returns the places of the numbers from the least to the greatest, equal ones in the order given; undefined for more than 2^21
 */
export function sortedPlaces(numbers: Float64Array): Uint32Array | undefined {
  if (numbers.length > mostPlaces) return undefined;
  const keys = new Float64Array(numbers.length);
  numbers.forEach((number, at) => (keys[at] = number * mostPlaces + at));
  const places = new Uint32Array(numbers.length);
  keys.sort().forEach((key, at) => (places[at] = key - Math.floor(key / mostPlaces) * mostPlaces));
  return places;
}
