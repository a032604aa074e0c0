import { beforeEach, describe, expect, it } from 'vitest';
import { toDisposable } from '../../../src/base/disposable.ts';
import { Pacer } from '../../../src/base/pacer.ts';
import { panelPace } from '../../../src/app/panel/lockPanel.ts';
import { treePace } from '../../../src/extension/views/treePacer.ts';

let clock: number;
let timers: { at: number; callback: () => void }[];
let flushed: { at: number; changes: string[] }[];
let pacer: Pacer<string>;

beforeEach(() => {
  clock = 0;
  timers = [];
  flushed = [];
  pacer = new Pacer({
    ...treePace,
    call: changes => void flushed.push({ at: clock, changes: [...changes] }),
    schedule: (callback, ms) => {
      const timer = { at: clock + ms, callback };
      timers.push(timer);
      return toDisposable(() => {
        timers = timers.filter(other => other !== timer);
      });
    },
    now: () => clock,
  });
});

function runUntil(end: number, change?: (at: number) => void): void {
  for (; clock < end; clock++) {
    change?.(clock);
    const due = timers.filter(timer => timer.at <= clock);
    timers = timers.filter(timer => timer.at > clock);
    for (const timer of due) timer.callback();
  }
}

describe('Pacer at the pace of a tree', () => {
  it('reports a first change soon, with those that come along', () => {
    pacer.add('a');
    pacer.add('b');
    pacer.add('a');
    runUntil(100);
    expect(flushed).toEqual([{ at: 20, changes: ['a', 'b'] }]);
  });

  it('keeps telling of a lock that never rests, further apart than the pause that VS Code waits for', () => {
    runUntil(2_000, at => {
      pacer.add(`change ${String(at)}`);
    });
    const gaps = flushed.slice(1).map(({ at }, index) => at - flushed[index]!.at);
    expect(flushed.length).toBeGreaterThan(8);
    expect(Math.min(...gaps)).toBeGreaterThan(200);
    expect(Math.max(...gaps)).toBeLessThan(230);
  });

  it('reports less often what takes long to draw', () => {
    let cost = 25;
    pacer = new Pacer({
      ...treePace,
      call: changes => {
        flushed.push({ at: clock, changes: [...changes] });
        clock += cost;
      },
      schedule: (callback, ms) => {
        timers.push({ at: clock + ms, callback });
        return toDisposable(() => undefined);
      },
      now: () => clock,
    });
    runUntil(2_000, at => pacer.add(`change ${String(at)}`));
    const gaps = flushed.slice(1).map(({ at }, index) => at - flushed[index]!.at);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(500);
    cost = 0;
    flushed = [];
    runUntil(4_000, at => pacer.add(`change ${String(at)}`));
    const [first, second] = flushed.slice(-2);
    expect(second!.at - first!.at).toBeLessThan(230);
  });

  it('reports at once when flushed, and nothing after its end', () => {
    pacer.add('a');
    pacer.flush();
    pacer.flush();
    expect(flushed).toEqual([{ at: 0, changes: ['a'] }]);
    pacer.add('b');
    pacer.dispose();
    runUntil(1_000);
    expect(flushed).toHaveLength(1);
    expect(timers).toEqual([]);
  });
});

describe('Pacer at the pace of a panel', () => {
  it('calls soon, then at most every 100 ms, and not after it was cancelled', () => {
    let clock = 0;
    let timer: { callback: () => void; at: number } | undefined;
    const calls: number[] = [];
    const pacer = new Pacer<'page'>({
      ...panelPace,
      call: () => void calls.push(clock),
      schedule: (callback, ms) => {
        const own = { callback, at: clock + ms };
        timer = own;
        return toDisposable(() => {
          if (timer === own) timer = undefined;
        });
      },
      now: () => clock,
    });
    for (; clock < 1_000; clock++) {
      pacer.add('page');
      if (timer !== undefined && timer.at <= clock) {
        const { callback } = timer;
        timer = undefined;
        callback();
      }
    }
    expect(calls).toEqual([10, 110, 210, 310, 410, 510, 610, 710, 810, 910]);
    pacer.cancel();
    expect(timer).toBeUndefined();
    pacer.add('page');
    pacer.dispose();
    expect(timer).toBeUndefined();
  });
});

describe('Pacer of costly calls', () => {
  it.each([
    [2, 100],
    [20, 240],
    [400, 500],
  ])('after one of %i ms leaves %i ms from its start', (costMs, expected) => {
    let clock = 1_000;
    const waits: number[] = [];
    const timers: (() => void)[] = [];
    const pacer = new Pacer<'page'>({
      ...panelPace,
      call: () => {
        clock += costMs;
      },
      schedule: (callback, ms) => {
        waits.push(ms);
        timers.push(callback);
        return toDisposable(() => undefined);
      },
      now: () => clock,
    });
    pacer.add('page');
    timers.shift()?.();
    pacer.add('page');
    expect(waits[1]).toBe(expected - costMs);
    pacer.dispose();
  });
});

describe('Pacer of calls that take turns', () => {
  it('makes no other call before the first is over, and rests then', async () => {
    let clock = 1_000;
    const calls: string[][] = [];
    const waits: number[] = [];
    const timers: (() => void)[] = [];
    const newEnd = () => Promise.withResolvers<undefined>();
    let end = newEnd();
    const pacer = new Pacer<string>({
      gatherMs: 10,
      spacingMs: 100,
      restPerWork: 3,
      longestSpacingMs: 1_000,
      call: changes => {
        calls.push([...changes]);
        return end.promise.then(() => undefined);
      },
      schedule: (callback, ms) => {
        waits.push(ms);
        timers.push(callback);
        return toDisposable(() => undefined);
      },
      now: () => clock,
    });
    pacer.add('one');
    timers.shift()?.();
    pacer.add('two');
    pacer.flush();
    expect([calls, timers]).toEqual([[['one']], []]);
    clock += 200;
    end.resolve(undefined);
    end = newEnd();
    await new Promise(resolve => setImmediate(resolve));
    expect(waits).toEqual([10, 400]);
    timers.shift()?.();
    expect(calls).toEqual([['one'], ['two']]);
    pacer.dispose();
    end.resolve(undefined);
    await new Promise(resolve => setImmediate(resolve));
    expect(timers).toEqual([]);
  });
});
