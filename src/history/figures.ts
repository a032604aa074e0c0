/** Per figure. */
const samplesKept = 1_000;

/** Spans in ms; a quantile without a sample is absent. */
export interface Quantiles {
  samples: number;
  p50?: number;
  p95?: number;
  max?: number;
}

/** Which spans are measured: how long a holder held, how long it had waited, how long the lock was free before it. */
export type Figure = 'hold' | 'wait' | 'gap';

/** Median, 95th percentile and maximum by nearest rank, so each is a span that was seen. @param samples in ms */
export function quantilesOf(samples: readonly number[]): Quantiles {
  if (samples.length === 0) return { samples: 0 };
  const sorted = Float64Array.from(samples).sort();
  const atRank = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { samples: sorted.length, p50: atRank(0.5), p95: atRank(0.95), max: atRank(1) };
}

/** The newest spans of each figure. The quantiles are computed only after a change. */
export class Figures {
  private readonly spans: Record<Figure, number[]> = { hold: [], wait: [], gap: [] };
  private computed: Record<Figure, Quantiles> | undefined;

  get quantiles(): Record<Figure, Quantiles> {
    const { hold, wait, gap } = this.spans;
    this.computed ??= { hold: quantilesOf(hold), wait: quantilesOf(wait), gap: quantilesOf(gap) };
    return this.computed;
  }

  add(figure: Figure, ms: number): void {
    const spans = this.spans[figure];
    spans.push(ms);
    if (spans.length > samplesKept) spans.shift();
    this.computed = undefined;
  }
}
