import { inTurns, type Interruptible } from '../../base/interruptible.ts';
import type { Logger } from '../../base/logger.ts';
import { readJournalFile, type JournalBatch } from '../../journal/journalFile.ts';
import type { JournalState } from '../../journal/journalState.ts';
import type { JournalFile, JournalFolder } from './journalFolder.ts';

/** Holds and waits that are over and stay in memory. */
export const newestKept = 20_000;
/** Of files that are read back, bytes as they are without compression: as much as those holds may take. */
const mostBytes = 16_000_000;
/** How much smaller a packed file is, about. */
const packedTimes = 8;

/** The newest files that fit, the oldest of them first. */
function newest(files: readonly JournalFile[]): JournalFile[] {
  const packed = new Set(files.flatMap(({ path, isPacked }) => (isPacked ? [path] : [])));
  const readable = files.filter(({ path }) => !packed.has(`${path}.gz`));
  let bytes = 0;
  const fitting = readable.reverse().filter(file => {
    bytes += file.bytes * (file.isPacked ? packedTimes : 1);
    return bytes <= mostBytes;
  });
  return fitting.reverse();
}

/** By the rule of `JournalFolderReading`: an unfinished line is missing only where another file goes on as if nothing was. */
class Restoring {
  private readonly state: JournalState;
  private isTorn = false;

  constructor(state: JournalState) {
    this.state = state;
  }

  *applying({ entries, problem }: JournalBatch): Interruptible<void> {
    const [first] = entries;
    if (first !== undefined) {
      if (this.isTorn && first.type === 'begin' && first.continues === true) yield* this.state.doubting('damaged');
      this.isTorn = false;
    }
    for (const entry of entries) {
      yield* this.state.applying(entry);
      yield;
    }
    if (problem?.what === 'torn tail') this.isTorn = true;
    else if (problem !== undefined && problem.what !== 'empty file') yield* this.state.doubting('damaged');
  }
}

/**
 * Applies what the newest files of a journal say to a fresh state, so that it is that at their end. What cannot be read is left out: it must
 * not keep anyone from recording. Never rejects, and ends early when the signal aborts.
 */
export async function restorePast(
  state: JournalState,
  folder: JournalFolder,
  signal: AbortSignal,
  logger: Logger,
): Promise<void> {
  const isWanted = (): boolean => !signal.aborted;
  const restoring = new Restoring(state);
  try {
    for (const { path } of newest(await folder.files())) {
      for await (const batch of readJournalFile(path, { signal })) {
        await inTurns(restoring.applying(batch), isWanted);
      }
    }
  } catch (error) {
    if (isWanted()) logger.warn(`The former recording is left out: ${String(error)}, folder ${folder.path}`);
  }
}
