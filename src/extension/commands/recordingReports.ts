import { forEachInParts, inTurns, type Interruptible } from '../../base/interruptible.ts';
import { sortedInParts } from '../../base/sortedInParts.ts';
import { displayText } from '../../base/displayText.ts';
import { fileNamePart } from '../../base/fileNamePart.ts';
import { nameOfLock } from '../../app/clusters/clusterModel.ts';
import type { RecordedTime } from '../../app/clusters/recordedTime.ts';
import { readInstant, typedInstant } from '../../app/recordings/instantInput.ts';
import { lockPast } from '../../app/recordings/lockPast.ts';
import type { Hold, Moment, Wait } from '../../history/hold.ts';
import { holdsCsv, holdsJson } from '../../history/holdFile.ts';
import { longestWaitingTimes, type Span } from '../../history/whatHappened.ts';
import type { Recording } from '../../replay/recording.ts';
import { saveText } from '../dialogs/saveText.ts';
import { askChoice, askText, valueOf, type Choice } from '../dialogs/quickInput.ts';
import { NothingToDo } from '../platform/errorReporting.ts';
import { instantText, joined, l10n, spanText } from '../words/language.ts';
import { expiryLine, listReport, recordingReport, waitingLine, whatHappenedReport } from '../words/recordingText.ts';
import type { RecordingParts } from './registerRecordings.ts';
import {
  recordedLock,
  recordedName,
  recordingTarget,
  revealRecorded,
  type RecordingTarget,
} from './recordingTargets.ts';

const minuteMs = 60_000;
/** The same in every language. */
const formatNames = { json: 'JSON', csv: 'CSV' } as const;
/** Entries of a list over all locks. */
const listed = 200;

/** *Explain What Happened*: the life of a lock in a span of time, as a report. */
export async function explainWhatHappened(parts: RecordingParts, argument: unknown): Promise<void> {
  const { lock, time } = recordedLock(parts, argument);
  const span = await askSpan(time, l10n.t('Explain What Happened'));
  const { recording, kind } = time;
  const name = recordedName(lock);
  const past = await inTurns(lockPast(recording, name, span));
  const report = whatHappenedReport({ recording, kind, cluster: lock.cluster.profile.name, lock: name, span, ...past });
  await parts.texts.showReport(`past-${fileNamePart(nameOfLock(lock))}`, report);
}

/** Asks for a part of the recording. @throws CancelledError */
export async function askSpan(time: RecordedTime, title: string): Promise<Span> {
  const { recording, moment } = time;
  const around = [1, 10, 60].map(minutes => ({
    label: l10n.t('{0} minutes around the moment', 2 * minutes),
    description: `${instantText(moment.time - minutes * minuteMs)} – ${instantText(moment.time + minutes * minuteMs)}`,
    value: minutes,
  }));
  const choices: Choice<number | 'whole' | 'typed'>[] = [
    {
      label: l10n.t('The whole recording'),
      description: `${instantText(recording.from.time)} – ${instantText(recording.to.time)}`,
      value: 'whole',
    },
    ...around,
    { label: l10n.t('From a moment to another'), description: '', value: 'typed' },
  ];
  const chosen = valueOf(await askChoice({ title, placeholder: l10n.t('Which time?'), choices }));
  if (chosen === 'whole') return { from: recording.from, to: recording.to };
  if (chosen === 'typed') {
    const from = await askMoment(time, l10n.t('From'));
    return { from, to: await askMoment(time, l10n.t('To'), from) };
  }
  return {
    from: recording.momentAt({ time: moment.time - chosen * minuteMs }),
    to: recording.momentAt({ time: moment.time + chosen * minuteMs }),
  };
}

async function askMoment({ recording, moment }: RecordedTime, title: string, first?: Moment): Promise<Moment> {
  const read = (text: string): Moment | undefined => {
    const instant = readInstant(text, moment.time);
    return instant && recording.momentAt(instant);
  };
  const answer = await askText({
    title,
    value: typedInstant((first === undefined ? moment : recording.to).time),
    prompt: l10n.t('A local time, a time in ISO 8601, or a transaction id (zxid, 0x…)'),
    validate: text => {
      const found = read(text);
      if (found === undefined)
        return l10n.t(
          'Type a time like {0}, a time of day, or a transaction id like {1}.',
          typedInstant(moment.time),
          '0x100000a2b',
        );
      return first !== undefined && found.zxid < first.zxid ? l10n.t('This is before the first moment.') : undefined;
    },
  });
  return read(valueOf(answer)) ?? moment;
}

/** An entry of a list over all locks. */
interface Found {
  place: Hold | Wait;
  label: string;
  detail: string;
  /** Where the moment goes. */
  zxid: bigint;
  line: string;
}

/** *Longest Waits*: over all locks of a recording. The moment goes to the last one of the wait that was chosen. */
export async function longestWaits(parts: RecordingParts, argument: unknown): Promise<void> {
  const title = l10n.t('Longest Waits');
  const target = await recordingTarget(parts, argument, title);
  const { recording } = target.time;
  const wanted = { most: listed, end: recording.to };
  const times = await inTurns(longestWaitingTimes(recording.holds(), recording.waits(), wanted));
  const found = times.map((wait): Found => {
    const isOver = wait.gotIt || wait.contender.to !== undefined;
    return {
      place: wait.contender,
      label: spanText(wait.ms),
      detail: `${instantText(wait.from.time)} – ${instantText(wait.to.time)}`,
      zxid: isOver ? wait.to.zxid - 1n : wait.to.zxid,
      line: waitingLine(wait, id => recording.session(id)),
    };
  });
  await showList(parts, target, { title, found, none: l10n.t('No contender of this recording waited.') });
}

/** *Ended by Expiry*: holds and waits of all locks that ended since their session expired, the last ones first. */
export async function endedByExpiry(parts: RecordingParts, argument: unknown): Promise<void> {
  const title = l10n.t('Ended by Expiry');
  const target = await recordingTarget(parts, argument, title);
  const { recording } = target.time;
  const found = (await inTurns(expired(recording))).slice(0, listed).map(({ place, to, held }): Found => ({
    place,
    label: instantText(to.time),
    detail: held ? l10n.t('it held') : l10n.t('it waited'),
    zxid: to.zxid,
    line: expiryLine(place, to, held, id => recording.session(id)),
  }));
  await showList(parts, target, { title, found, none: l10n.t('No session that held or waited expired.') });
}

interface Expired {
  place: Hold | Wait;
  to: Moment;
  held: boolean;
}

/** The last ones first. */
function* expired(recording: Pick<Recording, 'holds' | 'waits'>): Interruptible<Expired[]> {
  const found: Expired[] = [];
  const add = (place: Hold | Wait, held: boolean): void => {
    const { ended, to } = place;
    if (ended === 'session expired' && to !== undefined) found.push({ place, to, held });
  };
  yield* forEachInParts(recording.holds(), hold => add(hold, true));
  yield;
  yield* forEachInParts(recording.waits(), wait => add(wait, false));
  return yield* sortedInParts(found, (one, other) => Number(other.to.zxid - one.to.zxid));
}

/** Lets the person choose one to go to, or all of them as a report. */
async function showList(
  parts: RecordingParts,
  { browser, time }: RecordingTarget,
  { title, found, none }: { title: string; found: readonly Found[]; none: string },
): Promise<void> {
  if (found.length === 0) throw new NothingToDo(none);
  const entries = found.map(each => ({
    label: each.label,
    description: joined([displayText(each.place.path), displayText(each.place.identifier || each.place.name)]),
    detail: each.detail,
    value: each,
  }));
  const all = { label: l10n.t('Show all as a report'), description: '', value: undefined };
  const placeholder = l10n.t('Choose one to go to its moment');
  const chosen = valueOf(
    await askChoice<Found | undefined>({ title, placeholder, choices: [all, ...entries], active: found[0] }),
  );
  if (chosen !== undefined) {
    time.moveTo({ zxid: chosen.zxid });
    await revealRecorded(parts, browser, chosen.place);
    return;
  }
  const byLock = Map.groupBy(found, ({ place }) => place.path);
  const lines = new Map([...byLock].map(([path, each]) => [path, each.map(({ line }) => line)]));
  await parts.texts.showReport('list', listReport(title, browser.node.profile.name, lines, time.kind));
}

/** Writes the holds and waits of a lock, or of the whole recording, as JSON or CSV to a file that the person chooses. */
export async function saveHolds(parts: RecordingParts, argument: unknown): Promise<void> {
  const title = l10n.t('Save Holds');
  const { browser, time, lock } = await recordingTarget(parts, argument, title);
  const { recording } = time;
  const format = valueOf(
    await askChoice<'json' | 'csv'>({
      title,
      placeholder: l10n.t('Which format?'),
      choices: [
        { label: formatNames.json, description: '', value: 'json' },
        { label: formatNames.csv, description: l10n.t('for spreadsheets'), value: 'csv' },
      ],
    }),
  );
  const only = lock && recordedName(lock);
  const isWanted = ({ lockName }: Hold | Wait): boolean => only === undefined || lockName === only.lockName;
  const [holds, waits] = [recording.holds(only?.path).filter(isWanted), recording.waits(only?.path).filter(isWanted)];
  const { name } = browser.node.profile;
  const text = await inTurns(
    format === 'csv' ? holdsCsv(holds, waits) : holdsJson({ recording: name, ...partsOf(time) }, holds, waits),
  );
  const fileName = `holds-${fileNamePart(lock === undefined ? name : nameOfLock(lock))}.${format}`;
  const place = await saveText({ title, saveLabel: l10n.t('Save'), fileName, format }, text);
  if (place !== undefined) {
    parts.reporter.inform(
      l10n.t('{0} holds and {1} waits saved to {2}.', holds.length, waits.length, displayText(place)),
    );
  }
}

function partsOf({ recording: { from, to, sureFrom, gaps, problems } }: RecordedTime) {
  return { from, to, sureFrom, gaps, problems };
}

/** *Describe Recording*: what was read, what was not, and from when on the picture is sure. */
export async function describeRecording(parts: RecordingParts, argument: unknown): Promise<void> {
  const { time } = await recordingTarget(parts, argument, l10n.t('Describe Recording'));
  await parts.texts.showReport('recording', recordingReport(time.recording, time.folder, time.kind));
}
