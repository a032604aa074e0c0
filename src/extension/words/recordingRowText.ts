import { basename } from 'node:path';
import type { IncidentHeader } from '../../incident/incident.ts';
import type { GapCause, Recording } from '../../replay/recording.ts';
import { dateTimeText, exactTimeText, instantText, joined, l10n, shortTimeText } from './language.ts';

// What the row of a recording says: it is drawn by the part of the extension that is loaded at once.

const dayMs = 24 * 60 * 60 * 1_000;

type Bounds = Pick<Recording, 'from' | 'to'>;

function needsDays({ from, to }: Bounds): boolean {
  return to.time - from.time > dayMs;
}

/** The name of a recording's row: `version-2 · 03:01–04:22`, with dates where it is longer than a day. Foreign text. */
export function recordingName({ from, to }: Bounds, folder: string): string {
  const text = needsDays({ from, to }) ? dateTimeText : shortTimeText;
  return joined([basename(folder), `${text(from.time)}–${text(to.time)}`]);
}

/** The name of the row of an incident file: `Orders · 24.11.2026 03:12:00`. Foreign text. */
export function incidentName({ cluster, span }: Pick<IncidentHeader, 'cluster' | 'span'>): string {
  return joined([cluster.name, dateTimeText(span.to.time)]);
}

/** A moment of a recording beside its name: with the date where the name has one. @param epochMs of the moment */
export function momentBesideName(recording: Bounds, epochMs: number): string {
  return needsDays(recording) ? instantText(epochMs) : exactTimeText(epochMs);
}

/** Why nothing is sure of a time, as the end of a sentence. */
export const gapTexts: Readonly<Record<GapCause, () => string>> = {
  'not recorded': () => l10n.t('nothing was recorded then: the recorder was off, or had no connection to the ensemble'),
  missing: () => l10n.t('the transactions between are in none of the files: a log was purged, or is in another folder'),
  damaged: () => l10n.t('a record is damaged, and what follows it in its file could not be read'),
  'other ensemble': () => l10n.t('the files behind it are of other data'),
  'no snapshot': () =>
    l10n.t('no snapshot says what was there when it began, so nodes from before may be missing, or shown though gone'),
  'fuzzy snapshot': () =>
    l10n.t('the snapshot was written while nodes changed, so it may show some before and some after their changes'),
};
