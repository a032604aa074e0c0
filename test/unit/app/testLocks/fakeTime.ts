import { toDisposable, type Disposable } from '../../../../src/base/disposable.ts';

/** Timers that go off when the test moves the time. */
export class FakeTime {
  now = 0;
  private readonly timers = new Set<{ at: number; callback: () => void }>();

  get pending(): number {
    return this.timers.size;
  }

  schedule(callback: () => void, ms: number): Disposable {
    const timer = { at: this.now + ms, callback };
    this.timers.add(timer);
    return toDisposable(() => this.timers.delete(timer));
  }

  advance(ms: number): void {
    this.now += ms;
    for (const timer of [...this.timers].filter(({ at }) => at <= this.now)) {
      this.timers.delete(timer);
      timer.callback();
    }
  }
}
