import { expect, it } from 'vitest';
import { onceDone } from '../../../src/base/onceDone.ts';

/** Work whose attempts are settled by the test. */
function openWork(): { attempts: PromiseWithResolvers<string>[]; work: () => Promise<string> } {
  const attempts: PromiseWithResolvers<string>[] = [];
  const work = (): Promise<string> => {
    const attempt = Promise.withResolvers<string>();
    attempts.push(attempt);
    return attempt.promise;
  };
  return { attempts, work };
}

it('work is done once, for calls during it and for later ones', async () => {
  const { attempts, work } = openWork();
  const once = onceDone(work);
  expect(attempts).toHaveLength(0);
  const calls = [once(), once()];
  attempts[0]!.resolve('done');
  expect(await Promise.all(calls)).toEqual(['done', 'done']);
  expect(await once()).toBe('done');
  expect(attempts).toHaveLength(1);
});

it('a failed attempt fails for all its calls, and the next call tries again', async () => {
  const { attempts, work } = openWork();
  const once = onceDone(work);
  const calls = [once(), once()];
  attempts[0]!.reject(new Error('no file'));
  for (const call of calls) await expect(call).rejects.toThrow('no file');
  const again = once();
  expect(attempts).toHaveLength(2);
  attempts[1]!.resolve('done');
  expect(await again).toBe('done');
});
