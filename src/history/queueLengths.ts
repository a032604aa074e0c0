const keptPoints = 2_000;
const shownPoints = 200;

/** From `at` on the queue had that many contenders. */
export interface LengthPoint {
  at: number;
  contenders: number;
}

/** The length of the queue over time: one point per change. Older points are thinned as the curve grows. */
export class QueueLengths {
  /** The greatest length so far. */
  longest = 0;
  private points: LengthPoint[] = [];

  /** At most 200 points, oldest first. */
  get thinned(): LengthPoint[] {
    return thinLengths(this.points, shownPoints);
  }

  note(contenders: number, at: number): void {
    this.longest = Math.max(this.longest, contenders);
    if (this.points.at(-1)?.contenders === contenders) return;
    this.points.push({ at, contenders });
    if (this.points.length > keptPoints) this.points = thinLengths(this.points, keptPoints / 2);
  }
}

/**
 * Reduces a curve to at most `limit` points and keeps its shape: the first and the last point stay; the points between are
 * divided into equal parts, and each part keeps its lowest and its highest point. No peak and no dip is lost.
 *
 * @param limit at least 4
 */
export function thinLengths(points: readonly LengthPoint[], limit: number): LengthPoint[] {
  if (points.length <= limit) return [...points];
  const inner = points.slice(1, -1);
  const parts = Math.floor((limit - 2) / 2);
  const thinned = points.slice(0, 1);
  for (let part = 0; part < parts; part++) {
    const from = Math.floor((part * inner.length) / parts);
    const to = Math.floor(((part + 1) * inner.length) / parts);
    thinned.push(...extremes(inner.slice(from, to)));
  }
  return [...thinned, ...points.slice(-1)];
}

/** The lowest and the highest point, in their order in time; one point if they are the same. */
function extremes(points: readonly LengthPoint[]): LengthPoint[] {
  let [lowest] = points;
  let highest = lowest;
  if (lowest === undefined || highest === undefined) return [];
  for (const point of points) {
    if (point.contenders < lowest.contenders) lowest = point;
    if (point.contenders > highest.contenders) highest = point;
  }
  if (lowest === highest) return [lowest];
  return points.indexOf(lowest) < points.indexOf(highest) ? [lowest, highest] : [highest, lowest];
}
