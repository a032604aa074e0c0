import { DisposableSlot, type Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import type { Moment } from '../../history/hold.ts';
import type { LockName } from '../../history/lockHistory.ts';
import type { Instant, Recording } from '../../replay/recording.ts';
import type { RecordedTime, SourceKind, Step } from '../clusters/recordedTime.ts';
import { nearest, RecordedSteps } from './steps.ts';

/** While playing, ms between two moments: a picture takes longer to be read and drawn than the eye to see a change. */
const frameMs = 250;

/** How often the files of a running server are looked at while they are followed, ms. */
const lookEveryMs = 1_000;

export interface MovingTimeParts {
  /** What the files are. Default: transaction logs. */
  kind?: SourceKind;
  /** Calls back every `ms` until the result is disposed. */
  every(callback: () => void, ms: number): Disposable;
  /** Monotonic ms. */
  now(): number;
  logger: Logger;
}

/** The moment of one opened recording: at its end first, then where the person goes. */
export class MovingTime implements RecordedTime, Disposable {
  readonly recording: Recording;
  readonly kind: SourceKind;
  readonly folder: string;
  readonly onMove: Event<undefined>;
  private readonly parts: MovingTimeParts;
  private readonly moved: Emitter<undefined>;
  private readonly player = new DisposableSlot();
  private readonly follower = new DisposableSlot();
  private readonly abort = new AbortController();
  private present: Moment;
  private times = 0;
  /** What the person did, but for steps: a step that takes longer is not taken any more. */
  private acts = 0;
  private steps: RecordedSteps;
  private isReading = false;

  constructor(recording: Recording, folder: string, parts: MovingTimeParts) {
    this.recording = recording;
    this.kind = parts.kind ?? 'logs';
    this.folder = folder;
    this.parts = parts;
    this.present = recording.to;
    this.steps = new RecordedSteps(recording);
    this.moved = new Emitter(parts.logger);
    this.onMove = this.moved.event;
  }

  get moment(): Moment {
    return this.present;
  }

  get speed(): number {
    return this.times;
  }

  get isFollowing(): boolean {
    return this.follower.value !== undefined;
  }

  moveTo(instant: Instant): void {
    this.acts++;
    this.stop();
    this.enter(instant);
  }

  async step(what: Step, direction: 1 | -1, lock?: LockName): Promise<boolean> {
    const { acts } = this;
    const moments = await this.steps.momentsOf(what, lock);
    if (acts !== this.acts) return true;
    const found = nearest(moments, direction, this.present);
    if (found === undefined) return false;
    this.stop();
    this.enter({ zxid: found.zxid });
    return true;
  }

  play(speed: number): void {
    this.acts++;
    this.stop();
    const { from, to } = this.recording;
    // At the end there is nothing left to play.
    if (this.present.zxid >= to.zxid && this.present.time >= to.time) this.present = from;
    const start = this.present.time;
    const begun = this.parts.now();
    this.times = speed;
    this.player.value = this.parts.every(() => {
      const time = start + Math.round((this.parts.now() - begun) * speed);
      if (time >= this.recording.to.time) this.moveTo({ zxid: this.recording.to.zxid });
      else this.enter({ time });
    }, frameMs);
    this.moved.fire(undefined);
  }

  pause(): void {
    this.acts++;
    this.stop();
    this.moved.fire(undefined);
  }

  follow(isWanted: boolean): void {
    this.acts++;
    this.stop();
    if (isWanted) {
      this.follower.value = this.parts.every(() => void this.readMore(), lookEveryMs);
      this.present = this.recording.to;
      void this.readMore();
    }
    this.moved.fire(undefined);
  }

  async readOn(): Promise<void> {
    await this.readMore();
  }

  dispose(): void {
    this.acts++;
    this.abort.abort();
    this.player.dispose();
    this.follower.dispose();
    this.moved.dispose();
  }

  private stop(): void {
    this.times = 0;
    this.player.value = undefined;
    this.follower.value = undefined;
  }

  /** Between two transactions time goes on, and the state is that after the first. */
  private enter(instant: Instant): void {
    const { recording } = this;
    const { zxid, time } = recording.momentAt(instant);
    const wanted = 'time' in instant ? Math.min(instant.time, recording.to.time) : time;
    this.present = { zxid, time: Math.max(time, wanted) };
    this.moved.fire(undefined);
  }

  private async readMore(): Promise<void> {
    // A long tail takes longer than the pause between two looks.
    if (this.isReading) return;
    this.isReading = true;
    const before = this.present;
    const isAtEnd = before.zxid >= this.recording.to.zxid && this.times === 0;
    try {
      if (!(await this.recording.readMore({ signal: this.abort.signal }))) return;
      this.steps = new RecordedSteps(this.recording);
      if (this.isFollowing || (isAtEnd && this.present === before)) this.present = this.recording.to;
      this.moved.fire(undefined);
    } catch (error) {
      if (this.abort.signal.aborted) return;
      this.parts.logger.warn(`Reading ${this.folder} again failed: ${String(error)}`);
      // It would fail each second, while the row says that the files are followed.
      if (this.isFollowing) this.pause();
    } finally {
      this.isReading = false;
    }
  }
}
