import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toDisposable } from '../../../../src/base/disposable.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { ClusterBrowser, type Inspector } from '../../../../src/app/clusters/clusterBrowser.ts';
import type { ClusterNode, LockNode } from '../../../../src/app/clusters/clusterModel.ts';
import { MovingTime } from '../../../../src/app/recordings/movingTime.ts';
import { RecordedSightings } from '../../../../src/app/recordings/recordedSightings.ts';
import { MovingClient } from '../../../../src/app/recordings/movingClient.ts';
import type { LockQueue } from '../../../../src/locks/lockQueue.ts';
import { eventually } from '../../../support/eventually.ts';
import { browserParts, profileNamed, queueOf } from '../../extension/fixtures.ts';
import { FakeRecording } from '../recordings/fakeRecording.ts';

/** Two locks; watches and readings are what the test says. */
class TwoLocks extends FakeRecording {
  override locks() {
    return ['/locks/a', '/locks/b'].map(path => ({ path, dialect: 'curator' as const }));
  }
}

let recording: FakeRecording;
let time: MovingTime;
let browser: ClusterBrowser;
let fired: (ClusterNode | LockNode)[];
let clock: number;
let timers: Set<() => void>;
let watches: Map<string, (queues: LockQueue[]) => void>;
let whileReading: () => void;
let search: () => Promise<Awaited<ReturnType<Inspector['findLocks']>>>;

beforeEach(() => {
  recording = new TwoLocks(Array.from({ length: 20 }, (_, index) => ({ at: index })));
  clock = 0;
  timers = new Set();
  watches = new Map();
  fired = [];
  whileReading = () => undefined;
  search = () => Promise.resolve({ locks: [], visited: 1, truncated: false, denied: [] });
  const every = () => toDisposable(() => undefined);
  time = new MovingTime(recording, '/logs', { every, now: () => 0, logger: nullLogger });
  const inspector: Inspector = {
    findLocks: () => search(),
    readQueues: async (_, path) => {
      whileReading();
      return Promise.resolve([queueOf([], { path })]);
    },
    watchQueues: (_, path, listener) => {
      watches.set(path, listener);
      listener([queueOf([], { path })]);
      return Promise.resolve(toDisposable(() => watches.delete(path)));
    },
  };
  browser = new ClusterBrowser(
    profileNamed('v', { isRecording: true }),
    browserParts({
      openSession: () => Promise.resolve(new MovingClient(time, nullLogger)),
      recorded: () => ({ time, sightings: new RecordedSightings(time, () => clock) }),
      loadInspector: () => Promise.resolve(inspector),
      budget: { used: 0, limit: () => 1 },
      onChange: node => fired.push(node),
      now: () => clock,
      schedule: callback => {
        timers.add(callback);
        return toDisposable(() => timers.delete(callback));
      },
    }),
  );
});

afterEach(() => browser.dispose());

const lockAt = (path: string): LockNode => [...browser.node.locks.values()].find(lock => lock.path === path)!;

/** The row of `/locks/a` is watched, that of `/locks/b` is not. */
async function open(): Promise<void> {
  browser.setAttention({ expanded: true, visible: true, paused: false });
  await browser.connect();
  await eventually(() => expect([browser.node.search.kind, lockAt('/locks/a').live]).toEqual(['done', true]));
  fired = [];
}

/** Time goes on, and what waits for it is called. */
function pass(ms: number): void {
  clock += ms;
  const due = [...timers];
  timers.clear();
  for (const call of due) call();
}

describe('the rows of a recording', () => {
  it.each([
    ['goes on', () => new Promise<never>(() => undefined)],
    ['fails', () => Promise.reject(new Error('no'))],
  ])('are there while the search %s', async (_, result) => {
    search = result;
    browser.setAttention({ expanded: true, visible: true, paused: false });
    await browser.connect();
    await eventually(() => expect([...browser.node.locks.values()].map(({ path }) => path)).toHaveLength(2));
    expect(watches.size).toBe(1);
  });

  it('change with the moment only where they show it', async () => {
    await open();
    time.moveTo({ zxid: 5n });
    expect(fired).toEqual([lockAt('/locks/a'), browser.node]);
    recording.gaps = [{ from: recording.momentAt({ zxid: 7n }), to: recording.momentAt({ zxid: 9n }), why: 'missing' }];
    time.moveTo({ zxid: 8n });
    expect(fired).toContain(lockAt('/locks/b'));
  });

  it('forget what was read at another moment', async () => {
    await open();
    await browser.refresh('/locks/b');
    expect(lockAt('/locks/b').queue).toBeDefined();
    // As when its row was watched before.
    Object.assign(lockAt('/locks/b'), { isBehind: true, isLate: true });
    fired = [];
    time.moveTo({ zxid: 5n });
    expect(lockAt('/locks/b')).toMatchObject({ queue: undefined, isBehind: false, isLate: false });
    expect(fired).toContain(lockAt('/locks/b'));
  });

  it('are late when the moment is not read for long, however often it moves', async () => {
    await open();
    const lock = lockAt('/locks/a');
    time.moveTo({ zxid: 5n });
    pass(300);
    time.moveTo({ zxid: 6n });
    expect([lock.isBehind, lock.isLate === true]).toEqual([true, false]);
    fired = [];
    pass(300);
    pass(300);
    expect(lock.isLate).toBe(true);
    expect(fired).toContain(lock);
    watches.get('/locks/a')!([queueOf([], { path: '/locks/a' })]);
    expect([lock.isBehind, lock.isLate]).toEqual([false, false]);
    pass(5_000);
    expect([lock.isLate, timers.size]).toEqual([false, 0]);
  });

  it('are read, even if the recording plays faster than that', async () => {
    await open();
    time.moveTo({ zxid: 3n });
    time.play(10);
    let next = 4n;
    whileReading = () => {
      if (time.speed === 0) return;
      time.moveTo({ zxid: next++ });
      time.play(10);
    };
    expect((await browser.open('/locks/b'))?.queue).toBeDefined();
    expect(time.speed).toBe(0);
  });
});
