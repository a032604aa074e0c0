import { describe, expect, it } from 'vitest';
import { SleepAwareClock } from '../../../src/base/sleepAwareClock.ts';

/** A machine whose clocks the test moves. */
class Machine {
  awakeMs = 5_000;
  bootMs = 905_000;
  wallMs = 1_700_000_000_000;
  /** How coarse the clock since boot is, ms. */
  resolutionMs = 10;
  /** How often it was asked. */
  questions = 0;
  /** For how long the program is frozen before the next answer of that clock, ms. */
  freezeMs = 0;

  readonly clock: SleepAwareClock;

  constructor(resolutionMs = 10) {
    this.resolutionMs = resolutionMs;
    this.clock = new SleepAwareClock({
      awake: () => this.awakeMs,
      sinceBoot: () => {
        this.questions++;
        this.run(this.freezeMs);
        this.freezeMs = 0;
        return Math.floor(this.bootMs / this.resolutionMs) * this.resolutionMs;
      },
      wall: () => this.wallMs,
    });
    this.questions = 0;
  }

  run(ms: number): void {
    this.awakeMs += ms;
    this.bootMs += ms;
    this.wallMs += ms;
  }

  sleep(ms: number): void {
    this.bootMs += ms;
    this.wallMs += ms;
  }
}

describe('the clock that knows of sleep', () => {
  it('is the monotonic clock while the machine is awake', () => {
    const machine = new Machine();
    for (let step = 0; step < 1_000; step++) {
      machine.run(37);
      expect(machine.clock.now()).toBe(machine.awakeMs);
    }
  });

  it('does not take the steps of a coarse clock for sleep', () => {
    const machine = new Machine(1_000);
    for (let step = 0; step < 1_000; step++) {
      machine.run(137);
      expect(machine.clock.now()).toBe(machine.awakeMs);
    }
  });

  it('F27 counts a sleep at the first look after it, and once', () => {
    const machine = new Machine();
    const before = machine.clock.now();
    machine.sleep(60_000);
    // The program goes on where it was: by the monotonic clock no time has passed.
    expect(machine.clock.now() - before).toBe(60_000);
    machine.run(500);
    expect(machine.clock.now() - before).toBe(60_500);
    machine.sleep(30_000);
    expect(machine.clock.now() - before).toBe(90_500);
  });

  it('adds up sleeps that are too short to distinguish from the steps of a clock', () => {
    const machine = new Machine();
    for (let nap = 0; nap < 10; nap++) {
      machine.sleep(600);
      machine.run(1_000);
      machine.clock.now();
    }
    expect(machine.clock.now() - machine.awakeMs).toBeGreaterThan(5_000);
    expect(machine.clock.now() - machine.awakeMs).toBeLessThanOrEqual(6_000);
  });

  it('F28 goes on evenly when the wall clock is set', () => {
    const machine = new Machine();
    for (const jump of [86_400_000, -172_800_000, 700, -700]) {
      machine.wallMs += jump;
      machine.run(20);
      expect(machine.clock.now()).toBe(machine.awakeMs);
    }
  });

  it('finds a sleep that a clock set back hides from the first look', () => {
    const machine = new Machine();
    machine.sleep(60_000);
    machine.wallMs -= 60_000;
    machine.run(100);
    expect(machine.clock.now() - machine.awakeMs).toBe(60_000);
  });

  it('never goes backwards, whatever the clock since boot says', () => {
    const machine = new Machine();
    machine.sleep(60_000);
    let last = machine.clock.now();
    for (const jump of [-30_000, -600_000, 10_000, 580_000]) {
      machine.bootMs += jump;
      machine.run(150);
      const now = machine.clock.now();
      expect(now).toBeGreaterThan(last);
      last = now;
    }
  });

  it('does not take it for sleep when the program is frozen between two of its questions', () => {
    const machine = new Machine();
    machine.run(100);
    machine.freezeMs = 5_000;
    machine.clock.now();
    expect(machine.clock.now()).toBe(machine.awakeMs);
  });

  it('asks for the time since boot no more than ten times a second', () => {
    const machine = new Machine();
    for (let look = 0; look < 10_000; look++) {
      machine.run(0.1);
      machine.clock.now();
    }
    expect(machine.questions).toBeLessThanOrEqual(10);
  });
});
