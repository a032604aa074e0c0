/** The clocks of a machine, all in milliseconds. */
export interface MachineClocks {
  /** Monotonic; stands still while the machine sleeps. */
  awake(): number;
  /** Since the machine was started, its sleep included; may be coarse, and costs a system call or more. */
  sinceBoot(): number;
  /** May be set by the user at any time. */
  wall(): number;
}

/** Less than this is no sleep: the clocks are read one after the other, and some count full seconds only. */
const shortestSleepMs = 1_000;
/** For this long only the wall clock is compared. */
const sampleEveryMs = 100;
const wallJumpMs = 500;

/**
 * A monotonic clock that also counts the time for which the machine slept, as soon as it is read.
 *
 * Reading the clock since boot costs too much for every use. After a sleep the wall clock has jumped, which is cheap to detect:
 * it decides when the clock since boot is read, never what the time is. A user who sets the wall clock causes one more reading,
 * or, exactly at the end of a sleep, a time that is right 100 ms later.
 */
export class SleepAwareClock {
  private readonly clocks: MachineClocks;
  private readonly aheadAtStart: number;
  private sleptMs = 0;
  private sampledAt = 0;
  private wallAhead = 0;

  constructor(clocks: MachineClocks) {
    this.clocks = clocks;
    const awake = clocks.awake();
    this.aheadAtStart = clocks.sinceBoot() - awake;
    this.remember(awake, clocks.wall() - awake);
  }

  now(): number {
    const awake = this.clocks.awake();
    const wallAhead = this.clocks.wall() - awake;
    if (awake - this.sampledAt >= sampleEveryMs || Math.abs(wallAhead - this.wallAhead) > wallJumpMs) {
      this.remember(awake, wallAhead);
      this.measure();
    }
    return awake + this.sleptMs;
  }

  private remember(awake: number, wallAhead: number): void {
    this.sampledAt = awake;
    this.wallAhead = wallAhead;
  }

  /** Several short sleeps add up. A pause of this program between two readings must not count as sleep: hence the order. */
  private measure(): void {
    const sinceBoot = this.clocks.sinceBoot();
    const sleptMs = sinceBoot - this.clocks.awake() - this.aheadAtStart;
    if (sleptMs - this.sleptMs > shortestSleepMs) this.sleptMs = sleptMs;
  }
}
