import { FactError } from '../../base/factError.ts';

/** Why a call of the API is refused: what only other extensions meet. */
export type ApiRefusalReason =
  'untrusted' | 'unknown-cluster' | 'not-connected' | 'not-installed' | 'not-allowed' | 'too-many' | 'released-at-once';

/** A call of the API that cannot be served. */
export class ApiRefusal extends FactError {
  readonly reason: ApiRefusalReason;
  /** An id, a number or a path. Foreign text. */
  readonly about: string;

  constructor(reason: ApiRefusalReason, about = '') {
    super('ApiRefusal', `${reason} ${about}`);
    this.reason = reason;
    this.about = about;
  }
}
