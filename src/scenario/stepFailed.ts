import { FactError } from '../base/factError.ts';
import type { DeleteOutcome } from '../inspector/removeNode.ts';

/**
 * Why a step could not be done, as a closed list that an interface can translate. `no-addresses`: the servers do not say which sessions
 * are connected from where. `in-use`: `path` is in the way of a herd. Paths are foreign text.
 */
export type StepFault =
  | {
      readonly kind: 'nothing-to-release' | 'nothing-to-delete' | 'no-session' | 'no-addresses';
      readonly session: string;
    }
  | { readonly kind: 'in-use'; readonly path: string }
  | { readonly kind: 'not-deleted'; readonly path: string; readonly outcome: DeleteOutcome };

/** A step of a scenario asks for what is not there. */
export class StepFailed extends FactError {
  readonly fault: StepFault;

  constructor(fault: StepFault) {
    super('StepFailed', JSON.stringify(fault));
    this.fault = fault;
  }
}
