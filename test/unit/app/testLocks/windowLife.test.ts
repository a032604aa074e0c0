import { beforeEach, describe, expect, it } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import type { Disposable } from '../../../../src/base/disposable.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import type { TestLock } from '../../../../src/app/testLocks/testLock.ts';
import { giveUpWithWindow } from '../../../../src/app/testLocks/windowLife.ts';
import { FakeTime } from './fakeTime.ts';
import { hold, testLock } from './testLockFixtures.ts';

let time: FakeTime;
let locks: TestLock[];
let changed: Emitter<TestLock>;
/** Answers of the window that are under way. */
let questions: { answer: () => void; fail: () => void }[];
let givenUp: (readonly TestLock[])[];
let life: Disposable;

beforeEach(() => {
  time = new FakeTime();
  locks = [];
  changed = new Emitter(nullLogger);
  questions = [];
  givenUp = [];
  const testLocks = {
    get all() {
      return locks;
    },
    onChange: changed.event,
    giveUpAll: () => {
      const former = locks;
      locks = former.map(({ request }) => testLock({ kind: 'auto-released', at: 1, cause: 'silent-window' }, request));
      changed.fire(locks[0]!);
      return Promise.resolve();
    },
  };
  const ping = (): Promise<void> =>
    new Promise((resolve, reject) => {
      questions.push({ answer: resolve, fail: () => reject(new Error('no window')) });
    });
  const parts = {
    ping,
    schedule: (callback: () => void, ms: number) => time.schedule(callback, ms),
    logger: nullLogger,
  };
  life = giveUpWithWindow(testLocks, parts, gone => givenUp.push(gone));
});

function show(...shown: TestLock[]): void {
  locks = shown;
  changed.fire(shown[0] ?? testLock());
}

/** Lets time pass as timers of a running machine do, ten seconds after ten seconds. */
async function pass(seconds: number, each: () => void = () => undefined): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 10) {
    each();
    // The answer comes before the next look.
    await new Promise(resolve => setImmediate(resolve));
    time.advance(10_000);
  }
  await new Promise(resolve => setImmediate(resolve));
}

const answerAll = (): void => {
  for (const { answer } of questions.splice(0)) answer();
};

describe('the window', () => {
  it('is asked nothing without test locks', async () => {
    show();
    show(testLock({ kind: 'auto-released', at: 0, cause: 'time' }));
    await pass(600);
    expect([questions.length, time.pending]).toEqual([0, 0]);
  });

  it.each([
    ['held', testLock()],
    ['waited for', testLock({ kind: 'waiting', standing: undefined, uncertain: false })],
    ['connecting', testLock({ kind: 'connecting' })],
    ['not released', testLock({ kind: 'stuck', hold, error: new Error('refused') })],
    ['lost, one of several', testLock({ kind: 'lost', hold, cause: undefined, at: 0 }, { paths: ['/a', '/b'] })],
  ])('loses a test lock that is %s after 60 s without an answer', async (_, lock) => {
    show(lock);
    await pass(50);
    expect(givenUp).toEqual([]);
    await pass(10);
    expect(givenUp).toEqual([[lock]]);
    // One question is enough for a window that comes back, and none is open for locks that are gone.
    expect([questions.length, time.pending]).toEqual([1, 0]);
  });

  it('keeps them as long as it answers, however late', async () => {
    show(testLock());
    await pass(3_600, answerAll);
    await pass(50);
    answerAll();
    await pass(50);
    expect(givenUp).toEqual([]);
    expect(time.pending).toBe(1);
  });

  it('keeps them over a sleep of the machine, which is one late look', async () => {
    show(testLock());
    await pass(20, answerAll);
    time.advance(8 * 3_600_000);
    await pass(20, answerAll);
    expect(givenUp).toEqual([]);
  });

  it('is gone also when the question comes back unanswered', async () => {
    show(testLock());
    await pass(60, () => {
      for (const { fail } of questions.splice(0)) fail();
    });
    expect(givenUp).toHaveLength(1);
  });

  it('is asked afresh for the next lock, and no more when the last one ends', async () => {
    show(testLock());
    await pass(60);
    answerAll();
    await pass(10);
    show(testLock());
    await pass(50);
    show();
    expect(time.pending).toBe(0);
    show(testLock());
    await pass(50);
    expect(givenUp).toHaveLength(1);
    life.dispose();
    expect(time.pending).toBe(0);
  });
});
