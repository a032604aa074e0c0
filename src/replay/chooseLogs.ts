import { readLogHeader } from './logFile.ts';
import type { LogFile } from './logFolder.ts';
import type { GapCause, Problem } from './recording.ts';

/** The logs of one ensemble, in their order. */
export interface ChosenLogs {
  logs: LogFile[];
  /** Their dbId; `undefined` without logs. */
  ensemble: bigint | undefined;
  /** The other files: transactions that they should have may be missing. */
  skipped: SkippedLog[];
  problems: Problem[];
}

/** A log that is not read. */
export interface SkippedLog {
  firstZxid: bigint;
  why: GapCause;
}

/** Of the dbId in a file, behind magic and version. */
const dbIdOffset = 8;

/**
 * Chooses the logs of the ensemble that has most of them, or the newest one of as many: a byte that flipped in one header must not take
 * all other files away. Servers write 0 for every ensemble unless they are set to another, so this finds few mixtures.
 *
 * @returns as problems: the files that are of another ensemble, and those that are no logs
 */
export async function chooseLogs(logs: readonly LogFile[]): Promise<ChosenLogs> {
  const byEnsemble = new Map<bigint, LogFile[]>();
  const problems: Problem[] = [];
  const skipped: SkippedLog[] = [];
  for (const log of logs) {
    const header = await readLogHeader(log.path);
    if (typeof header === 'string') {
      problems.push({ file: log.file, offset: 0, what: header });
      // A server that ends before its first record leaves an empty file.
      if (header !== 'empty file') skipped.push({ firstZxid: log.firstZxid, why: 'damaged' });
    } else byEnsemble.set(header.dbId, [...(byEnsemble.get(header.dbId) ?? []), log]);
  }
  let ensemble: bigint | undefined;
  let chosen: LogFile[] = [];
  for (const [dbId, files] of byEnsemble) {
    if (!isPreferred(files, chosen)) continue;
    ensemble = dbId;
    chosen = files;
  }
  for (const [dbId, files] of byEnsemble) {
    if (dbId === ensemble) continue;
    for (const { file, firstZxid } of files) {
      problems.push({ file, offset: dbIdOffset, what: 'other ensemble' });
      skipped.push({ firstZxid, why: 'other ensemble' });
    }
  }
  return { logs: chosen, ensemble, skipped, problems };
}

function isPreferred(one: readonly LogFile[], other: readonly LogFile[]): boolean {
  if (one.length !== other.length) return one.length > other.length;
  return (one.at(-1)?.firstZxid ?? 0n) > (other.at(-1)?.firstZxid ?? 0n);
}
