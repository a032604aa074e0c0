import { expect, it } from 'vitest';
import { QuestionBudget } from '../../../../src/app/recorder/questionBudget.ts';

it('is kept in the long run, though a look costs more questions than may be asked at once', () => {
  let now = 0;
  const budget = new QuestionBudget(2, 1, () => now);
  let asked = 0;
  for (let look = 0; look < 10; look++) {
    now += budget.waitMs('zk1', 6);
    for (; asked < 6 * (look + 1); asked++) budget.spend('zk1');
  }
  expect(asked / (now / 60_000)).toBeLessThan(2.3);
  expect(budget.waitMs('zk2', 6)).toBe(0);
});
