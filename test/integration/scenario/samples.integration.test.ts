import { describe, expect, it } from 'vitest';
import { fourLetterWord } from '../../../scripts/zookeeper/fourLetterWord.ts';
import { onSandbox } from '../../../src/scenario/scenarioCluster.ts';
import { startSandbox } from '../../../src/sandbox/startSandbox.ts';
import { eventually } from '../../support/eventually.ts';
import { useTestRealm } from '../../support/freshChroot.ts';
import { failureLine, playText, samples, watchedCluster } from '../../support/scenarioPlays.ts';

/** All samples together on the sandbox, ms; they take some 1.2 s on an idle machine. */
const sampleLimitMs = 5_000;

describe('the samples', () => {
  const realm = useTestRealm();

  it('are the ten topics, and more', () => {
    expect(samples.length).toBeGreaterThanOrEqual(10);
  });

  it.each(samples)('%s passes on a server, and leaves nothing there', async (_, text) => {
    const { cluster, sessionIds } = watchedCluster(realm.connectString);
    const result = await playText(text, cluster);
    expect(failureLine(result.failure)).toBe('passed');
    expect(result.left).toEqual([]);
    expect(await realm.observer.ls('/')).toEqual([]);
    const [host = '', port] = realm.serverConnectString.split(':');
    await eventually(async () => {
      const dump = await fourLetterWord(host, Number(port), 'dump');
      const alive = sessionIds.filter(id => dump.includes(`0x${BigInt.asUintN(64, id).toString(16)}`));
      expect(alive).toEqual([]);
    });
  });

  it.each(samples)('%s passes on the sandbox of a run, and leaves nothing there', async (_, text) => {
    const left = await onSandbox(async cluster => {
      const result = await playText(text, cluster);
      expect(failureLine(result.failure)).toBe('passed');
      expect(result.left).toEqual([]);
      const client = await cluster.connect(undefined, AbortSignal.timeout(10_000));
      const { children } = await client.getChildren('/');
      await client.close();
      return children;
    });
    expect(left).toEqual(['zookeeper']);
  });

  it('leave no session behind on a sandbox', async () => {
    const sandbox = await startSandbox();
    try {
      for (const [, text] of samples) {
        await playText(text, watchedCluster(sandbox.connectString, 2_000).cluster);
        expect(sandbox.sessions()).toEqual([]);
      }
    } finally {
      await sandbox.close();
    }
  });

  it(`take less than ${sampleLimitMs} ms on the sandbox, all together`, async () => {
    const start = performance.now();
    for (const [, text] of samples) await onSandbox(cluster => playText(text, cluster));
    const tookMs = performance.now() - start;
    expect(tookMs).toBeLessThan(sampleLimitMs);
  });
});
