import { expect, it } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import type { TestLock } from '../../../../src/app/testLocks/testLock.ts';
import { TestLockLog } from '../../../../src/app/testLocks/testLockLog.ts';
import { hold, testLock } from './testLockFixtures.ts';

it('the log has each state once, in the order of the changes, and when a row goes', () => {
  const changed = new Emitter<TestLock>(nullLogger);
  const there = new Set<TestLock>();
  const log = new TestLockLog({ onChange: changed.event, has: lock => there.has(lock) });
  const [one, two] = [testLock(), testLock()];
  const change = (lock: TestLock, state?: TestLock['state']): void => {
    if (state === undefined) there.delete(lock);
    else [lock.state] = [state, there.add(lock)];
    changed.fire(lock);
  };
  const waiting = { kind: 'waiting', standing: undefined, uncertain: false } as const;
  change(one, { kind: 'connecting' });
  change(two, waiting);
  change(two, { ...waiting, uncertain: true });
  change(one, { kind: 'held', hold });
  change(one, { kind: 'releasing', hold });
  change(one);
  expect(log.events.map(({ lock, to }) => [lock === one ? 1 : 2, to.kind])).toEqual([
    ...[[1, 'connecting'], [2, 'waiting'], [1, 'held'], [1, 'releasing'], [1, 'gone']],
  ]); // prettier-ignore
  for (let count = 0; count < 3_000; count++) change(two, count % 2 === 0 ? { kind: 'connecting' } : waiting);
  expect(log.events).toHaveLength(1_000);
  log.dispose();
  expect(changed.listenerCount).toBe(0);
});
