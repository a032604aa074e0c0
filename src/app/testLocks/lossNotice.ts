import { DisposableSlot, type Disposable } from '../../base/disposable.ts';
import type { TestLock } from './testLock.ts';

/** A session that ends takes all its locks at once: one message for them, not one each. */
const gatherMs = 50;

/** Gathers losses and tells them together; each lock is told once. */
export class LossNotice implements Disposable {
  private readonly schedule: (callback: () => void, ms: number) => Disposable;
  private readonly tell: (locks: readonly TestLock[]) => void;
  private readonly timer = new DisposableSlot();
  private readonly losses = new Set<TestLock>();

  constructor(schedule: (callback: () => void, ms: number) => Disposable, tell: (locks: readonly TestLock[]) => void) {
    this.schedule = schedule;
    this.tell = tell;
  }

  add(lock: TestLock): void {
    this.losses.add(lock);
    this.timer.value = this.schedule(() => {
      const locks = [...this.losses];
      this.losses.clear();
      this.tell(locks);
    }, gatherMs);
  }

  dispose(): void {
    this.timer.dispose();
  }
}
