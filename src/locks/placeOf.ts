import type { Contender } from './lockQueue.ts';

/** The place of a contender in its queue; 1 is the head. @param at its index in the list */
export function placeOf({ position }: Pick<Contender, 'position'>, at: number): number {
  return position ?? at + 1;
}
