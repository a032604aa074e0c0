import { FactError } from '../base/factError.ts';

/**
 * `foreign`: no incident file. `newer`: its format has a newer major version. `too-large`: more than is read, or than may be saved.
 * `empty`: nothing of the locks could be read. `read-only`, `disk-full`, `not-saved`: it could not be written.
 */
export type IncidentFault =
  | 'missing'
  | 'no-permission'
  | 'no-file'
  | 'unreadable'
  | 'foreign'
  | 'newer'
  | 'too-large'
  | 'empty'
  | 'read-only'
  | 'disk-full'
  | 'not-saved';

/** An incident file cannot be opened or saved. */
export class IncidentError extends FactError {
  /** Of the file. Foreign text. */
  readonly path: string;
  readonly fault: IncidentFault;
  /** The version that the file names, with `newer`. Foreign text. */
  readonly version: string;

  constructor(
    path: string,
    fault: IncidentFault,
    { version = '', ...options }: ErrorOptions & { version?: string } = {},
  ) {
    super('IncidentError', `${path} ${fault}${version === '' ? '' : ` version=${version}`}`, options);
    this.path = path;
    this.fault = fault;
    this.version = version;
  }
}

const readFaults = new Map<unknown, IncidentFault>([
  ['ENOENT', 'missing'],
  ['ENOTDIR', 'missing'],
  ['EISDIR', 'no-file'],
  ['EACCES', 'no-permission'],
  ['EPERM', 'no-permission'],
]);

const writeFaults = new Map<unknown, IncidentFault>([
  ['EACCES', 'read-only'],
  ['EPERM', 'read-only'],
  ['EROFS', 'read-only'],
  ['ENOSPC', 'disk-full'],
  ['EDQUOT', 'disk-full'],
]);

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'syscall' in error && 'code' in error ? error.code : undefined;
}

/** What the file system threw at a reading, as a fact; another error as it is. */
export function asReadError(path: string, error: unknown): unknown {
  const code = codeOf(error);
  return code === undefined ? error : new IncidentError(path, readFaults.get(code) ?? 'unreadable', { cause: error });
}

/** What the file system threw at a writing, as a fact; another error as it is. */
export function asWriteError(path: string, error: unknown): unknown {
  const code = codeOf(error);
  return code === undefined ? error : new IncidentError(path, writeFaults.get(code) ?? 'not-saved', { cause: error });
}
