import { resolve } from 'node:path';
import { asLogFolderError, LogFolderError } from '../app/recordings/logFolderError.ts';
import { lockPast } from '../app/recordings/lockPast.ts';
import { inTurns } from '../base/interruptible.ts';
import { isAtOrBelow } from '../base/paths.ts';
import { textReport } from '../base/textReport.ts';
import { dialectText, whoText } from '../extension/words/contenderText.ts';
import { recordingReport, whatHappenedReport } from '../extension/words/recordingText.ts';
import type { Hold, Wait } from '../history/hold.ts';
import { holdsJson } from '../history/holdFile.ts';
import { msBetween } from '../history/whatHappened.ts';
import { openLogs } from '../replay/openLogs.ts';
import type { RecordedLock, Recording } from '../replay/recording.ts';
import { CancelledError } from '../zookeeper/errors.ts';
import { checkedPath, type CommandParts } from './command.ts';
import { ExitCode } from './failure.ts';
import { durationText, plainJsonText, shown, tableText } from './plainText.ts';

/** `zklock history`. @returns the exit code @throws LogFolderError, UsageError, CancelledError */
export async function historyCommand({ options, rest, signal, output }: CommandParts): Promise<number> {
  const [place = '', below = '/'] = rest;
  const folder = resolve(place);
  const root = checkedPath(below);
  const recording = await open(folder, signal);
  try {
    const locks = recording.locks().filter(({ path }) => isAtOrBelow(root, path));
    if (options.json === undefined) output.line((await asText(recording, folder, root, locks)).trimEnd());
    else output.line(plainJsonText(await asJson(recording, folder, root)).trimEnd());
    if (locks.length > 0) return ExitCode.good;
    output.note(`There is no lock at or below ${shown(root)} in these files.`);
    return ExitCode.failed;
  } finally {
    await recording.close();
  }
}

async function open(folder: string, signal: AbortSignal): Promise<Recording> {
  const recording = await openLogs(folder, { signal }).catch((error: unknown) => {
    throw asLogFolderError(folder, error);
  });
  if (!signal.aborted && recording.to.zxid > 0n) return recording;
  await recording.close();
  throw signal.aborted ? new CancelledError('Reading') : new LogFolderError(folder, 'nothing');
}

async function asJson(recording: Recording, folder: string, root: string): Promise<string> {
  const isWanted = ({ path }: Hold | Wait): boolean => isAtOrBelow(root, path);
  const { from, to, sureFrom, gaps, problems } = recording;
  const source = { recording: folder, from, to, sureFrom, gaps, problems };
  return inTurns(holdsJson(source, recording.holds().filter(isWanted), recording.waits().filter(isWanted)));
}

/** What was read, and then the whole life of the lock that is named, or a line for each lock. */
async function asText(
  recording: Recording,
  folder: string,
  root: string,
  locks: readonly RecordedLock[],
): Promise<string> {
  const texts = [textReport(recordingReport(recording, folder))];
  const named = locks.filter(({ path }) => path === root);
  const span = { from: recording.from, to: recording.to };
  for (const { path, lockName } of named) {
    const lock = { path, ...(lockName === undefined ? {} : { lockName }) };
    const past = await inTurns(lockPast(recording, lock, span));
    texts.push(textReport(whatHappenedReport({ recording, cluster: folder, lock, span, ...past })));
  }
  if (named.length === 0 && locks.length > 0) texts.push(overview(recording, locks));
  return texts.join('\n');
}

function overview(recording: Recording, locks: readonly RecordedLock[]): string {
  const head = ['PATH', 'LIBRARY', 'HOLDS', 'LONGEST', 'WAITS', 'HELD AT THE END BY'];
  const holds = Map.groupBy(recording.holds(), keyOf);
  const waits = Map.groupBy(recording.waits(), keyOf);
  const rows = locks.map(lock => {
    const { path, lockName, dialect } = lock;
    const here = holds.get(keyOf(lock)) ?? [];
    const longest = here.reduce((most, { from, to = recording.to }) => Math.max(most, msBetween({ from, to })), 0);
    const last = here.filter(({ to }) => to === undefined).map(hold => whoText(hold));
    return [
      lockName === undefined ? shown(path) : `${shown(path)} (${shown(lockName)})`,
      dialectText(dialect),
      String(here.length),
      durationText(longest),
      String(waits.get(keyOf(lock))?.length ?? 0),
      last.length === 0 ? '-' : last.join(', '),
    ];
  });
  return tableText([head, ...rows]);
}

function keyOf({ path, lockName }: { path: string; lockName?: string }): string {
  return JSON.stringify([path, lockName]);
}
