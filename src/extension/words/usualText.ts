import type { Unusual, UnusualLock } from '../../app/clusters/usualTimes.ts';
import type { Quantiles } from '../../history/figures.ts';
import type { Usual } from '../../history/usual.ts';
import { ageText, joined, l10n, spanText } from './language.ts';

/** What lasts far longer than is usual, for a row: `held 4 min, usually 2 s`; nothing while all is as usual. */
export function unusualText({ hold, wait }: UnusualLock): string {
  return joined([
    hold === undefined ? '' : l10n.t('held {0}, usually {1}', ageText(hold.ms), medianText(hold)),
    wait === undefined ? '' : l10n.t('waits {0}, usually {1}', ageText(wait.ms), medianText(wait)),
  ]);
}

function medianText({ usual: { p50 = 0 } }: Unusual): string {
  return spanText(p50);
}

/** How long a lock was held and waited for so far, as lines; none of what was never seen. */
export function usualLines({ hold, wait }: Usual): string[] {
  return [
    ...spreadOf(hold, (p50, p95, max, samples) =>
      l10n.t(
        'Held for {0} as a rule, 95 % for at most {1}, longest {2} (of {3} holds that have ended)',
        p50,
        p95,
        max,
        samples,
      ),
    ),
    ...spreadOf(wait, (p50, p95, max, samples) =>
      l10n.t(
        'Waited for {0} as a rule, 95 % for at most {1}, longest {2} (of {3} waits that have ended)',
        p50,
        p95,
        max,
        samples,
      ),
    ),
  ];
}

function spreadOf(
  { samples, p50, p95, max }: Quantiles,
  text: (p50: string, p95: string, max: string, samples: number) => string,
): string[] {
  if (p50 === undefined || p95 === undefined || max === undefined) return [];
  return [text(spanText(p50), spanText(p95), spanText(max), samples)];
}
