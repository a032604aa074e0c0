import type { Lease } from '../../recipes/lock.ts';
import type { AutoReleaseCause, Hold, Standing, TestLockState } from './testLock.ts';

/**
 * One step in the life of a row: connecting → waiting → held ⇄ uncertain → lost, or releasing → (gone, auto-released or stuck). A
 * step that does not fit the present state returns that state, so that a late event never shows a lock in a better state than
 * it has.
 */
export type Transition = (state: TestLockState) => TestLockState;

type State<K extends TestLockState['kind']> = Extract<TestLockState, { kind: K }>;

function isWaiting(state: TestLockState): state is State<'connecting' | 'waiting'> {
  return state.kind === 'connecting' || state.kind === 'waiting';
}

function isHeld(state: TestLockState): state is State<'held' | 'uncertain'> {
  return state.kind === 'held' || state.kind === 'uncertain';
}

export function queued(standing: Standing | undefined): Transition {
  return state =>
    isWaiting(state) ? { kind: 'waiting', standing, uncertain: state.kind === 'waiting' && state.uncertain } : state;
}

/** @param confirmed whether the session of a waiting lock has confirmed contact */
export function contactChanged(confirmed: boolean): Transition {
  return state => (state.kind === 'waiting' ? { ...state, uncertain: !confirmed } : state);
}

export function granted(hold: Hold): Transition {
  return state => (isWaiting(state) ? { kind: 'held', hold } : state);
}

/** @param at epoch ms */
export function leaseChanged(
  { state: leaseState, stateCause: cause }: Pick<Lease, 'state' | 'stateCause'>,
  at: number,
): Transition {
  return state => {
    if (!isHeld(state)) return state;
    const { hold } = state;
    switch (leaseState) {
      case 'held':
        return state.kind === 'held' ? state : { kind: 'held', hold };
      case 'uncertain':
        return state.kind === 'uncertain' && state.cause === cause ? state : { kind: 'uncertain', hold, cause };
      case 'lost':
        return { kind: 'lost', hold, cause, at };
      case 'released':
        return { kind: 'releasing', hold };
    }
  };
}

/** @param releasesAt monotonic ms */
export function prolonged(releasesAt: number): Transition {
  return state => (isHeld(state) ? { ...state, hold: { ...state.hold, releasesAt } } : state);
}

export const releasing: Transition = state =>
  isHeld(state) || state.kind === 'stuck' ? { kind: 'releasing', hold: state.hold } : state;

export function releaseFailed(error: unknown): Transition {
  return state => (state.kind === 'releasing' ? { kind: 'stuck', hold: state.hold, error } : state);
}

/** @param at epoch ms */
export function autoReleased(at: number, cause: AutoReleaseCause): Transition {
  return state => (state.kind === 'releasing' ? { kind: 'auto-released', at, cause } : state);
}
