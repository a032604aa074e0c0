import { describe, expect, it } from 'vitest';
import { startAheadOf } from '../../../../src/app/panel/aheadOf.ts';
import { contender } from '../../extension/fixtures.ts';

describe('who a contender waits for', () => {
  const long = Array.from({ length: 1_000 }, (_, at) =>
    contender(`n${at}`, at === 0 ? {} : { waitsFor: `n${at - 1}` }),
  );

  it.each([
    ['right before it', 500, 'n499', 500],
    ['at the head', 900, 'n0', 1],
    ['far from both', 900, 'n400', 401],
    ['behind it', 100, 'n800', 801],
  ])('is found %s', (_, at, waitsFor, position) => {
    expect(startAheadOf(long)({ ...long[at]!, waitsFor }, at)).toMatchObject({
      contender: { name: waitsFor },
      position,
    });
  });

  it('is no one for a holder, nor where the node is no contender', () => {
    const aheadOf = startAheadOf(long);
    expect(aheadOf(long[0]!, 0)).toBeUndefined();
    expect(aheadOf({ ...long[5]!, waitsFor: 'gone' }, 5)).toBeUndefined();
  });
});
