import { expect, it } from 'vitest';
import { AttemptPacer } from '../../../src/zookeeper/attemptPacer.ts';
import { seededRandom } from '../../support/seededRandom.ts';

it('tries every server once without a pause', () => {
  const pacer = new AttemptPacer(
    () => 0,
    () => 0,
  );
  expect([pacer.next(3), pacer.next(3), pacer.next(3)]).toEqual([0, 0, 0]);
  expect(pacer.next(3)).toBeGreaterThan(0);
});

it('pauses longer with every fruitless round, up to two seconds', () => {
  let now = 0;
  const pacer = new AttemptPacer(
    () => now,
    () => 0.999,
  );
  const pauses: number[] = [];
  for (let attempt = 0; attempt < 12; attempt++) {
    // Far apart, so that the limit per 3 s says nothing.
    now += 10_000;
    pauses.push(pacer.next(1));
  }
  expect(pauses[0]).toBe(0);
  expect(pauses.slice(1)).toEqual(pauses.slice(1).sort((a, b) => a - b));
  expect(pauses[1]).toBeGreaterThan(80);
  expect(pauses.at(-1)).toBeGreaterThan(1_900);
  expect(pauses.at(-1)).toBeLessThanOrEqual(2_000);
});

it('forgets failures only after a connection that lasted: a handshake alone is no success (D8)', () => {
  let now = 0;
  const pacer = new AttemptPacer(
    () => now,
    () => 0.5,
  );
  const after = (lastedMs: number) => {
    for (let failed = 0; failed < 4; failed++) {
      now += 10_000;
      pacer.next(1);
    }
    pacer.ended(lastedMs);
    now += 10_000;
    return pacer.next(1);
  };
  expect(after(2_999)).toBeGreaterThan(0);
  expect(after(3_000)).toBe(0);
});

it('never allows more than 5 attempts in any 3 s, whatever happens to them', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = seededRandom(seed);
    const servers = 1 + random.below(7);
    let now = random.next() * 1e6;
    const pacer = new AttemptPacer(() => now, random.next);
    const attempts: number[] = [];
    for (let count = 0; count < 120; count++) {
      now += random.below(4) === 0 ? pacer.nextQuestion() : pacer.next(servers);
      // A loaded machine runs timers late, and not always as late.
      now += random.pick([0, 0, 0, 5, 40]);
      pacer.started();
      attempts.push(now);
      const lasted = random.pick([0, 0, 1, 50, 500, 2_990, 3_000, 4_000]);
      now += lasted + random.pick([0, 0, 3, 90]);
      pacer.ended(lasted);
    }
    for (const [index, at] of attempts.entries()) {
      const sixth = attempts[index + 5];
      if (sixth !== undefined) expect(sixth - at, `seed ${seed}, attempt ${index}`).toBeGreaterThan(3_000);
    }
  }
});
