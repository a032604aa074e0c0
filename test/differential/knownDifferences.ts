import type { Difference } from './compare.ts';
import type { Step } from './program.ts';
import { isBefore } from '../versions/limits.ts';

/** A difference that is not going to be mended. */
export interface KnownDifference {
  /** Why, for people: a whole sentence. */
  reason: string;
  /** Only real servers before this version differ. */
  until?: string;
  /** `stop`: the servers are in different states from here on, so the rest of the program says nothing. */
  then: 'continue' | 'stop';
  fits(difference: Difference, step: Step | undefined): boolean;
}

export const knownDifferences: readonly KnownDifference[] = [
  {
    reason:
      'To a multiRead of writes the real server answers MARSHALLING_ERROR with an empty list behind it, which no client reads.',
    then: 'continue',
    fits: ({ expected, actual }) =>
      same(expected, actual, line => line.replace(/(to multiRead: error -5, zxid [^,]*), parts .*/, '$1')),
  },
  {
    reason:
      'Characters beyond the Basic Multilingual Plane, which no path may have, are echoed by the real server as two surrogates of three bytes each (CESU-8), which is no UTF-8.',
    then: 'continue',
    fits: ({ expected, actual }) =>
      same(expected, actual, line => line.replaceAll(/\ufffd{6}|\p{Surrogate}|[\u{10000}-\u{10ffff}]/gu, '?')),
  },
];

function same(expected: readonly string[], actual: readonly string[], made: (line: string) => string): boolean {
  return expected.map(made).join('\n') === actual.map(made).join('\n');
}

/** @returns the entry of the list that explains a difference */
export function knownDifference(
  version: string,
  step: Step | undefined,
  difference: Difference,
): KnownDifference | undefined {
  return knownDifferences.find(
    known => (known.until === undefined || isBefore(version, known.until)) && known.fits(difference, step),
  );
}
