import { describe, expect, it } from 'vitest';
import type { Standing, TestLockState } from '../../../../src/app/testLocks/testLock.ts';
import {
  autoReleased,
  contactChanged,
  granted,
  leaseChanged,
  prolonged,
  queued,
  releaseFailed,
  releasing,
  type Transition,
} from '../../../../src/app/testLocks/testLockState.ts';
import { hold } from './testLockFixtures.ts';

const standing: Standing = { position: 2, waitsFor: 'a', holder: 'a', path: '/locks/a' };
const error = new Error('no');

const silent = { kind: 'session', cause: { kind: 'late' } } as const;
const over = { kind: 'node-deleted' } as const;

const states: Record<string, TestLockState> = {
  connecting: { kind: 'connecting' },
  waiting: { kind: 'waiting', standing, uncertain: false },
  unsure: { kind: 'waiting', standing, uncertain: true },
  held: { kind: 'held', hold },
  uncertain: { kind: 'uncertain', hold, cause: silent },
  lost: { kind: 'lost', hold, cause: over, at: 1 },
  releasing: { kind: 'releasing', hold },
  stuck: { kind: 'stuck', hold, error },
  'auto-released': { kind: 'auto-released', at: 2, cause: 'time' },
};

const leaseHeld = leaseChanged({ state: 'held', stateCause: undefined }, 1);
const leaseUncertain = leaseChanged({ state: 'uncertain', stateCause: silent }, 1);

const transitions: Record<string, Transition> = {
  queued: queued(standing),
  'contact lost': contactChanged(false),
  'contact back': contactChanged(true),
  granted: granted(hold),
  'lease held': leaseHeld,
  'lease uncertain': leaseUncertain,
  'lease lost': leaseChanged({ state: 'lost', stateCause: over }, 1),
  'lease released': leaseChanged({ state: 'released', stateCause: undefined }, 1),
  releasing,
  'release failed': releaseFailed(error),
  'auto-released': autoReleased(2, 'time'),
};

/** Every change that there is; all other pairs change nothing. */
const changes = new Map([
  ['connecting + queued', 'waiting'],
  ['connecting + granted', 'held'],
  ['waiting + contact lost', 'unsure'],
  ['waiting + granted', 'held'],
  ['unsure + contact back', 'waiting'],
  ['unsure + granted', 'held'],
  ['held + lease uncertain', 'uncertain'],
  ['held + lease lost', 'lost'],
  ['held + lease released', 'releasing'],
  ['held + releasing', 'releasing'],
  ['uncertain + lease held', 'held'],
  ['uncertain + lease lost', 'lost'],
  ['uncertain + lease released', 'releasing'],
  ['uncertain + releasing', 'releasing'],
  ['releasing + release failed', 'stuck'],
  ['releasing + auto-released', 'auto-released'],
  ['stuck + releasing', 'releasing'],
]);

const pairs = Object.keys(states).flatMap(state => Object.keys(transitions).map(name => [state, name] as const));

describe('the life of a test lock', () => {
  it.each(pairs)('%s + %s', (state, name) => {
    const expected = changes.get(`${state} + ${name}`) ?? state;
    expect(transitions[name]!(states[state]!)).toEqual(states[expected]);
  });

  it('keeps the very object when nothing changes, so that no row is drawn in vain', () => {
    expect(leaseUncertain(states['uncertain']!)).toBe(states['uncertain']);
    expect(leaseHeld(states['held']!)).toBe(states['held']);
  });

  it('is prolonged while it is held, whether that is certain or not', () => {
    const releasesAt = (name: string): unknown => {
      const after = prolonged(99)(states[name]!);
      return 'hold' in after ? after.hold.releasesAt : undefined;
    };
    expect([releasesAt('held'), releasesAt('uncertain')]).toEqual([99, 99]);
    expect([releasesAt('lost'), releasesAt('releasing')]).toEqual([60_000, 60_000]);
  });
});
