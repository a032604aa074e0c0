import type { HistoryFigures } from '../../../protocol.ts';
import { quantilesOf } from './quantiles.ts';

export type Figure = 'hold' | 'wait' | 'gap';

/** The newest spans of each kind; figures are worked out only when something was added. */
export class HistorySamples {
  private readonly limit: number;
  private readonly spans: Record<Figure, number[]> = { hold: [], wait: [], gap: [] };
  private worked: Pick<HistoryFigures, Figure> | undefined;

  constructor(limit: number) {
    this.limit = limit;
  }

  get figures(): Pick<HistoryFigures, Figure> {
    const { hold, wait, gap } = this.spans;
    this.worked ??= { hold: quantilesOf(hold), wait: quantilesOf(wait), gap: quantilesOf(gap) };
    return this.worked;
  }

  add(figure: Figure, ms: number): void {
    const spans = this.spans[figure];
    spans.push(ms);
    if (spans.length > this.limit) spans.shift();
    this.worked = undefined;
  }

  clear(): void {
    for (const spans of Object.values(this.spans)) spans.length = 0;
    this.worked = undefined;
  }
}
