import type { LeaseCause, LeaseState } from '../../recipes/lock.ts';
import type { Hold, Standing, TestLockState } from './testLock.ts';

/** The events in the life of a test lock. */
export type TestLockEvent =
  | { kind: 'queued'; standing: Standing | undefined }
  /** The session of a waiting lock lost its confirmed contact, or has it again. */
  | { kind: 'contact'; confirmed: boolean }
  | { kind: 'granted'; hold: Hold }
  /** The lease changed its state. `at` is epoch ms. */
  | { kind: 'lease'; state: LeaseState; cause: LeaseCause | undefined; at: number }
  /** Monotonic ms. */
  | { kind: 'prolonged'; releasesAt: number }
  | { kind: 'releasing' }
  | { kind: 'release-failed'; error: unknown }
  | { kind: 'auto-released'; at: number };

/**
 * The life of a row: connecting → waiting → held ⇄ uncertain → lost, or releasing → (gone, auto-released or stuck). An event that
 * does not fit the present state changes nothing, so that a late event never shows a lock in a better state than it has.
 */
export function nextState(state: TestLockState, event: TestLockEvent): TestLockState {
  switch (state.kind) {
    case 'connecting':
    case 'waiting':
      return beforeHold(state, event);
    case 'held':
    case 'uncertain':
      return whileHeld(state, event);
    case 'releasing':
      return whileReleasing(state, event);
    case 'stuck':
      return event.kind === 'releasing' ? { kind: 'releasing', hold: state.hold } : state;
    case 'lost':
    case 'auto-released':
      return state;
  }
}

type State<K extends TestLockState['kind']> = Extract<TestLockState, { kind: K }>;

function beforeHold(state: State<'connecting' | 'waiting'>, event: TestLockEvent): TestLockState {
  const uncertain = state.kind === 'waiting' && state.uncertain;
  switch (event.kind) {
    case 'queued':
      return { kind: 'waiting', standing: event.standing, uncertain };
    case 'contact':
      return state.kind === 'waiting' ? { ...state, uncertain: !event.confirmed } : state;
    case 'granted':
      return { kind: 'held', hold: event.hold };
    default:
      return state;
  }
}

function whileHeld(state: State<'held' | 'uncertain'>, event: TestLockEvent): TestLockState {
  switch (event.kind) {
    case 'lease':
      return afterLease(state, event);
    case 'prolonged':
      return { ...state, hold: { ...state.hold, releasesAt: event.releasesAt } };
    case 'releasing':
      return { kind: 'releasing', hold: state.hold };
    default:
      return state;
  }
}

function whileReleasing(state: State<'releasing'>, event: TestLockEvent): TestLockState {
  if (event.kind === 'release-failed') return { kind: 'stuck', hold: state.hold, error: event.error };
  return event.kind === 'auto-released' ? { kind: 'auto-released', at: event.at } : state;
}

function afterLease(
  state: State<'held' | 'uncertain'>,
  event: Extract<TestLockEvent, { kind: 'lease' }>,
): TestLockState {
  const { hold } = state;
  switch (event.state) {
    case 'held':
      return state.kind === 'held' ? state : { kind: 'held', hold };
    case 'uncertain':
      if (state.kind === 'uncertain' && state.cause === event.cause) return state;
      return { kind: 'uncertain', hold, cause: event.cause };
    case 'lost':
      return { kind: 'lost', hold, cause: event.cause, at: event.at };
    case 'released':
      return { kind: 'releasing', hold };
  }
}
