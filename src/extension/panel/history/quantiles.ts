import type { Quantiles } from '../../../protocol.ts';

/** The smallest sample that at least `share` of all samples do not exceed (nearest rank). @param sorted ascending, not empty */
function nearestRank(sorted: Float64Array, share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

/** Median, 95th percentile and maximum by nearest rank: always a span that was really seen. @param samples in ms */
export function quantilesOf(samples: readonly number[]): Quantiles {
  if (samples.length === 0) return { samples: 0 };
  const sorted = Float64Array.from(samples).sort();
  return {
    samples: sorted.length,
    p50: nearestRank(sorted, 0.5),
    p95: nearestRank(sorted, 0.95),
    max: nearestRank(sorted, 1),
  };
}
