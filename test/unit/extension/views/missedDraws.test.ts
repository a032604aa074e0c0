import { beforeEach, describe, expect, it } from 'vitest';
import { toDisposable } from '../../../../src/base/disposable.ts';
import { MissedDraws } from '../../../../src/extension/views/missedDraws.ts';

let due: (() => void) | undefined;
let again: (object | undefined)[];
let draws: MissedDraws<object>;

const [one, other] = [{ name: 'one' }, { name: 'other' }];

beforeEach(() => {
  [due, again] = [undefined, []];
  draws = new MissedDraws({
    again: rows => void again.push(...rows),
    schedule: callback => {
      due = callback;
      return toDisposable(() => (due = undefined));
    },
  });
});

/** The time for an answer passes. */
function pass(): void {
  const callback = due;
  due = undefined;
  callback?.();
}

describe('a row that was drawn', () => {
  it.each([[one], [undefined]])('is drawn once more when nothing below it is asked for: %o', row => {
    draws.forgets(row);
    pass();
    // It may have been drawn just before.
    expect(again).toEqual([]);
    pass();
    expect(again).toEqual([row]);
  });

  it.each([[one], [undefined]])('is not when that is asked for: %o', row => {
    draws.forgets(row);
    draws.asked(row);
    pass();
    pass();
    draws.forgets(row);
    pass();
    draws.asked(row);
    pass();
    expect(again).toEqual([]);
    expect(due).toBeUndefined();
  });

  it('is drawn once more only once, until it is asked about', () => {
    for (let time = 0; time < 3; time++) {
      draws.forgets(one);
      pass();
      pass();
    }
    expect(again).toEqual([one]);
    draws.asked(one);
    draws.forgets(one);
    pass();
    pass();
    expect(again).toEqual([one, one]);
  });

  it('does not speak for another one', () => {
    draws.forgets(one);
    draws.forgets(other);
    draws.asked(one);
    pass();
    pass();
    expect(again).toEqual([other]);
  });

  it('has its time again when it is drawn again', () => {
    draws.forgets(one);
    pass();
    draws.forgets(one);
    pass();
    expect(again).toEqual([]);
    pass();
    expect(again).toEqual([one]);
  });

  it('is not waited for after the end', () => {
    draws.forgets(one);
    draws.dispose();
    expect(due).toBeUndefined();
    draws.forgets(one);
    pass();
    pass();
    expect(again).toEqual([]);
  });
});
