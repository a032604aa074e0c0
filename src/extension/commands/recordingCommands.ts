import { resolve } from 'node:path';
import * as vscode from 'vscode';
import { displayText } from '../../base/displayText.ts';
import { isObject } from '../../app/clusters/clusterProfile.ts';
import type { Step } from '../../app/clusters/recordedTime.ts';
import { readInstant, typedInstant } from '../../app/recordings/instantInput.ts';
import type { OpenedRecording } from '../../app/recordings/openRecordings.ts';
import { CancelledError } from '../../zookeeper/errors.ts';
import { askChoice, askText, valueOf } from '../dialogs/quickInput.ts';
import { NothingToDo } from '../platform/errorReporting.ts';
import { pageFocusSettled } from '../platform/pageFocus.ts';
import { withProgress } from '../platform/withProgress.ts';
import { instantText, l10n, numberText } from '../words/language.ts';
import { stepText } from '../words/recordingText.ts';
import type { RecordingCommands, RecordingParts } from './registerRecordings.ts';
import { readSource } from './recordingFiles.ts';
import { describeRecording, endedByExpiry, explainWhatHappened, longestWaits, saveHolds } from './recordingReports.ts';
import { recordedName, recordingTarget } from './recordingTargets.ts';
import { savePlayAsScenario } from './savePlayCommand.ts';

/** Whether a command was called on a row of the Explorer. */
function isUri(argument: unknown): argument is Pick<vscode.Uri, 'scheme' | 'fsPath'> {
  return isObject(argument) && typeof argument['scheme'] === 'string' && typeof argument['fsPath'] === 'string';
}

/** The folder of the Explorer's row, else one that the person picks. @throws CancelledError; NothingToDo */
async function folderOf(argument: unknown): Promise<string> {
  if (isUri(argument)) {
    if (argument.scheme === 'file') return argument.fsPath;
    throw new NothingToDo(l10n.t('Only a folder on the disk can be read. Copy the logs to one first.'));
  }
  await pageFocusSettled();
  const picked = await vscode.window.showOpenDialog({
    title: l10n.t('Open Transaction Logs'),
    openLabel: l10n.t('Open Folder with Logs'),
    canSelectFiles: false,
    canSelectFolders: true,
    canSelectMany: false,
  });
  const [folder] = picked ?? [];
  if (folder === undefined) throw new CancelledError('Open Transaction Logs');
  return folder.fsPath;
}

/** Reads the files, with progress that can be cancelled. @throws what `readSource` throws */
async function read(parts: RecordingParts, folder: string): Promise<OpenedRecording> {
  const title = l10n.t('Reading {0}', displayText(folder));
  return withProgress(title, (signal, report) => {
    const onProgress = (done: number, of: number): void =>
      report(l10n.t('{0} % of the logs', of === 0 ? 0 : Math.floor((100 * done) / of)));
    return readSource({ kind: 'logs', path: folder }, { signal, onProgress }, parts);
  });
}

async function openLogFolder(parts: RecordingParts, argument: unknown): Promise<void> {
  const { recordings, registry, targets, view } = parts;
  targets.requireTrust();
  const folder = resolve(await folderOf(argument));
  const { profile } = await recordings.open(folder, () => read(parts, folder));
  const browser = registry.get(profile.id);
  // It may have been closed meanwhile.
  if (browser === undefined) return;
  await browser.connect();
  await view.revealCluster(browser, true);
}

async function closeRecording(parts: RecordingParts, argument: unknown): Promise<void> {
  const { browser } = await recordingTarget(parts, argument, l10n.t('Close Recording'));
  await parts.recordings.close(browser.node.id);
}

async function goToMoment(parts: RecordingParts, argument: unknown): Promise<void> {
  const title = l10n.t('Go to Moment');
  const { time } = await recordingTarget(parts, argument, title);
  const { from, to } = time.recording;
  const present = time.moment.time;
  const answer = await askText({
    title,
    value: typedInstant(present),
    prompt: l10n.t(
      'A local time, a time in ISO 8601, or a transaction id (zxid, 0x…). From {0} to {1}',
      instantText(from.time),
      instantText(to.time),
    ),
    validate: text =>
      readInstant(text, present) === undefined
        ? l10n.t(
            'Type a time like {0}, a time of day, or a transaction id like {1}.',
            typedInstant(present),
            '0x100000a2b',
          )
        : undefined,
  });
  const instant = readInstant(valueOf(answer), present);
  if (instant !== undefined) time.moveTo(instant);
}

/** In the status bar. */
const shownForMs = 15_000;

const noFurther: Readonly<Record<Step, readonly [forward: () => string, back: () => string]>> = {
  'hand-over': [
    () => l10n.t('No lock is handed over after this moment.'),
    () => l10n.t('No lock is handed over before this moment.'),
  ],
  'session end': [
    () => l10n.t('No session that held or waited ends after this moment.'),
    () => l10n.t('No session that held or waited ends before this moment.'),
  ],
};

function stepping(what: Step, direction: 1 | -1) {
  return async (parts: RecordingParts, argument: unknown): Promise<void> => {
    const { time, lock } = await recordingTarget(parts, argument, l10n.t('Which Recording'));
    const wanted = lock && recordedName(lock);
    if (!(await time.step(what, direction, wanted))) throw new NothingToDo(noFurther[what][direction === 1 ? 0 : 1]());
    // In the tree the lock that it is about may be out of sight.
    void vscode.window.setStatusBarMessage(stepText(time.recording, what, time.moment, wanted), shownForMs);
  };
}

async function playRecording(parts: RecordingParts, argument: unknown): Promise<void> {
  const title = l10n.t('Play Recording');
  const { time } = await recordingTarget(parts, argument, title);
  const choices = [1, 10, 100, 1_000].map(speed => ({
    label: `${numberText(speed)}×`,
    description: speed === 1 ? l10n.t('as it was') : l10n.t('one minute takes {0} s', 60 / speed),
    value: speed,
  }));
  time.play(valueOf(await askChoice({ title, placeholder: l10n.t('How fast?'), choices, active: 10 })));
}

/** Of all recordings that play, unless one is meant. */
async function pauseRecording({ registry, targets }: RecordingParts, argument: unknown): Promise<void> {
  const row = targets.row(argument ?? undefined);
  const meant = row === undefined ? registry.all : [targets.browserOf(row)];
  for (const { node } of meant) if (node.time !== undefined) node.time.pause();
  await Promise.resolve();
}

async function followRecording(parts: RecordingParts, argument: unknown): Promise<void> {
  const { time } = await recordingTarget(parts, argument, l10n.t('Follow Recording'));
  time.follow(!time.isFollowing);
}

/** The commands of recordings. */
export const recordingCommands: RecordingCommands = {
  openLogs: openLogFolder,
  closeRecording,
  goToMoment,
  nextHandOver: stepping('hand-over', 1),
  previousHandOver: stepping('hand-over', -1),
  nextSessionEnd: stepping('session end', 1),
  previousSessionEnd: stepping('session end', -1),
  playRecording,
  pauseRecording,
  followRecording,
  explainWhatHappened,
  longestWaits,
  endedByExpiry,
  saveHolds,
  savePlayAsScenario,
  describeRecording,
};
