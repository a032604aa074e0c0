import type { Disposable } from '../../base/disposable.ts';
import type { TestLock, TestLockState } from './testLock.ts';
import type { TestLockRegistry } from './testLockRegistry.ts';

/** A step in the life of a test lock. `gone`: its row is gone. */
export interface TestLockEvent {
  readonly lock: TestLock;
  readonly to: TestLockState | { readonly kind: 'gone' };
}

/** Events that are kept: a scenario of more is read by no one. */
const mostEvents = 1_000;

/** The order in which this window took and released its test locks, since it was opened. */
export class TestLockLog implements Disposable {
  readonly events: TestLockEvent[] = [];
  private readonly last = new WeakMap<TestLock, TestLockEvent['to']['kind']>();
  private readonly following: Disposable;

  constructor(registry: Pick<TestLockRegistry, 'onChange' | 'has'>) {
    this.following = registry.onChange(lock => {
      const to = registry.has(lock) ? lock.state : ({ kind: 'gone' } as const);
      if (this.last.get(lock) === to.kind) return;
      this.last.set(lock, to.kind);
      this.events.push({ lock, to });
      if (this.events.length > mostEvents) this.events.shift();
    });
  }

  dispose(): void {
    this.following.dispose();
  }
}
