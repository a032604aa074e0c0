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

export const knownDifferences: readonly KnownDifference[] = [];

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
