import { describe, expect, it } from 'vitest';
import { AttemptPacer } from '../../../src/zookeeper/attemptPacer.ts';
import { seededRandom } from '../../support/seededRandom.ts';

/** Plays visits that each end at once with `end`. @returns when each began, ms after the first */
function visits(
  servers: number,
  {
    count,
    random = () => 0.5,
    end = () => undefined,
  }: {
    count: number;
    random?: () => number;
    end?: (pacer: AttemptPacer, index: number) => void;
  },
): number[] {
  let now = 0;
  const pacer = new AttemptPacer(() => now, random);
  return Array.from({ length: count }, (_, index) => {
    now += pacer.next(servers);
    pacer.started();
    end(pacer, index);
    return now;
  });
}

/** The most of `times`, in order, that lie within any `ms`. */
function mostWithin(times: readonly number[], ms: number): number {
  return Math.max(...times.map((from, index) => times.slice(index).filter(at => at - from <= ms).length));
}

it.each([
  [1, 1],
  [2, 2],
  [3, 3],
  [5, 3],
  [50, 3],
])('of %i servers visits %i without a pause', (servers, expected) => {
  expect(visits(servers, { count: 20 }).filter(at => at === 0)).toHaveLength(expected);
});

it('spreads ten visits over the first three seconds, growing apart', () => {
  const begun = visits(3, { count: 10 });
  const pauses = begun.slice(3).map((at, index) => at - begun[index + 2]!);
  expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
  expect(pauses[0]).toBeCloseTo(120);
  expect(begun.at(-1)).toBeGreaterThan(1_800);
  expect(begun.at(-1)).toBeLessThan(3_000);
  // Where most elections end, a server that serves again does not wait longer than this for a visit.
  expect(Math.max(...begun.filter(at => at < 1_000).map((at, index) => begun[index + 1]! - at))).toBeLessThan(400);
});

it('makes one visit every 2 s in the long run', () => {
  const random = seededRandom(1);
  const begun = visits(3, { count: 1_000, random: random.next });
  expect((begun.at(-1)! - begun[100]!) / 899).toBeCloseTo(2_000, -2);
  expect(mostWithin(begun.slice(20), 60_000)).toBeLessThanOrEqual(34);
});

it('spreads a thousand clients that lost their server in the same moment', () => {
  const all = Array.from({ length: 1_000 }, (_, seed) =>
    visits(3, { count: 40, random: seededRandom(seed + 1).next }),
  ).flat();
  const perTenth = (second: number) =>
    Array.from({ length: 10 }, (_, tenth) => {
      const from = second * 1_000 + tenth * 100;
      return all.filter(at => at >= from && at < from + 100).length;
    });
  // The average of second 2 is some 180 in a tenth, and of second 20 it is 50.
  expect(Math.max(...perTenth(2))).toBeLessThan(300);
  expect(Math.max(...perTenth(20))).toBeLessThan(80);
});

describe('a refused dial', () => {
  const refused = (dead: (index: number) => boolean) => (pacer: AttemptPacer, index: number) => {
    if (dead(index)) pacer.refused();
  };

  it('leaves its place to the next server', () => {
    const begun = visits(3, { count: 12, end: refused(index => index % 3 === 2) });
    const distinct = [...new Set(begun)];
    expect(begun[6]).toBe(begun[5]);
    expect(begun[9]).toBe(begun[8]);
    expect(begun[11]).toBeGreaterThan(begun[10]!);
    // The places are those of nine visits without any that was refused.
    expect(distinct.at(-1)).toBeLessThan(visits(3, { count: 10 }).at(-1)!);
  });

  it('does so once: dead servers alone are no reason to hurry', () => {
    const begun = visits(5, { count: 60, end: refused(() => true) });
    expect(new Set(begun.slice(4)).size).toBe(28);
    expect(mostWithin(begun, 3_000)).toBeLessThanOrEqual(20);
  });

  it('leaves nothing where there is one server', () => {
    expect(visits(1, { count: 20, end: refused(() => true) })).toEqual(visits(1, { count: 20 }));
  });
});

it('starts again only after a connection that lasted: a handshake alone is no success (D8)', () => {
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

it('never allows more than 10 in any 3 s, whatever happens to them', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = seededRandom(seed);
    const servers = 1 + random.below(7);
    let now = random.next() * 1e6;
    const pacer = new AttemptPacer(() => now, random.next);
    const begun: number[] = [];
    for (let count = 0; count < 200; count++) {
      now += pacer.next(servers);
      // A loaded machine runs timers late, and not always as late.
      now += random.pick([0, 0, 0, 5, 40]);
      pacer.started();
      begun.push(now);
      const lasted = random.pick([0, 0, 1, 50, 500, 2_990, 3_000, 4_000]);
      now += lasted + random.pick([0, 0, 3, 90]);
      pacer.ended(lasted);
    }
    for (const [index, at] of begun.entries()) {
      const eleventh = begun[index + 10];
      if (eleventh !== undefined) expect(eleventh - at, `seed ${seed}, visit ${index}`).toBeGreaterThan(3_000);
    }
  }
});
