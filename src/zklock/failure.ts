import { MissingSecretError } from '../app/security/clusterSecrets.ts';
import { LogFolderError } from '../app/recordings/logFolderError.ts';
import { TlsFileError, WrongPassphraseError } from '../app/security/tlsFiles.ts';
import { FactError } from '../base/factError.ts';
import { logText } from '../base/displayText.ts';
import { errorText } from '../extension/words/errorText.ts';
import { english } from '../extension/words/language.ts';
import { CancelledError, ConnectStringError } from '../zookeeper/errors.ts';
import { UsageError } from './commandLine.ts';

/** The highest one of several files counts. */
export const ExitCode = { good: 0, failed: 1, unusable: 2, unreachable: 3, fault: 70, interrupted: 130 } as const;

/**
 * An error in one sentence or two, harmless. What the extension advises next speaks of its rows and dialogs, so only what happened is
 * said.
 */
export function errorLine(error: unknown): string {
  return error instanceof UsageError ? error.message : errorText(error, english).what;
}

/** The exit code that stands for an error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CancelledError) return ExitCode.interrupted;
  const isUnusable = [
    UsageError,
    ConnectStringError,
    TlsFileError,
    WrongPassphraseError,
    MissingSecretError,
    LogFolderError,
  ].some(kind => error instanceof kind);
  if (isUnusable) return ExitCode.unusable;
  // An error of no class of ours is a fault of this program.
  return error instanceof FactError ? ExitCode.unreachable : ExitCode.fault;
}

/** What is said of an error before the program ends. */
export function farewell(error: unknown): string {
  const isFault = exitCodeOf(error) === ExitCode.fault;
  return isFault && error instanceof Error
    ? `A fault of zklock: ${logText(error.stack ?? error.message)}`
    : `zklock: ${errorLine(error)}`;
}
