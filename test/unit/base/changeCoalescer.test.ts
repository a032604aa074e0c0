import { beforeEach, describe, expect, it } from 'vitest';
import { toDisposable } from '../../../src/base/disposable.ts';
import { ChangeCoalescer } from '../../../src/extension/views/changeCoalescer.ts';

let clock: number;
let timers: { at: number; callback: () => void }[];
let flushed: { at: number; changes: string[] }[];
let coalescer: ChangeCoalescer<string>;

beforeEach(() => {
  clock = 0;
  timers = [];
  flushed = [];
  coalescer = new ChangeCoalescer({
    flush: changes => flushed.push({ at: clock, changes: [...changes] }),
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

describe('ChangeCoalescer', () => {
  it('tells a first change soon, with those that come along', () => {
    coalescer.add('a');
    coalescer.add('b');
    coalescer.add('a');
    runUntil(100);
    expect(flushed).toEqual([{ at: 20, changes: ['a', 'b'] }]);
  });

  it('keeps telling of a lock that never rests, further apart than the pause that VS Code waits for', () => {
    runUntil(2_000, at => {
      coalescer.add(`change ${String(at)}`);
    });
    const gaps = flushed.slice(1).map(({ at }, index) => at - flushed[index]!.at);
    expect(flushed.length).toBeGreaterThan(8);
    expect(Math.min(...gaps)).toBeGreaterThan(200);
    expect(Math.max(...gaps)).toBeLessThan(230);
  });

  it('tells less often what takes long to draw', () => {
    let cost = 25;
    coalescer = new ChangeCoalescer({
      flush: changes => {
        flushed.push({ at: clock, changes: [...changes] });
        clock += cost;
      },
      schedule: (callback, ms) => {
        timers.push({ at: clock + ms, callback });
        return toDisposable(() => undefined);
      },
      now: () => clock,
    });
    runUntil(2_000, at => coalescer.add(`change ${String(at)}`));
    const gaps = flushed.slice(1).map(({ at }, index) => at - flushed[index]!.at);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(500);
    cost = 0;
    flushed = [];
    runUntil(4_000, at => coalescer.add(`change ${String(at)}`));
    const [first, second] = flushed.slice(-2);
    expect(second!.at - first!.at).toBeLessThan(230);
  });

  it('tells at once when asked, and nothing after its end', () => {
    coalescer.add('a');
    coalescer.flush();
    coalescer.flush();
    expect(flushed).toEqual([{ at: 0, changes: ['a'] }]);
    coalescer.add('b');
    coalescer.dispose();
    runUntil(1_000);
    expect(flushed).toHaveLength(1);
    expect(timers).toEqual([]);
  });
});
