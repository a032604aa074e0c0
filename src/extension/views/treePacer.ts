import { monotonicNow } from '../../base/deadline.ts';
import { Pacer, type Pace } from '../../base/pacer.ts';
import { callLater } from '../../base/timer.ts';

/**
 * VS Code draws the first change of a tree at once. It holds back further ones until 200 ms pass without a change
 * (extHostTreeViews.ts, a leading debounce), so a busy lock would freeze the view. Changes sent further apart than that count
 * as a first one each. A tree that takes long to draw is drawn less often.
 */
export const treePace: Pace = { gatherMs: 20, spacingMs: 205, restPerWork: 20, longestSpacingMs: 600 };

/** Gathers the changed rows of a tree view and passes them to `draw`. */
export function treePacer<T>(draw: (changes: ReadonlySet<T>) => void): Pacer<T> {
  return new Pacer({ ...treePace, call: draw, schedule: callLater, now: monotonicNow });
}
