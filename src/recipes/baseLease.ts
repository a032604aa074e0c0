import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import { nullLogger } from '../base/logger.ts';
import type { Lease, LeaseCause, LeaseState } from './lock.ts';

/** What all leases have in common: their nodes and their event. */
export abstract class BaseLease implements Lease {
  readonly path: string;
  readonly paths: readonly string[];
  readonly fencingToken: bigint;
  abstract readonly state: LeaseState;
  abstract readonly stateCause: LeaseCause | undefined;
  abstract readonly signal: AbortSignal;
  protected readonly states = new Emitter<LeaseState>(nullLogger);

  /** @param paths of the own nodes, one at least. @param fencingToken czxid of the first one */
  constructor(paths: readonly string[], fencingToken: bigint) {
    const [first] = paths;
    if (first === undefined) throw new Error('A lease has at least one node.');
    this.path = first;
    this.paths = paths;
    this.fencingToken = fencingToken;
  }

  onState(listener: (state: LeaseState) => void): Disposable {
    return this.states.event(listener);
  }

  abstract release(): Promise<void>;
}
