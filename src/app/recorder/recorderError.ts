import { FactError } from '../../base/factError.ts';

/**
 * Why a cluster is not recorded any more.
 *
 * `disk-full`; `read-only`: storage or folder may not be written to; `folder-gone`: it was deleted while recording; `too-slow`: the
 * disk or this machine does not keep up with the changes; `no-room`: what every file begins with takes most of what may be kept, `limit`
 * bytes; `unwritable`: the file system says something else, which is the cause.
 * `too-many-nodes`: more than `limit` below the lock roots; `old-server`: it has no recursive watches (before 3.6).
 */
export type RecorderFault =
  'disk-full' | 'read-only' | 'folder-gone' | 'too-slow' | 'no-room' | 'unwritable' | 'too-many-nodes' | 'old-server';

/** Recording ended, or could not begin. What was written before is intact. */
export class RecorderError extends FactError {
  readonly kind: RecorderFault;
  /** Of the file or folder, or the lock root. */
  readonly path: string;
  /** Of nodes, where there are too many; bytes, where there is no room. */
  readonly limit: number | undefined;

  constructor(kind: RecorderFault, path: string, options: ErrorOptions & { limit?: number } = {}) {
    super('RecorderError', `${path} ${kind}`, options);
    this.kind = kind;
    this.path = path;
    this.limit = options.limit;
  }
}

const faults = new Map<unknown, RecorderFault>([
  ['ENOSPC', 'disk-full'],
  ['EDQUOT', 'disk-full'],
  ['EROFS', 'read-only'],
  ['EACCES', 'read-only'],
  ['EPERM', 'read-only'],
  ['ENOENT', 'folder-gone'],
]);

/** What the file system threw, as a fact; another error as it is. @param path of the file or folder */
export function asRecorderError(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return error;
  return new RecorderError(faults.get(error.code) ?? 'unwritable', path, { cause: error });
}
