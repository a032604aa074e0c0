import { expect, it } from 'vitest';
import { LockCancelled, LockTimeout } from '../../../src/recipes/errors.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { ZooKeeperSession } from '../../../src/zookeeper/zooKeeperSession.ts';
import { eventually } from '../../support/eventually.ts';
import { serverWatches } from '../../support/serverWatches.ts';
import type { SpiedClient } from '../../support/spiedClient.ts';
import { allCases, begin, fill, lockOf, rivalOf, type RecipeCase } from './cases.ts';
import { useLockRealm } from './lockRealm.ts';

const realm = useLockRealm();

const attempts = 20;

interface Left {
  title: string;
  /** One-shot listeners of the session. */
  listeners: number;
}

/** What a session keeps of attempts at a taken lock, half of which time out while the others are cancelled. */
async function leftAfterAttempts(one: RecipeCase, rivals: SpiedClient): Promise<Left> {
  const path = `/locks/${one.title.replaceAll(/\W+/g, '-')}`;
  const leases = await fill(() => Promise.resolve(rivalOf(rivals, one, path)), one.limit);
  // Not a spy: it would hide that one listener is registered once.
  const session = await connect(realm.connectString);
  if (!(session instanceof ZooKeeperSession)) throw new Error('Not a session of ours.');
  try {
    // A session learns at its first lock what its server lacks.
    await (await lockOf(session, one, `${path}-first`).acquire({ timeoutMs: 20_000 })).release();
    const ends = await Promise.all(
      Array.from({ length: attempts }, async (_, index) => {
        const cancel = new AbortController();
        const attempt = begin(
          lockOf(session, one, path),
          index % 2 === 0 ? { timeoutMs: 1_500 } : { signal: cancel.signal },
        );
        const end = attempt.taking.catch((error: unknown) => error);
        // One that timed out before it could wait is an attempt too.
        await attempt.waits.catch(() => undefined);
        cancel.abort();
        return end;
      }),
    );
    for (const end of ends) expect([LockTimeout, LockCancelled].some(kind => end instanceof kind)).toBe(true);
    const listeners = session.watches.oneShotCount;
    // The server keeps one watch for each node that was waited for and is still there, however many attempts there were. On a
    // loaded machine an attempt may end before its node is gone.
    await eventually(async () =>
      expect((await serverWatches(session, realm)).length, one.title).toBeLessThanOrEqual(one.limit),
    );
    return { title: one.title, listeners };
  } finally {
    await Promise.all(leases.map(lease => lease.release()));
    await session.close();
  }
}

it('L35 attempts that time out or are cancelled leave no listener behind, in any recipe and dialect', async () => {
  const rivals = await realm.open();
  await (await lockOf(rivals, allCases[0]!, '/locks/first').acquire({ timeoutMs: 20_000 })).release();
  const left = await Promise.all(allCases.map(one => leftAfterAttempts(one, rivals)));
  expect(left.filter(({ listeners }) => listeners > 0)).toEqual([]);
});
