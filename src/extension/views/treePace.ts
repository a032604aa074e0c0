import type { Pace } from '../../base/pacer.ts';

/**
 * VS Code takes the first change of a tree at once, but then waits until 200 ms have passed without another one, and starts again with
 * each (extHostTreeViews.ts, a leading debounce). A busy lock would freeze the view. Changes that are sent further apart than that are
 * each a first one. A tree that takes long to draw is drawn less often.
 */
export const treePace: Pace = { gatherMs: 20, spacingMs: 205, restPerWork: 20, longestSpacingMs: 600 };
