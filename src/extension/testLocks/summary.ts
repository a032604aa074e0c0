import { isProduction, isWaiting, mayHold, type TestLock } from './testLock.ts';

/** From good to bad. */
const order = ['waiting', 'held', 'uncertain', 'lost'] as const;

export type WorstState = (typeof order)[number];

/** All test locks of the window in a few words. */
export interface Summary {
  held: number;
  waiting: number;
  lost: number;
  /** `undefined` when there is nothing to tell. */
  worst: WorstState | undefined;
  holdsOnProduction: boolean;
}

function rankOf(lock: TestLock): WorstState | undefined {
  switch (lock.state.kind) {
    case 'connecting':
      return 'waiting';
    case 'waiting':
      return lock.state.uncertain ? 'uncertain' : 'waiting';
    case 'lost':
      return 'lost';
    case 'uncertain':
    case 'stuck':
      return 'uncertain';
    case 'auto-released':
      return undefined;
    default:
      return 'held';
  }
}

export function summaryOf(locks: readonly TestLock[]): Summary {
  const ranks = new Set(locks.map(rankOf));
  return {
    held: locks.filter(mayHold).length,
    waiting: locks.filter(isWaiting).length,
    lost: locks.filter(lock => lock.state.kind === 'lost').length,
    worst: order.findLast(rank => ranks.has(rank)),
    holdsOnProduction: locks.some(lock => mayHold(lock) && isProduction(lock)),
  };
}
