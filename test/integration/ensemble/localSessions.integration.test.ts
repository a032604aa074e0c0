import { describe, expect, it } from 'vitest';
import { QuestionBudget } from '../../../src/app/recorder/questionBudget.ts';
import { ServerQuestions } from '../../../src/app/recorder/serverQuestions.ts';
import { monotonicNow } from '../../../src/base/deadline.ts';
import { createLock } from '../../../src/recipes/createLock.ts';
import type { SessionStateChange, ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { eventually } from '../../support/eventually.ts';
import { useEnsemble } from '../../support/useEnsemble.ts';
import type { ZooKeeperEnsemble } from '../../support/zookeeperServer.ts';

const recipes = ['mutex', 'exclusive', 'read', 'semaphore'] as const;

/** The leader refuses by itself, a follower before it asks the leader. */
async function onLeaderAndFollower(
  ensemble: ZooKeeperEnsemble,
  run: (client: ZooKeeperClient) => Promise<void>,
): Promise<void> {
  const leader = await ensemble.complete();
  for (const index of [leader, (leader + 1) % 3]) {
    const client = await connect(`127.0.0.1:${ensemble.ports[index]!}`, { sessionTimeoutMs: 20_000 });
    try {
      await run(client);
    } finally {
      await client.close();
    }
  }
}

describe('F38 an ensemble whose sessions are local', () => {
  const ensemble = useEnsemble({ config: { localSessionsEnabled: 'true' } });

  it('refuses every lock with a reason of its own, and the session goes on', () =>
    onLeaderAndFollower(ensemble(), async client => {
      for (const recipe of recipes) {
        const attempt = createLock(client, `/locks/of-${recipe}`, { recipe }).acquire({ timeoutMs: 10_000 });
        await expect(attempt).rejects.toMatchObject({ codeName: 'EPHEMERAL_ON_LOCAL_SESSION' });
      }
      expect(client.state).toBe('connected');
      expect(await client.exists('/')).toBeDefined();
    }));

  it('another server does not know the session of one that ended: lost at once, with that reason', async () => {
    const client = await connect(ensemble().connectString, { sessionTimeoutMs: 40_000 });
    const changes: SessionStateChange[] = [];
    client.onState(change => changes.push(change));
    const index = ensemble().servers.findIndex(({ port }) => client.server === `127.0.0.1:${port}`);
    try {
      await ensemble().servers[index]!.kill();
      await eventually(() => expect(client.state).toBe('lost'), 30_000);
      expect(changes.at(-1)?.cause).toMatchObject({ kind: 'expired' });
    } finally {
      await client.close();
      await ensemble().launch();
    }
  });
});

describe('F38 an ensemble whose local sessions become global with their first ephemeral node', () => {
  const ensemble = useEnsemble({ config: { localSessionsEnabled: 'true', localSessionsUpgradingEnabled: 'true' } });

  it('grants every lock', () =>
    onLeaderAndFollower(ensemble(), async client => {
      for (const recipe of recipes) {
        const lease = await createLock(client, `/locks/of-${recipe}`, { recipe }).acquire({ timeoutMs: 10_000 });
        expect((await client.exists(lease.path))?.ephemeralOwner).toBe(client.sessionId);
        expect(lease.state).toBe('held');
        await lease.release();
      }
    }));
});

describe('the AdminServer of a leader whose sessions may be local', () => {
  const ensemble = useEnsemble({
    config: { localSessionsEnabled: 'true', localSessionsUpgradingEnabled: 'true' },
    adminServer: true,
  });

  it('gives a list that counts only while none is', async () => {
    const leader = ensemble().servers[await ensemble().complete()]!;
    const address = `127.0.0.1:${leader.port}`;
    const own = await connect(address, { sessionTimeoutMs: 20_000 });
    try {
      // Its own session becomes global.
      await own.create('/own', { mode: 'ephemeral' });
      const questions = new ServerQuestions({
        servers: () =>
          Promise.resolve({
            servers: [{ host: '127.0.0.1', port: leader.port }],
            options: { adminServer: { port: leader.adminPort! }, fourLetterWords: false },
          }),
        client: own,
        budget: new QuestionBudget(1_000, 1_000, monotonicNow),
        clock: monotonicNow,
        signal: new AbortController().signal,
      });
      const list = () => questions.sessionList({ isMissing: () => true, isCounted: true });
      expect(await list()).toMatchObject({ areGlobal: true });
      const other = await connect(address, { sessionTimeoutMs: 20_000 });
      try {
        expect(await list()).toBeUndefined();
        await other.create('/other', { mode: 'ephemeral' });
        expect((await list())?.ids).toContain(other.sessionId);
      } finally {
        await other.close();
      }
    } finally {
      await own.close();
    }
  });
});
