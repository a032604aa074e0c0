import type { RefusalReason } from './refusedDelete.ts';

/** The request was not made. `does-not-listen`: no holder that could hear it. */
export class RefusedRevoke extends Error {
  readonly reason: RefusalReason | 'does-not-listen';
  readonly path: string;

  constructor(reason: RefusalReason | 'does-not-listen', path: string) {
    super(`${path} was not asked to give the lock back: ${reason}. Only a revocable Curator mutex can be asked.`);
    this.name = 'RefusedRevoke';
    this.reason = reason;
    this.path = path;
  }
}
