import { FactError } from '../base/factError.ts';
import type { ProblemKind } from './recording.ts';

/** A file is not what its format promises. */
export class FileDamage extends FactError {
  readonly what: ProblemKind;

  constructor(what: ProblemKind, options?: ErrorOptions) {
    super('FileDamage', what, options);
    this.what = what;
  }
}

/**
 * What an error means for a file that is read: damage, or an error of the file system.
 *
 * @throws the error itself where it is neither
 */
export function fileProblem(error: unknown): ProblemKind {
  if (error instanceof FileDamage) return error.what;
  if (!(error instanceof Error && 'code' in error)) throw error;
  return error.code === 'EACCES' || error.code === 'EPERM' ? 'no permission' : 'unreadable';
}
