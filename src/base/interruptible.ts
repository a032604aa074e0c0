import { monotonicNow } from './deadline.ts';

/** Work that yields wherever it may be interrupted. What it works on must not change before it ends. */
export type Interruptible<T> = Generator<undefined, T, undefined>;

/** A part of a list takes a few ms at most, however much is done for each of its values. */
const partLength = 4_096;
/** After so many ms of work others get their turn: a fraction of the 50 ms that a person does not notice. */
const turnMs = 5;

/** Does the work without a pause. */
export function atOnce<T>(work: Interruptible<T>): T {
  let step = work.next();
  while (step.done !== true) step = work.next();
  return step.value;
}

/**
 * Does the work in turns of the event loop of about 5 ms, so that a long list delays neither other work nor the user. Short work
 * ends in the turn in which it began; what follows long work has a turn of its own.
 *
 * @param isWanted asked before each further turn; absent: it is done in any case
 * @returns the result; `undefined` once it is not wanted any more
 * @throws what the work throws
 */
export function inTurns<T>(work: Interruptible<T>): Promise<T>;
export function inTurns<T>(work: Interruptible<T>, isWanted: () => boolean): Promise<T | undefined>;
export async function inTurns<T>(work: Interruptible<T>, isWanted?: () => boolean): Promise<T | undefined> {
  let begun = monotonicNow();
  let isLong = false;
  for (let step = work.next(); ; step = work.next()) {
    const isOver = step.done === true;
    if (isOver ? isLong : monotonicNow() - begun >= turnMs) {
      await new Promise(resolve => setImmediate(resolve));
      if (isWanted?.() === false) return undefined;
      begun = monotonicNow();
      isLong = true;
    }
    if (step.done === true) return step.value;
  }
}

/**
 * Turns that pieces of work share, each of them short, which would follow each other without a pause: reads from memory, of each of
 * 1,000 locks.
 */
export class SharedTurns {
  private readonly waiting: (() => void)[] = [];
  private isRunning = false;
  /** When the present turn began, while it lasts. */
  private begun: number | undefined;

  /** To be awaited before each piece: one begins after the other, and what would make a turn longer than 5 ms waits for the next. */
  async share(): Promise<void> {
    await new Promise<void>(resolve => {
      this.waiting.push(resolve);
      if (!this.isRunning) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    for (let begin = this.waiting.shift(); begin !== undefined; begin = this.waiting.shift()) {
      if (this.isOver) await new Promise(resolve => setImmediate(resolve));
      begin();
      // Behind all that follows from the piece without a pause.
      await new Promise<void>(resolve => process.nextTick(resolve));
    }
    this.isRunning = false;
  }

  private get isOver(): boolean {
    if (this.begun === undefined) setImmediate(() => (this.begun = undefined));
    this.begun ??= monotonicNow();
    return monotonicNow() - this.begun >= turnMs;
  }
}

/** Calls for each value of a list, with its place, and may be interrupted between its parts. */
export function* forEachInParts<T>(all: readonly T[], call: (each: T, at: number) => void): Interruptible<void> {
  for (let start = 0; start < all.length; start += partLength) {
    if (start > 0) yield;
    // Functions of their own: a loop over 100,000 in a function that is called once runs in slow code.
    callPart(all, start, call);
  }
}

function callPart<T>(all: readonly T[], start: number, call: (each: T, at: number) => void): void {
  const end = Math.min(all.length, start + partLength);
  for (let at = start; at < end; at++) call(all[at] as T, at);
}
