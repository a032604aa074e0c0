import { LogRecording } from './logRecording.ts';
import { OpeningPass, type PassOptions } from './openingPass.ts';
import type { PastLimits } from './recordedPast.ts';
import type { Recording } from './recording.ts';

const defaultLimits: PastLimits = { spacing: 8_000, bytes: 128_000_000 };

/** Options of `openLogs`. */
export interface OpenLogsOptions extends PassOptions {
  /** For tests. */
  limits?: PastLimits;
}

/**
 * Reads the transaction logs and snapshots of a server, in turns of the event loop; nothing is written. What cannot be read is among the
 * problems of the recording.
 *
 * @param folder `version-2`, one that has it, or any folder with files `log.*` and `snapshot.*`
 * @throws CancelledError, and what the file system throws when the folder cannot be listed
 */
export async function openLogs(
  folder: string,
  { limits = defaultLimits, ...options }: OpenLogsOptions = {},
): Promise<Recording> {
  const recording = new LogRecording(folder, new OpeningPass(limits));
  await recording.read(options);
  return recording;
}
