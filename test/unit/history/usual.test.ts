import { describe, expect, it } from 'vitest';
import { isFarOutside, usualOf } from '../../../src/history/usual.ts';
import { at, holdOf, waitOf } from '../app/recordings/fakeRecording.ts';

/** One hold after the other, each of 2 s. */
const holds = Array.from({ length: 30 }, (_, index) => {
  const from = at(BigInt(10 + 2 * index), 10 * index);
  return holdOf(`n-${String(index)}`, from, at(BigInt(11 + 2 * index), 10 * index + 2));
});

describe('what is usual for a lock', () => {
  it('is how long it is held and waited for, of what was seen from begin to end', () => {
    const queued = at(1n, 5);
    const waited = holdOf('waited', at(101n, 400), at(102n, 403), { queued, czxid: 1n });
    const before = holdOf('before', at(2n, 0), at(3n, 9_000), { isFromBefore: true });
    const unseen = holdOf('unseen', at(2n, 0), at(3n, 9_000), { ended: 'unknown', isEndUnseen: true });
    const open = holdOf('open', at(2n, 0));
    const inVain = waitOf('in-vain', at(1n, 0), at(2n, 50));
    const lasts = waitOf('lasts', at(1n, 0));
    const usual = usualOf([before, unseen, open, ...holds, waited], [inVain, lasts]);
    expect(usual.hold).toEqual({ samples: 31, p50: 2_000, p95: 2_000, max: 3_000 });
    expect(usual.wait).toEqual({ samples: 2, p50: 50_000, p95: 395_000, max: 395_000 });
  });

  it('counts an end that was seen though its cause is not known', () => {
    const seen = holdOf('seen', at(1n, 0), at(2n, 7), { ended: 'unknown' });
    expect(usualOf([seen], []).hold).toMatchObject({ samples: 1, max: 7_000 });
  });

  it('is what had ended at a moment', () => {
    expect(usualOf(holds, [], at(15n, 22)).hold.samples).toBe(3);
    expect(usualOf(holds, [], at(14n, 21)).hold.samples).toBe(2);
  });

  it('is never negative, whatever the clocks of leaders say', () => {
    expect(usualOf([holdOf('back', at(1n, 10), at(2n, 5))], []).hold).toMatchObject({ max: 0 });
  });
});

describe('far outside', () => {
  const usual = { samples: 20, p50: 1_000, p95: 2_000, max: 6_500 };

  it.each([
    ['longer than each, and by far', 7_000, usual, true],
    ['not longer than the longest', 6_500, usual, false],
    ['of too few to say', 7_000, { ...usual, samples: 19 }, false],
    ['near to what is ordinary', 7_000, { ...usual, p95: 2_500 }, false],
    ['too short to be noticed', 5_000, { ...usual, p95: 10, max: 20 }, false],
    ['of nothing', 7_000, { samples: 0 }, false],
  ])('is what is %s', (_, ms, figures, isFar) => {
    expect(isFarOutside(ms, figures)).toBe(isFar);
  });
});
