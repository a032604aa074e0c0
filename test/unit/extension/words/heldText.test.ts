import { describe, expect, it } from 'vitest';
import { standingLine, standingText } from '../../../../src/extension/words/heldText.ts';
import type { Contender } from '../../../../src/locks/lockQueue.ts';
import { contender, now } from '../fixtures.ts';

const s = 1_000;
const min = 60 * s;
const h = 60 * min;
const d = 24 * h;

/** A holder that queued `most` ago and got its turn at least `least` ago. */
function holder(most: number, least?: number, fields: Partial<Contender> = {}): Contender {
  const latest = least === undefined ? {} : { latest: now - least };
  return contender('x', {
    role: 'holder',
    createdAt: now - most,
    heldSince: { earliest: now - most, ...latest },
    ...fields,
  });
}

describe('how long a contender holds or waits', () => {
  it.each<[number, number | undefined, string]>([
    [1_200, 1_200, 'held 1 s'],
    [64 * s, 5 * s, 'held 5–64 s'],
    [4_900, 4_000, 'held 4 s'],
    [12 * min, 5 * s, 'held 5 s–12 min'],
    [12 * min, 90 * s, 'held 1–12 min'],
    [90 * min, 2 * min, 'held 2 min–1 h'],
    [5 * h, 2 * min, 'held 2 min–5 h'],
    [30 * h, 2 * h, 'held 2–30 h'],
    [5 * d, 4 * d, 'held 4–5 d'],
    [5 * h + 2 * min, 5 * h, 'held 5 h'],
    [63 * s, undefined, 'holds · queued 1 min ago, hand-over not seen'],
    [63 * s, 0, 'holds · queued 1 min ago, hand-over not seen'],
    [63 * s, 800, 'holds · queued 1 min ago, hand-over not seen'],
    [-5 * s, -5 * s, 'held 0 s'],
  ])('a holder that queued %i ms ago and has held for at least %s ms: %s', (most, least, text) => {
    expect(standingText(holder(most, least), now)).toBe(text);
  });

  it('counts a waiter from when it queued', () => {
    expect(standingText(contender('x', { createdAt: now - 3 * min }), now)).toBe('waits 3 min');
    expect(standingLine(contender('x', { createdAt: now - 3 * min }), now)).toBe('Has waited for: 3 min');
  });

  it('says of a candidate that it leads', () => {
    expect(standingText(holder(64 * s, 5 * s, { kind: 'candidate' }), now)).toBe('has led for 5–64 s');
    expect(standingText(holder(64 * s, undefined, { kind: 'candidate' }), now)).toMatch(/^leads · queued 1 min ago/);
  });

  it('says the same in a line of its own', () => {
    expect(standingLine(holder(64 * s, 5 * s), now)).toBe('Held for: 5–64 s');
    expect(standingLine(holder(64 * s), now)).toBe(
      'Queued: 1 min ago. The hand-over was not seen, so it may hold for less.',
    );
    expect(standingLine(holder(3 * h, 3 * h, { leaseEndsAt: now - 2 * h }), now)).toBe('Its lease was given 3 h ago');
  });
});
