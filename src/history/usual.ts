import { quantilesOf, type Quantiles } from './figures.ts';
import type { Hold, Moment, Wait } from './hold.ts';
import { waitBegins } from './whatHappened.ts';

/** How long a lock is held and waited for as a rule, ms: of holds and waits that were seen from begin to end. */
export interface Usual {
  hold: Quantiles;
  wait: Quantiles;
}

/** So many must have ended before one that lasts can be called unusual. */
const leastSamples = 20;
/** What is over in this time is noticed by no person, ms. */
const leastMs = 5_000;
/** Times the 95th percentile. */
const farTimes = 3;

/**
 * What is usual for a lock. Goes through all that is given.
 *
 * @param holds of one lock, by their begins
 * @param before only what had ended by then; default: all
 */
export function usualOf(holds: readonly Hold[], waits: readonly Wait[], before?: Moment): Usual {
  const isOver = ({ zxid }: Moment): boolean => before === undefined || zxid <= before.zxid;
  const begins = waitBegins(holds);
  const waited = holds.flatMap(hold => {
    const begin = begins.get(hold);
    // One that queued and held in one transaction did not wait.
    const hasWaited = begin !== undefined && begin.zxid !== hold.from.zxid && isOver(hold.from);
    return hasWaited ? [msFrom(begin, hold.from)] : [];
  });
  const held = holds.flatMap(hold => wholeSpan(hold, hold.from, isOver));
  const inVain = waits.flatMap(wait => wholeSpan(wait, wait.from ?? wait.queued, isOver));
  return { hold: quantilesOf(held), wait: quantilesOf([...waited, ...inVain]) };
}

/** How long it lasted, if both its begin and its end were seen. */
function wholeSpan(stay: Hold | Wait, from: Moment, isOver: (moment: Moment) => boolean): number[] {
  const { to, isFromBefore, isEndUnseen } = stay;
  if (to === undefined || isFromBefore === true || isEndUnseen === true || !isOver(to)) return [];
  return [msFrom(from, to)];
}

/** Whether something has lasted far longer than it ever did: longer than all that were seen, and not by a little. @param ms of it */
export function isFarOutside(ms: number, { samples, p95 = Infinity, max = Infinity }: Quantiles): boolean {
  return samples >= leastSamples && ms > leastMs && ms > max && ms > farTimes * p95;
}

/** Whether it is worth asking what is usual. @param ms that something has lasted */
export function mayBeFarOutside(ms: number): boolean {
  return ms > leastMs;
}

/** The clock of another leader may be behind. */
function msFrom(from: Moment, to: Moment): number {
  return Math.max(0, to.time - from.time);
}
