import { DisposableSlot, DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { endsWithWindow, type TestLock } from './testLock.ts';
import type { TestLockRegistry } from './testLockRegistry.ts';

export interface WindowLifeParts {
  /** Asks the window for anything at all: settles when it has answered, and not before it is back if it is gone. */
  ping(): PromiseLike<unknown>;
  schedule(callback: () => void, ms: number): Disposable;
  logger: Logger;
}

const lookEveryMs = 10_000;

/**
 * Looks in a row without an answer until the window counts as gone: a question was open for 60 s. They are counted, since a
 * machine that slept comes back with a clock that has moved on and a window that is as good as before.
 */
const longestSilence = 6;

/** Looks for a sign of life of the window, for as long as that is asked for. */
class WindowLife implements Disposable {
  private readonly parts: WindowLifeParts;
  private readonly onSilence: () => void;
  private readonly timer = new DisposableSlot();
  private silentLooks = 0;
  private isAsked = false;

  constructor(parts: WindowLifeParts, onSilence: () => void) {
    this.parts = parts;
    this.onSilence = onSilence;
  }

  start(): void {
    if (this.timer.value === undefined) this.look();
  }

  stop(): void {
    this.timer.value = undefined;
    this.silentLooks = 0;
  }

  dispose(): void {
    this.timer.dispose();
  }

  private look(): void {
    if (this.silentLooks === longestSilence) {
      this.stop();
      this.onSilence();
      return;
    }
    this.silentLooks++;
    void this.ask();
    this.timer.value = this.parts.schedule(() => this.look(), lookEveryMs);
  }

  /** One question at a time: a window that comes back answers all that have piled up. */
  private async ask(): Promise<void> {
    if (this.isAsked) return;
    this.isAsked = true;
    try {
      await this.parts.ping();
      this.silentLooks = 0;
    } catch {
      // An answer that did not come from the window, which may be gone.
    } finally {
      this.isAsked = false;
    }
  }
}

/**
 * Gives up the test locks of a window that does not answer for 60 s. The page of a remote window may crash or lose its network;
 * the extension host lives on for hours in case it comes back, and would hold locks that no one sees any more. The window is
 * asked only while there are such locks.
 *
 * @param onGivenUp called with them, once it is done
 */
export function giveUpWithWindow(
  testLocks: Pick<TestLockRegistry, 'all' | 'onChange' | 'giveUpAll'>,
  parts: WindowLifeParts,
  onGivenUp: (locks: readonly TestLock[]) => void,
): Disposable {
  const giveUp = async (): Promise<void> => {
    const locks = testLocks.all.filter(endsWithWindow);
    parts.logger.warn(`The window has not answered for 60 s: ${locks.length} test lock(s) are given up.`);
    await testLocks.giveUpAll();
    onGivenUp(locks);
  };
  const owned = new DisposableStore();
  const life = owned.add(new WindowLife(parts, () => void giveUp()));
  owned.add(
    testLocks.onChange(() => {
      if (testLocks.all.some(endsWithWindow)) life.start();
      else life.stop();
    }),
  );
  return owned;
}
