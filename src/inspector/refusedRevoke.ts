import { FactError } from '../base/factError.ts';
import type { RefusalReason } from './refusedDelete.ts';

/** The request was not made. `does-not-listen`: no holder that could hear it. */
export class RefusedRevoke extends FactError {
  readonly reason: RefusalReason | 'does-not-listen';
  readonly path: string;

  constructor(reason: RefusalReason | 'does-not-listen', path: string) {
    super('RefusedRevoke', `${path} ${reason}`);
    this.reason = reason;
    this.path = path;
  }
}
