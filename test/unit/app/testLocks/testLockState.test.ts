import { describe, expect, it } from 'vitest';
import type { Standing, TestLockState } from '../../../../src/app/testLocks/testLock.ts';
import { nextState, type TestLockEvent } from '../../../../src/app/testLocks/testLockState.ts';
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
  'auto-released': { kind: 'auto-released', at: 2 },
};

const events: Record<string, TestLockEvent> = {
  queued: { kind: 'queued', standing },
  'contact lost': { kind: 'contact', confirmed: false },
  'contact back': { kind: 'contact', confirmed: true },
  granted: { kind: 'granted', hold },
  'lease held': { kind: 'lease', state: 'held', cause: undefined, at: 1 },
  'lease uncertain': { kind: 'lease', state: 'uncertain', cause: silent, at: 1 },
  'lease lost': { kind: 'lease', state: 'lost', cause: over, at: 1 },
  'lease released': { kind: 'lease', state: 'released', cause: undefined, at: 1 },
  releasing: { kind: 'releasing' },
  'release failed': { kind: 'release-failed', error },
  'auto-released': { kind: 'auto-released', at: 2 },
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

const pairs = Object.keys(states).flatMap(state => Object.keys(events).map(event => [state, event] as const));

describe('the life of a test lock', () => {
  it.each(pairs)('%s + %s', (state, event) => {
    const expected = changes.get(`${state} + ${event}`) ?? state;
    expect(nextState(states[state]!, events[event]!)).toEqual(states[expected]);
  });

  it('keeps the very object when nothing changes, so that no row is drawn in vain', () => {
    expect(nextState(states['uncertain']!, events['lease uncertain']!)).toBe(states['uncertain']);
    expect(nextState(states['held']!, events['lease held']!)).toBe(states['held']);
  });

  it('is prolonged while it is held, whether that is certain or not', () => {
    const event: TestLockEvent = { kind: 'prolonged', releasesAt: 99 };
    const releasesAt = (name: string): unknown => {
      const after = nextState(states[name]!, event);
      return 'hold' in after ? after.hold.releasesAt : undefined;
    };
    expect([releasesAt('held'), releasesAt('uncertain')]).toEqual([99, 99]);
    expect([releasesAt('lost'), releasesAt('releasing')]).toEqual([60_000, 60_000]);
  });
});
