/** Random choices that the same seed repeats: a failing case can be run again. */
export interface SeededRandom {
  /** In [0, 1). */
  next: () => number;
  /** An integer from 0 to `limit` - 1. */
  below(limit: number): number;
  bytes(count: number): Buffer;
  pick<T>(values: readonly T[]): T;
}

/** Mulberry32 (Tommy Ettinger, public domain): 32 bits of state, good enough to choose test cases. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    bytes: count => Buffer.from(Array.from({ length: count }, () => below(256))),
    pick: values => values[below(values.length)]!,
  };
}
