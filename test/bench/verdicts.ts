import { ours, type Figure, type Row, type Target } from './row.ts';
import { median } from './statistics.ts';

/** Whether a target is met, and by how much. */
export interface Verdict {
  measure: string;
  /** The participant compared with, if any. */
  against?: string;
  target: string;
  found: string;
  met: boolean;
}

/** Judges the medians at the size of each target. */
export function judge(row: Row, figures: readonly Figure[]): Verdict[] {
  return row.targets.map(target => {
    const { size } = target;
    const verdict = judgeOne(target, size ?? row.main, figures);
    return size === undefined
      ? verdict
      : { ...verdict, target: `${verdict.target} at ${size.toLocaleString('en-US')}` };
  });
}

function medianOf(figures: readonly Figure[], participant: string, measure: string, size: number): number {
  const figure = figures.find(one => one.participant === participant && one.measure === measure && one.size === size);
  return median(figure?.values ?? []);
}

function judgeOne(target: Target, size: number, figures: readonly Figure[]): Verdict {
  const { measure } = target;
  const value = medianOf(figures, ours, measure, size);
  if (target.kind === 'better') {
    const times = medianOf(figures, target.than, measure, size) / value;
    const wanted = `≥ ${target.times}× ${target.than}`;
    return { measure, against: target.than, target: wanted, found: `${round(times)}×`, met: times >= target.times };
  }
  if (target.kind === 'within') {
    const times = value / medianOf(figures, target.of, measure, size);
    const wanted = `≤ ${target.times}× ${target.of}`;
    return { measure, against: target.of, target: wanted, found: `${round(times)}×`, met: times <= target.times };
  }
  if (target.kind === 'below') {
    return { measure, target: `< ${target.limit}`, found: round(value), met: value < target.limit };
  }
  if (target.kind === 'equal') {
    return { measure, target: `${target.value}`, found: round(value), met: value === target.value };
  }
  const sizes = figures.filter(one => one.participant === ours && one.measure === measure);
  const medians = sizes.map(({ values }) => median(values));
  const times = Math.max(...medians) / Math.min(...medians);
  return { measure, target: `≤ ${target.times}× at all sizes`, found: `${round(times)}×`, met: times <= target.times };
}

/** Three significant digits, and no more than two places. */
export function round(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(size >= 10 ? 1 : 2).replace(/\.0+$/, '');
}
