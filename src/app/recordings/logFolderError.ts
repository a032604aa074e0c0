import { FactError } from '../../base/factError.ts';

/** `nothing`: it holds no log and no snapshot that can be read. */
export type LogFolderFault = 'missing' | 'no-folder' | 'no-permission' | 'nothing' | 'nothing recorded' | 'unreadable';

/** A folder cannot be opened as a recording. */
export class LogFolderError extends FactError {
  /** Foreign text. */
  readonly folder: string;
  readonly fault: LogFolderFault;

  constructor(folder: string, fault: LogFolderFault, options?: ErrorOptions) {
    super('LogFolderError', `${folder} ${fault}`, options);
    this.folder = folder;
    this.fault = fault;
  }
}

const faults = new Map<unknown, LogFolderFault>([
  ['ENOENT', 'missing'],
  ['ENOTDIR', 'no-folder'],
  ['EACCES', 'no-permission'],
  ['EPERM', 'no-permission'],
]);

/** What the file system threw, as a fact; another error as it is. */
export function asLogFolderError(folder: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return error;
  return new LogFolderError(folder, faults.get(error.code) ?? 'unreadable', { cause: error });
}
