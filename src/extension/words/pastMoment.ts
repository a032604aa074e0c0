import { isoTime } from '../../base/isoTime.ts';
import type { Moment } from '../../history/hold.ts';
import { l10n } from './language.ts';

/** What a report of the past is about. */
export interface PastMoment {
  moment: Moment;
  /** Whether the files prove what was then: not in a gap, and not before the picture is complete. */
  isSure: boolean;
}

/** The headline of a report about a moment: when that was, and whether it is sure. @param past left out: the present */
export function pastHeadline(headline: string, past: PastMoment | undefined): string {
  if (past === undefined) return headline;
  const text = l10n.t('At {0}: {1}', isoTime(past.moment.time), headline);
  return past.isSure ? text : l10n.t('Not sure, since the files do not show all of this time. {0}', text);
}
