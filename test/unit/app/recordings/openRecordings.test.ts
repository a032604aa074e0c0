import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toDisposable } from '../../../../src/base/disposable.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import type { ClusterBrowser } from '../../../../src/app/clusters/clusterBrowser.ts';
import { serverTime, type LockNode } from '../../../../src/app/clusters/clusterModel.ts';
import { loadedQueues } from '../../../../src/app/clusters/queueMarks.ts';
import { ClusterRegistry } from '../../../../src/app/clusters/clusterRegistry.ts';
import { openRecording } from '../../../../src/app/recordings/openRecording.ts';
import { OpenRecordings } from '../../../../src/app/recordings/openRecordings.ts';
import { eventually } from '../../../support/eventually.ts';
import { browserParts } from '../../extension/fixtures.ts';
import { realInspector } from '../panel/realInspector.ts';
import { at, FakeRecording, holdOf } from './fakeRecording.ts';

/** Two contenders of Curator: the first holds from 10 s on, the second one waits from 20 s on and holds from 60 s on. */
const first = '_c_11111111-1111-1111-1111-111111111111-lock-0000000000';
const second = '_c_22222222-2222-2222-2222-222222222222-lock-0000000001';
const changes = [{ at: 0 }, { at: 10, put: first }, { at: 20, put: second, owner: 0x200n }, { at: 60, drop: first }];

let recording: FakeRecording;
let recordings: OpenRecordings;
let registry: ClusterRegistry;

const opened = (folder = '/logs') =>
  recordings.open(folder, () =>
    Promise.resolve(
      openRecording(recording, folder, {
        nameOf: ({ to }) => `logs to ${String(to.time)}`,
        every: () => toDisposable(() => undefined),
        now: () => 0,
        wallNow: () => 1_000_000,
        logger: nullLogger,
      }),
    ),
  );

async function browserOf(folder?: string): Promise<ClusterBrowser> {
  const { profile } = await opened(folder);
  const browser = registry.get(profile.id)!;
  browser.setAttention({ expanded: true, visible: true, paused: false });
  await browser.connect();
  return browser;
}

const rowOf = ({ node }: ClusterBrowser): LockNode => node.locks.get('/locks/a')!;
const contenders = (browser: ClusterBrowser) => rowOf(browser).queue?.contenders.map(({ name, role }) => [name, role]);

beforeEach(() => {
  recording = new FakeRecording(changes);
  recording.allHolds = [
    holdOf(first, at(4n, 10), at(6n, 60)),
    holdOf(second, at(6n, 60), undefined, { queued: at(5n, 20), czxid: 5n, ownerSession: 0x200n }),
  ];
  recordings = new OpenRecordings(nullLogger);
  registry = new ClusterRegistry(
    [recordings],
    browserParts({
      openSession: profile => Promise.resolve(recordings.get(profile.id)!.openSession()),
      recorded: ({ id }) => recordings.get(id),
      loadInspector: () => Promise.resolve(realInspector),
    }),
  );
});

afterEach(async () => {
  await registry.close();
  await recordings.closeAll();
});

describe('an opened recording', () => {
  it('is a row of its own, read-only, until it is closed', async () => {
    const { profile } = await opened();
    expect(registry.get(profile.id)?.node.profile).toMatchObject({ readOnly: true, isRecording: true });
    await recordings.close(profile.id);
    expect([registry.all, recording.isClosed]).toEqual([[], true]);
  });

  it('is opened once for one folder, also at the same time', async () => {
    const [one, other] = await Promise.all([opened(), opened()]);
    expect(other).toBe(one);
    expect(await opened()).toBe(one);
    expect(await opened('/more')).not.toBe(one);
    expect(registry.all).toHaveLength(2);
  });

  it('can be opened again after a failure', async () => {
    await expect(recordings.open('/logs', () => Promise.reject(new Error('no permission')))).rejects.toThrow();
    expect(registry.all).toHaveLength(0);
    await opened();
    expect(registry.all).toHaveLength(1);
  });

  it('has another name when it grows', async () => {
    const { profile, time } = await opened();
    recording.coming = [{ at: 100 }];
    time.follow(true);
    await eventually(() => expect(registry.get(profile.id)?.node.profile.name).toBe('logs to 100000'));
  });

  it('shows its locks at the end first, then at each moment', async () => {
    const browser = await browserOf();
    await eventually(() => expect(contenders(browser)).toEqual([[second, 'holder']]));
    const { time } = browser.node;
    time?.moveTo({ zxid: 5n });
    await eventually(() => expect(contenders(browser)).toEqual([[first, 'holder'], [second, 'waiter']])); // prettier-ignore
    time?.moveTo({ time: 15_000 });
    await eventually(() => expect(contenders(browser)).toEqual([[first, 'holder']]));
    time?.moveTo({ zxid: 3n });
    await eventually(() => expect(contenders(browser)).toEqual([]));
  });

  it('knows exactly since when a holder holds, and counts ages to its moment', async () => {
    const browser = await browserOf();
    await eventually(() => expect(contenders(browser)).toHaveLength(1));
    expect(rowOf(browser).queue?.contenders[0]?.heldSince).toEqual({ earliest: 60_000, latest: 60_000 });
    browser.node.time?.moveTo({ time: 30_000 });
    expect(serverTime(browser.node, 1_000_000)).toBe(30_000);
    await eventually(() => expect(contenders(browser)).toHaveLength(2));
    expect(rowOf(browser).queue?.contenders[0]?.heldSince).toEqual({ earliest: 10_000, latest: 10_000 });
  });

  it('shows no lock as it was at another moment while it is not watched', async () => {
    const browser = await browserOf();
    await eventually(() => expect(contenders(browser)).toHaveLength(1));
    browser.setAttention({ expanded: false, visible: true, paused: false });
    browser.node.time?.moveTo({ zxid: 5n });
    expect(rowOf(browser).queue).toBeUndefined();
    await browser.refresh('/locks/a');
    expect(contenders(browser)).toHaveLength(2);
  });

  it('concludes nothing from a queue of another moment', async () => {
    const browser = await browserOf();
    await eventually(() => expect(contenders(browser)).toHaveLength(1));
    browser.node.time?.moveTo({ zxid: 5n });
    expect([rowOf(browser).isBehind, loadedQueues(browser.node)]).toEqual([true, []]);
    await eventually(() => expect(loadedQueues(browser.node)).toHaveLength(1));
    expect(contenders(browser)).toHaveLength(2);
    browser.node.time?.moveTo({ time: 30_000 });
    expect(rowOf(browser).isBehind).toBe(false);
  });

  it('follows the moment also while live updates are paused', async () => {
    const browser = await browserOf();
    browser.setAttention({ expanded: true, visible: true, paused: true });
    browser.node.time?.moveTo({ zxid: 4n });
    await eventually(() => expect(contenders(browser)).toEqual([[first, 'holder']]));
  });
});
