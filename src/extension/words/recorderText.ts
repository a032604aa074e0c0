import type { RecorderState } from '../../app/clusters/clusterRecorder.ts';
import { byKind } from '../../base/byKind.ts';
import { errorText, errorSentence } from './errorText.ts';
import { l10n, momentText, numberText } from './language.ts';

/** What the row of a cluster says of its recorder, in a few words; nothing while it is off. */
export const recorderWords = byKind<RecorderState, string>({
  off: () => '',
  waiting: () => l10n.t('recording waits for the connection'),
  starting: () => l10n.t('recording begins…'),
  recording: () => l10n.t('recording'),
  standby: () => l10n.t('recording in another window'),
  failed: ({ error }) => l10n.t('recording failed: {0}', errorText(error).what),
});

/** The same in whole sentences, with its figures or the next step. @param now epoch ms */
export const recorderSentence = byKind<RecorderState, string, [now: number]>({
  off: () => '',
  waiting: () => l10n.t('Its locks are recorded as soon as it is connected. Stop Recording ends that.'),
  starting: () => l10n.t('Recording begins: the locks are read for the first time.'),
  recording: ({ since, locks, watches, requestsPerMinute, bytes }, now) =>
    l10n.t(
      'Recording since {0}: locks: {1}, watches: {2}, requests per minute: {3}, on the disk: {4}',
      momentText(since, now),
      locks,
      watches,
      Math.round(requestsPerMinute),
      sizeText(bytes),
    ),
  standby: () => l10n.t('Another window records the locks of this cluster; this one goes on when that one is closed.'),
  failed: ({ error }) => l10n.t('Recording failed. {0}', errorSentence(error)),
});

const kilobyte = 1_000;
const megabyte = 1_000 * kilobyte;

/** A size in one unit: `340 bytes`, `12 KB`, `3.4 MB`. @param bytes not negative */
export function sizeText(bytes: number): string {
  if (bytes < kilobyte) return l10n.t('{0} bytes', bytes);
  if (bytes < megabyte) return l10n.t('{0} KB', Math.round(bytes / kilobyte));
  const megabytes = bytes / megabyte;
  return l10n.t('{0} MB', numberText(megabytes < 10 ? Math.round(megabytes * 10) / 10 : Math.round(megabytes)));
}
