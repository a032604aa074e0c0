import { beforeEach, describe, expect, it, vi } from 'vitest';
import { toDisposable, type Disposable } from '../../../../src/base/disposable.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { MovingTime } from '../../../../src/app/recordings/movingTime.ts';
import { eventually } from '../../../support/eventually.ts';
import { at, FakeRecording, holdOf } from './fakeRecording.ts';

const changes = [{ at: 0 }, { at: 10 }, { at: 60 }, { at: 100 }];

let recording: FakeRecording;
let time: MovingTime;
let moves: number;
let clock: number;
let timers: Set<() => void>;

function every(callback: () => void): Disposable {
  timers.add(callback);
  return toDisposable(() => timers.delete(callback));
}

/** Time goes on, and what waits for it is called once. */
function pass(seconds: number): void {
  clock += seconds * 1_000;
  for (const call of [...timers]) call();
}

beforeEach(() => {
  [moves, clock, timers] = [0, 0, new Set()];
  recording = new FakeRecording(changes);
  time = new MovingTime(recording, '/logs', { every, now: () => clock, logger: nullLogger });
  time.onMove(() => moves++);
});

describe('the moment of a recording', () => {
  it('is the end at first', () => {
    expect(time.moment).toEqual(recording.to);
  });

  it('goes to a transaction, or to a time between two', () => {
    time.moveTo({ zxid: 4n });
    expect(time.moment).toEqual(at(4n, 10));
    time.moveTo({ time: 30_000 });
    expect(time.moment).toEqual(at(4n, 30));
    expect(moves).toBe(2);
  });

  it.each([
    [-50, at(3n, 0)],
    [500, at(6n, 100)],
  ])('stays within the recording (%i s)', (seconds, moment) => {
    time.moveTo({ time: seconds * 1_000 });
    expect(time.moment).toEqual(moment);
  });

  it('takes each of two steps that are asked for at once', async () => {
    recording.allHolds = [holdOf('a', at(4n, 10)), holdOf('b', at(5n, 60))];
    await Promise.all([time.step('hand-over', -1), time.step('hand-over', -1)]);
    expect(time.moment).toEqual(at(4n, 10));
  });

  it('does not take a step once the person has gone elsewhere', async () => {
    recording.allHolds = [holdOf('a', at(4n, 10))];
    const step = time.step('hand-over', -1);
    time.moveTo({ zxid: 3n });
    expect(await step).toBe(true);
    expect(time.moment.zxid).toBe(3n);
  });

  it('steps, and stays where there is no further step', async () => {
    recording.allHolds = [holdOf('a', at(4n, 10))];
    expect(await time.step('hand-over', -1)).toBe(true);
    expect(time.moment).toEqual(at(4n, 10));
    expect(await time.step('hand-over', -1)).toBe(false);
    expect(time.moment).toEqual(at(4n, 10));
  });

  it('plays at a speed, and pauses at the end', () => {
    time.moveTo({ zxid: 3n });
    time.play(10);
    pass(2);
    expect(time.moment).toEqual(at(4n, 20));
    expect(time.speed).toBe(10);
    pass(4);
    expect(time.moment).toEqual(at(5n, 60));
    pass(60);
    expect(time.moment).toEqual(at(6n, 100));
    expect([time.speed, timers.size]).toEqual([0, 0]);
  });

  it('plays from the start when it is at the end', () => {
    time.play(1);
    pass(5);
    expect(time.moment).toEqual(at(3n, 5));
  });

  it.each([
    ['a pause', () => time.pause()],
    ['a move', () => time.moveTo({ zxid: 3n })],
    ['its end', () => time.dispose()],
  ])('%s ends the playing', (_, end) => {
    time.play(1);
    end();
    expect(timers.size).toBe(0);
  });

  it('follows what is added, until it is moved', async () => {
    time.moveTo({ zxid: 3n });
    time.follow(true);
    expect([time.moment, time.isFollowing]).toEqual([at(6n, 100), true]);
    recording.coming = [{ at: 120 }];
    await eventually(() => {
      pass(1);
      expect(time.moment).toEqual(at(7n, 120));
    });
    time.moveTo({ zxid: 4n });
    expect([time.isFollowing, timers.size]).toEqual([false, 0]);
  });

  it('reads on once: the end stays the end, and another moment stays', async () => {
    recording.coming = [{ at: 120 }];
    await time.readOn();
    expect([time.moment, time.isFollowing]).toEqual([at(7n, 120), false]);
    time.moveTo({ zxid: 4n });
    recording.coming = [{ at: 140 }];
    await time.readOn();
    expect([time.moment, recording.to]).toEqual([at(4n, 10), at(8n, 140)]);
  });

  it('follows no longer what cannot be read, and says so once', async () => {
    const warnings: string[] = [];
    time = new MovingTime(recording, '/logs', {
      every,
      now: () => clock,
      logger: { ...nullLogger, warn: text => void warnings.push(text) },
    });
    vi.spyOn(recording, 'readMore').mockRejectedValue(new Error('gone'));
    let changes = 0;
    time.onMove(() => changes++);
    time.follow(true);
    await eventually(() => expect([time.isFollowing, timers.size, changes]).toEqual([false, 0, 2]));
    pass(1);
    expect(warnings).toHaveLength(1);
  });

  it('knows the steps of what was added', async () => {
    time.follow(true);
    expect(await time.step('hand-over', 1)).toBe(false);
    recording.coming = [{ at: 120 }];
    recording.allHolds = [holdOf('a', at(7n, 120))];
    time.follow(true);
    await eventually(() => {
      pass(1);
      expect(time.moment.zxid).toBe(7n);
    });
    time.moveTo({ zxid: 3n });
    expect(await time.step('hand-over', 1)).toBe(true);
  });
});
