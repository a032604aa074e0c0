import type { History } from '../../../protocol.ts';
import { thinLengths } from './thinLengths.ts';

const keptPoints = 2_000;
const sentPoints = 200;

/** The length of the queue over time: a point for each change, older ones thinned as it grows. */
export class LengthCurve {
  private points: History['lengths'] = [];
  private highest = 0;

  get longest(): number {
    return this.highest;
  }

  /** At most 200 points, oldest first. */
  get thinned(): History['lengths'] {
    return thinLengths(this.points, sentPoints);
  }

  note(contenders: number, at: number): void {
    this.highest = Math.max(this.highest, contenders);
    if (this.points.at(-1)?.contenders === contenders) return;
    this.points.push({ at, contenders });
    if (this.points.length > keptPoints) this.points = thinLengths(this.points, keptPoints / 2);
  }

  clear(): void {
    this.points = [];
    this.highest = 0;
  }
}
