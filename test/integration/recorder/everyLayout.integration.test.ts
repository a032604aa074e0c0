import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parentPath } from '../../../src/base/paths.ts';
import { findLocks } from '../../../src/inspector/findLocks.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import type { JournalEntry } from '../../../src/journal/entry.ts';
import { recordingOf } from '../../../src/journal/journalRecording.ts';
import type { LockQueue } from '../../../src/locks/lockQueue.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { curatorMutex, kazooLock, lease } from '../../support/contenderNames.ts';
import { eventually } from '../../support/eventually.ts';
import { useTestRealm } from '../../support/freshChroot.ts';
import type { NodePlan } from '../../support/observer.ts';
import { alone, bomb, inQueue, kept, others, productLocks } from '../inspector/productLayouts.ts';
import { plainQueues } from '../replay/livePictures.ts';
import { startRecorderUnderTest, type RecorderUnderTest } from './recorderUnderTest.ts';

const realm = useTestRealm();
let client: ZooKeeperClient;
beforeEach(async () => {
  client = await connect(realm.connectString);
});
afterEach(() => client.close());

const curatorLease = (sequence: number): string => curatorMutex(sequence).replace('-lock-', '-lease-');

/** Locks of libraries: also semaphores that are full, and that none waits for. */
const libraries: readonly NodePlan[] = [
  alone(`/curator/mutex/${curatorMutex(1)}`, 'a'),
  alone(`/curator/mutex/${curatorMutex(2)}`, 'b'),
  alone(`/curator/pool/leases/${curatorLease(1)}`, 'a'),
  alone(`/curator/pool/locks/${curatorMutex(2)}`, 'b'),
  alone(`/curator/idle/leases/${curatorLease(1)}`, 'a'),
  alone(`/kazoo/lock/${kazooLock(1, 1)}`, 'a'),
  alone(`/kazoo/lock/${kazooLock(2, 2)}`, 'b'),
  kept('/kazoo/idle-__lock__'),
  alone(`/kazoo/idle/${lease(1)}`, 'a'),
  alone(`/kazoo/pool-__lock__/${kazooLock(1, 1)}`, 'b'),
  alone(`/kazoo/pool/${lease(1)}`, 'a'),
  alone(`/kazoo/pool/${lease(2)}`, 'c'),
  ...['read-', 'read-', 'write-'].map(word => inQueue(`/letters/${word}`)),
  ...['a_lock_', 'b_lock_', 'a_lock_'].map(word => inQueue(`/jobs/${word}`)),
  ...['semaphore-', 'semaphore-'].map(word => inQueue(`/net/${word}`)),
  inQueue('/locks/plain/lock-'),
];
const all = [...libraries, ...productLocks.flatMap(([plans]) => plans), ...others, bomb];

async function createAll(plans: readonly NodePlan[]): Promise<void> {
  for (const path of new Set(plans.map(plan => parentPath(plan.path)))) await realm.observer.ensure(path);
  await realm.observer.createMany(plans);
}

/** What the inspector shows, without what a journal does not keep. */
async function shownBy(from: ZooKeeperClient): Promise<object> {
  const { locks } = await findLocks(from, '/');
  const paths = [...new Set(locks.map(({ path }) => path))].sort();
  const queues = (await Promise.all(paths.map(path => readQueues(from, path)))).flat();
  return { paths, queues: plainQueues(queues).map(withoutSince) };
}

function withoutSince(queue: LockQueue): object {
  return {
    ...queue,
    contenders: queue.contenders.map(each => ({ ...each, heldSince: undefined, details: undefined })),
  };
}

async function seeTheSame({ entries }: RecorderUnderTest): Promise<void> {
  const live = await shownBy(client);
  await eventually(async () => {
    const recording = await recordingOf(batches(entries));
    expect(await shownBy(recording.at({ zxid: recording.to.zxid }))).toEqual(live);
    await recording.close();
  }, 20_000);
}

async function* batches(entries: readonly JournalEntry[]): AsyncGenerator<readonly JournalEntry[]> {
  yield await Promise.resolve([...entries]);
}

describe('a recorder shows each lock as the live inspector does', () => {
  it('where all were there before', async () => {
    await createAll(all);
    const recorder = await startRecorderUnderTest(client, realm.serverConnectString);
    await recorder.following();
    await seeTheSame(recorder);
    recorder.observer.dispose();
  });

  it('where all come while it records', async () => {
    const recorder = await startRecorderUnderTest(client, realm.serverConnectString);
    await recorder.following();
    await createAll(all);
    await seeTheSame(recorder);
    recorder.observer.dispose();
  });

  it('where all come one by one', async () => {
    const recorder = await startRecorderUnderTest(client, realm.serverConnectString);
    await recorder.following();
    for (const plan of all) await createAll([plan]);
    await seeTheSame(recorder);
    recorder.observer.dispose();
  });
});
