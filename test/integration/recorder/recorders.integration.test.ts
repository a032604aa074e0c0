import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../scripts/zookeeper/temporaryFolder.ts';
import { ClusterRegistry } from '../../../src/app/clusters/clusterRegistry.ts';
import { observeLocks } from '../../../src/app/recorder/observeLocks.ts';
import { Recorder } from '../../../src/app/recorder/recorder.ts';
import { Recorders } from '../../../src/app/recorder/recorders.ts';
import { monotonicNow } from '../../../src/base/deadline.ts';
import { nullLogger } from '../../../src/base/logger.ts';
import { callLater } from '../../../src/base/timer.ts';
import type { Hold } from '../../../src/history/hold.ts';
import { openJournal } from '../../../src/journal/journalRecording.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { eventually } from '../../support/eventually.ts';
import { useTestRealm } from '../../support/freshChroot.ts';
import { browserParts } from '../../unit/extension/fixtures.ts';

const realm = useTestRealm();

let folder: string;
let kept: Map<string, unknown>;
const windows: Window[] = [];
beforeEach(async () => {
  folder = await temporaryFolder('recorders-');
  kept = new Map();
});
afterEach(async () => {
  await Promise.all(windows.splice(0).map(window => window.close()));
  await rm(folder, { recursive: true, force: true });
});

/** A window with the cluster of the test in its list. */
class Window {
  readonly registry: ClusterRegistry;
  readonly recorders: Recorders;

  constructor() {
    const lockRoots = ['/'];
    const fixed = { id: 'orders', name: 'orders', environment: 'development' } as const;
    const source = {
      profiles: [{ ...fixed, connectString: realm.connectString, lockRoots }],
      onChange: () => ({ dispose: () => undefined }),
    };
    const openSession = () => connect(realm.connectString, { sessionTimeoutMs: 10_000 });
    const clocks = { schedule: callLater, now: monotonicNow, wallNow: () => Date.now() };
    this.registry = new ClusterRegistry([source], browserParts({ openSession, ...clocks }));
    this.recorders = new Recorders({
      registry: this.registry,
      folder,
      memory: { get: key => kept.get(key), update: (key, value) => Promise.resolve(void kept.set(key, value)) },
      settings: () => ({
        whileConnected: false,
        days: 7,
        megabytes: 50,
        questionsPerMinute: 1_200,
        nodeData: false,
        maxNodes: 1_000,
      }),
      ownerQuery: () => ({ adminServerPort: undefined, secrets: { get: () => Promise.resolve(undefined) } }),
      load: () => Promise.resolve({ Recorder, observe: observeLocks }),
      ...clocks,
      logger: nullLogger,
    });
    windows.push(this);
  }

  async record(): Promise<void> {
    await this.recorders.start('orders');
    await this.registry.get('orders')!.connect();
    await this.until('recording');
  }

  async until(kind: string): Promise<void> {
    await eventually(() => expect(this.recorders.state('orders').kind).toBe(kind), 20_000);
  }

  async holds(count: number): Promise<Hold[]> {
    return eventually(() => {
      const holds = this.recorders.past('orders')?.holds('/locks/payments') ?? [];
      expect(holds).toHaveLength(count);
      return holds;
    });
  }

  async close(): Promise<void> {
    await this.recorders.close();
    await this.registry.close();
  }
}

/** A contender of kazoo's lock. @returns its path */
function join(data: string): Promise<string> {
  const name = `${data.padEnd(32, '0')}__lock__`;
  return realm.observer.create(`/locks/payments/${name}`, { data, ephemeral: true, sequence: true });
}

const shown = (holds: readonly Hold[]): string[] =>
  holds.map(({ identifier, to }) => `${identifier} ${to ? 'held' : 'holds'}`);

describe('recording a cluster', () => {
  it('is in memory and on disk alike, and can be opened without the cluster', async () => {
    await realm.observer.ensure('/locks/payments');
    const window = new Window();
    await window.record();
    const first = await join('ann');
    await join('bob');
    await window.holds(1);
    await realm.observer.delete(first);
    expect(shown(await window.holds(2))).toEqual(['ann held', 'bob holds']);
    const state = window.recorders.state('orders');
    expect(state).toMatchObject({ kind: 'recording', watches: 1 });
    await eventually(() => expect(window.recorders.past('orders')?.holds()[0]?.ended).toBe('released'));
    const live = window.recorders.past('orders')!.holds('/locks/payments');
    const journal = window.recorders.folder('orders');
    await window.close();
    const recording = await openJournal(journal);
    expect(recording.holds('/locks/payments')).toEqual(live);
    expect([recording.problems, recording.gaps]).toEqual([[], []]);
    await recording.close();
  });

  it('goes on after a reload of the window with the history of before, and knows since when a lock is held', async () => {
    const before = new Window();
    await before.record();
    const first = await join('ann');
    await join('bob');
    await before.holds(1);
    await realm.observer.delete(first);
    const [, bob] = await before.holds(2);
    await before.close();
    const after = new Window();
    expect(after.recorders.state('orders').kind).toBe('waiting');
    await after.registry.get('orders')!.connect();
    await after.until('recording');
    const again = await after.holds(2);
    expect(shown(again)).toEqual(['ann held', 'bob holds']);
    expect(again[1]?.from).toEqual(bob?.from);
    expect(after.recorders.past('orders')?.gaps).toMatchObject([{ why: 'not recorded' }]);
  });

  it('stops, starts again, and forgets what is deleted', async () => {
    const window = new Window();
    await window.record();
    await join('ann');
    await window.holds(1);
    await window.recorders.stop('orders');
    expect(window.recorders.state('orders').kind).toBe('off');
    expect(await window.recorders.bytes('orders')).toBeGreaterThan(0);
    await window.recorders.delete('orders');
    expect(await window.recorders.bytes('orders')).toBe(0);
    await window.recorders.start('orders');
    await window.until('recording');
    expect(window.recorders.past('orders')?.gaps).toEqual([]);
    expect((await window.holds(1))[0]?.isFromBefore).toBe(true);
  });
});
