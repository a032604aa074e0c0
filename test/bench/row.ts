import type { JsonLines } from '../support/jsonLines.ts';
import type { Bench } from './bench.ts';

/** What a figure counts; of all of them less is better. */
export type Unit = 's' | 'ms' | 'µs' | 'bytes' | 'KB' | 'MB' | '%' | 'count';

/** One participant's results for one measure at one size. */
export interface Figure {
  participant: string;
  measure: string;
  unit: Unit;
  size: number;
  /** One per repetition. */
  values: number[];
}

/** What the issue asks of a size, the row's main one unless it names another; `than` and `of` are participants. */
export type Target = { measure: string; size?: number } & (
  | { kind: 'better'; than: string; times: number }
  | { kind: 'within'; of: string; times: number }
  | { kind: 'below'; limit: number }
  | { kind: 'equal'; value: number }
  /** The largest of all sizes is at most so many times the smallest. */
  | { kind: 'flat'; times: number }
);

/** One work of the table. */
export interface Row {
  /** For `--only`. */
  id: string;
  title: string;
  /** What the sizes count. */
  sizeOf: string;
  /** A tenth, the main size, ten times as much where that is possible. */
  sizes: readonly number[];
  main: number;
  /** The only size under `--quick`. */
  quick: number;
  targets: readonly Target[];
  measure(bench: Bench): Promise<Figure[]>;
}

export const ours = 'this project';

/** The programs that take locks, by name. */
export function lockers({ programs }: Bench): readonly (readonly [name: string, program: JsonLines])[] {
  return [
    [ours, programs.ours],
    ['Curator', programs.curator],
    ['kazoo', programs.kazoo],
  ];
}
