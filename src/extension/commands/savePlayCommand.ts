import { mostPlayed, playedScenario, type PlayedLock } from '../../app/scenarios/playedScenario.ts';
import { displayText } from '../../base/displayText.ts';
import type { Recording } from '../../replay/recording.ts';
import { askMany } from '../dialogs/quickInput.ts';
import { NothingToDo } from '../platform/errorReporting.ts';
import { showScenario } from '../scenarios/scenarioDocuments.ts';
import { instantText, joined, l10n } from '../words/language.ts';
import { dialectText } from '../words/contenderText.ts';
import { askSpan } from './recordingReports.ts';
import { lockOf, recordedName, recordingTarget } from './recordingTargets.ts';
import type { RecordingParts } from './registerRecordings.ts';

/** A lock by the names of a recording. */
type Named = Pick<PlayedLock, 'path' | 'lockName' | 'dialect'>;

/** *Save Play as Scenario*: what a recording saw of one or several locks in a span of time, as a text that runs. @throws NothingToDo, CancelledError */
export async function savePlayAsScenario(parts: RecordingParts, argument: unknown): Promise<void> {
  const title = l10n.t('Save Play as Scenario');
  const { browser, time, lock: meant } = await recordingTarget(parts, argument, title);
  const { recording } = time;
  const selected = meant ?? lockOf(parts.targets.rowOrSelected(argument));
  const lock = selected?.cluster === browser.node ? selected : undefined;
  const wanted =
    lock === undefined ? await askLocks(recording, title) : [{ ...recordedName(lock), dialect: lock.dialect }];
  const span = await askSpan(time, title);
  const locks = wanted.map(one => ({ ...one, holds: recording.holds(one.path), waits: recording.waits(one.path) }));
  const comment = l10n.t(
    'As {0} was from {1} to {2}',
    browser.node.profile.name,
    instantText(span.from.time),
    instantText(span.to.time),
  );
  const played = playedScenario(locks, span, recording.to, comment);
  if ('text' in played) await showScenario(played.text);
  else throw new NothingToDo(whyNot(played.contenders));
}

async function askLocks(recording: Recording, title: string): Promise<Named[]> {
  const choices = recording.locks().map(lock => ({
    label: displayText(joined([lock.path, lock.lockName])),
    description: dialectText(lock.dialect),
    value: lock,
    isPicked: false,
  }));
  return askMany<Named>({ title, placeholder: l10n.t('Which locks?'), choices });
}

function whyNot(contenders: number): string {
  if (contenders === 0) return l10n.t('In that time no contender was seen there. Choose another time.');
  if (contenders <= mostPlayed) return l10n.t('The path of a lock has characters that a scenario cannot have.');
  return l10n.t(
    '{0} contenders are too many for one scenario: at most {1}. Choose a shorter time.',
    contenders,
    mostPlayed,
  );
}
