import { toDisposable, type Disposable } from '../../base/disposable.ts';
import type { ClusterNode, LockNode } from './clusterModel.ts';
import type { RecordedPast } from './clusterRecorder.ts';
import { narrowAgain } from './pastSightings.ts';

/** How often the figures of a recorder are drawn, ms. */
const figuresEveryMs = 60_000;

/**
 * Draws the rows of a live cluster again when its recorder knows more.
 *
 * @param parts `now`: monotonic ms; `fire`: a row has changed
 */
export function followRecorder(
  node: ClusterNode,
  parts: { now(): number; fire(row: ClusterNode | LockNode): void },
): Disposable {
  const { recorder } = node;
  if (recorder === undefined) return toDisposable(() => undefined);
  let known: RecordedPast | undefined;
  let drawn = '';
  return recorder.onChange(() => {
    const { past, state } = recorder;
    // What it has seen counts for what was read before it began, too.
    if (past !== undefined && past !== known) {
      for (const lock of narrowAgain(node.locks.values(), node.sightings)) parts.fire(lock);
    }
    known = past;
    // Figures that grow all the time are drawn now and then: to draw the row closes menus and tooltips below it.
    const figures = state.kind === 'recording' ? [state.locks, Math.floor(parts.now() / figuresEveryMs)] : [];
    const row = [state.kind, ...figures].join(' ');
    if (row === drawn) return;
    drawn = row;
    parts.fire(node);
  });
}
