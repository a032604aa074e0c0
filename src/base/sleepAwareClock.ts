/** What a machine can be asked for; all in milliseconds. */
export interface MachineClocks {
  /** Monotonic; stands still while the machine sleeps. */
  awake(): number;
  /** Since the machine was started, its sleep included; may be coarse, and costs a system call or more. */
  sinceBoot(): number;
  /** May be set by anybody at any time. */
  wall(): number;
}

/** Less than this is no sleep: the clocks are read one after the other, and some know full seconds only. */
const shortestSleepMs = 1_000;
/** So long nothing but the wall clock is compared. */
const sampleEveryMs = 100;
const wallJumpMs = 500;

/**
 * A monotonic clock that also counts the time for which the machine slept, as soon as it is looked at.
 *
 * The clock since boot is too dear to be asked at every look. After a sleep the wall clock has jumped, and that is cheap to
 * see: it decides when to ask, never what the time is. Somebody who sets it causes one more question, or, if it is set at the
 * very moment of the waking, an answer that comes 100 ms later.
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

  /** Several short sleeps add up. A program that is frozen between two questions must not take that for sleep: hence the order. */
  private measure(): void {
    const sinceBoot = this.clocks.sinceBoot();
    const sleptMs = sinceBoot - this.clocks.awake() - this.aheadAtStart;
    if (sleptMs - this.sleptMs > shortestSleepMs) this.sleptMs = sleptMs;
  }
}
