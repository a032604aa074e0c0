import type { History } from '../../../protocol.ts';

/** A history with all its moments moved. @param ms may be negative */
export function movedBy(ms: number, history: History): History {
  return {
    ...history,
    openedAt: history.openedAt + ms,
    holds: history.holds.map(hold => ({ ...hold, from: hold.from + ms, ...endedAt(hold, ms) })),
    lengths: history.lengths.map(({ at, contenders }) => ({ at: at + ms, contenders })),
    unwatched: history.unwatched.map(span => ({ from: span.from + ms, ...endedAt(span, ms) })),
  };
}

function endedAt({ until }: { until?: number }, ms: number): { until?: number } {
  return until === undefined ? {} : { until: until + ms };
}
