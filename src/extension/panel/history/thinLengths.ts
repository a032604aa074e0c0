import type { History } from '../../../protocol.ts';

type LengthPoint = History['lengths'][number];

/**
 * At most `limit` points of a curve, so that it still looks the same: the first and the last stay, and of each of the equal
 * parts between them the lowest and the highest, in their order in time. Peaks and dips never get lost.
 *
 * @param limit at least 4
 */
export function thinLengths(points: readonly LengthPoint[], limit: number): LengthPoint[] {
  if (points.length <= limit) return [...points];
  const inner = points.slice(1, -1);
  const parts = Math.floor((limit - 2) / 2);
  const thinned: LengthPoint[] = points.slice(0, 1);
  for (let part = 0; part < parts; part++) {
    const from = Math.floor((part * inner.length) / parts);
    const to = Math.floor(((part + 1) * inner.length) / parts);
    thinned.push(...extremes(inner.slice(from, to)));
  }
  return [...thinned, ...points.slice(-1)];
}

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
