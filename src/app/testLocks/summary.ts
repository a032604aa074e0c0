import { isProduction, mayHold, type TestLock } from './testLock.ts';

/** From good to bad. */
const order = ['waiting', 'held', 'uncertain', 'lost'] as const;

export type WorstState = (typeof order)[number];

/** All test locks of the window in a few words; each lock counts once. */
export interface Summary {
  held: number;
  waiting: number;
  /** Held or waiting without confirmed contact, or not to be released. */
  uncertain: number;
  lost: number;
  /** `undefined` when there is nothing to tell. */
  worst: WorstState | undefined;
  holdsOnProduction: boolean;
}

function rankOf({ state }: TestLock): WorstState | undefined {
  switch (state.kind) {
    case 'connecting':
      return 'waiting';
    case 'waiting':
      return state.uncertain ? 'uncertain' : 'waiting';
    case 'held':
    case 'releasing':
      return 'held';
    case 'uncertain':
    case 'stuck':
      return 'uncertain';
    case 'lost':
      return 'lost';
    case 'auto-released':
      return undefined;
  }
}

export function summaryOf(locks: readonly TestLock[]): Summary {
  const ranks = locks.map(rankOf);
  const count = (wanted: WorstState): number => ranks.filter(rank => rank === wanted).length;
  return {
    held: count('held'),
    waiting: count('waiting'),
    uncertain: count('uncertain'),
    lost: count('lost'),
    worst: order.findLast(rank => ranks.includes(rank)),
    holdsOnProduction: locks.some(lock => mayHold(lock) && isProduction(lock)),
  };
}
