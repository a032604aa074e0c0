import { ours, type Figure, type Row, type Target, type Unit } from './row.ts';
import { median } from './statistics.ts';

/** Whether a target is met, and by how much. */
export interface Verdict {
  measure: string;
  /** The participant compared with, if any. */
  against?: string;
  target: string;
  found: string;
  met: boolean;
  /** So near to its limit that another run of the same code may find it on the other side. Never of what is counted. */
  isNear: boolean;
}

/** What was found beside the limit. */
interface Found extends Omit<Verdict, 'measure' | 'isNear'> {
  value: number;
  limit: number;
}

/** Times of two runs of the same code often differ by so much, at times by more: compilers and machine are in other states. */
const spreadOfRuns = 1.15;

/** Judges the medians at the size of each target. */
export function judge(row: Row, figures: readonly Figure[]): Verdict[] {
  return row.targets.map(target => {
    const { measure, size } = target;
    const { value, limit, ...found } = compare(target, size ?? row.main, figures);
    const isTime = figures.some(figure => figure.measure === measure && timeUnits.has(figure.unit));
    const isNear = isTime && Math.max(value / limit, limit / value) < spreadOfRuns;
    const at = size === undefined ? '' : ` at ${size.toLocaleString('en-US')}`;
    return { measure, ...found, target: `${found.target}${at}`, isNear };
  });
}

const timeUnits: ReadonlySet<Unit> = new Set(['s', 'ms', 'µs', '%']);

function medianOf(figures: readonly Figure[], participant: string, measure: string, size: number): number {
  const figure = figures.find(one => one.participant === participant && one.measure === measure && one.size === size);
  return median(figure?.values ?? []);
}

function compare(target: Target, size: number, figures: readonly Figure[]): Found {
  const { measure } = target;
  const own = medianOf(figures, ours, measure, size);
  if (target.kind === 'better') {
    const { than, times: limit } = target;
    const value = medianOf(figures, than, measure, size) / own;
    return {
      against: than,
      target: `≥ ${limit}× ${than}`,
      found: `${round(value)}×`,
      met: value >= limit,
      value,
      limit,
    };
  }
  if (target.kind === 'within') {
    const { of, times: limit } = target;
    const value = own / medianOf(figures, of, measure, size);
    return { against: of, target: `≤ ${limit}× ${of}`, found: `${round(value)}×`, met: value <= limit, value, limit };
  }
  if (target.kind === 'below') {
    const { limit } = target;
    return { target: `< ${limit}`, found: round(own), met: own < limit, value: own, limit };
  }
  if (target.kind === 'equal') {
    const { value: limit } = target;
    return { target: `${limit}`, found: round(own), met: own === limit, value: own, limit };
  }
  const { times: limit } = target;
  const sizes = figures.filter(one => one.participant === ours && one.measure === measure);
  const medians = sizes.map(({ values }) => median(values));
  const value = Math.max(...medians) / Math.min(...medians);
  return { target: `≤ ${limit}× at all sizes`, found: `${round(value)}×`, met: value <= limit, value, limit };
}

/** Three significant digits, and no more than two places. */
export function round(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(size >= 10 ? 1 : 2).replace(/\.0+$/, '');
}
