import type { Report } from './report.ts';
import type { Verdict } from './verdicts.ts';

/** A target that one run found met and another one missed. */
export interface ChangedVerdict {
  /** Of the row. */
  id: string;
  before: Verdict;
  now: Verdict;
  /** Neither was near its limit: something is slower, or faster, than it was. */
  isClear: boolean;
}

/** Compares two runs. Targets that only one of them has are left out. */
export function changedVerdicts(before: Pick<Report, 'rows'>, now: Pick<Report, 'rows'>): ChangedVerdict[] {
  const former = new Map(
    before.rows.flatMap(({ id, verdicts }) => verdicts.map(verdict => [keyOf(id, verdict), verdict] as const)),
  );
  return now.rows.flatMap(({ id, verdicts }) =>
    verdicts.flatMap(verdict => {
      const known = former.get(keyOf(id, verdict));
      if (known === undefined || known.met === verdict.met) return [];
      return [{ id, before: known, now: verdict, isClear: !known.isNear && !verdict.isNear }];
    }),
  );
}

function keyOf(id: string, { measure, target }: Verdict): string {
  return [id, measure, target].join('\0');
}

/** A line for each. */
export function textOfChanges(changes: readonly ChangedVerdict[]): string {
  if (changes.length === 0) return 'All verdicts are those of the run before.';
  return changes
    .map(({ id, before, now, isClear }) => {
      const { measure, target } = now;
      return `${id}, ${measure} ${target}: ${before.found} before, ${now.found} now${isClear ? '' : ', near'}`;
    })
    .join('\n');
}
