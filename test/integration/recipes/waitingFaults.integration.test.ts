import { describe, expect, it } from 'vitest';
import { createLock } from '../../../src/recipes/createLock.ts';
import { LockTimeout, QueueCorrupted, RemovedFromQueue, WrongDialect } from '../../../src/recipes/errors.ts';
import type { Lease } from '../../../src/recipes/lock.ts';
import type { CreateOptions, Stat } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { isZooKeeperError } from '../../../src/zookeeper/errors.ts';
import { eventually } from '../../support/eventually.ts';
import { SpiedClient } from '../../support/spiedClient.ts';
import { startTcpProxy } from '../../support/tcpProxy.ts';
import { startZooKeeper } from '../../support/zookeeperServer.ts';
import { allCases, begin, lockOf, lockPath, rivalOf, untilAnswered } from './cases.ts';
import { listingOpcode, loseReply, opcode, unplug } from './faults.ts';
import { useLockRealm } from './lockRealm.ts';

const realm = useLockRealm();
const queued = allCases.filter(({ recipe }) => recipe !== 'exclusive' && recipe !== 'semaphore');
const find = (title: string) => allCases.find(one => one.title === title)!;
const mutex = find('mutex (curator)');

describe.each(allCases)('$title', one => {
  it('L6 the parent vanishes before the create: it is made again', async () => {
    const client = await realm.open();
    await (await lockOf(client, one).acquire()).release();
    await realm.observer.delete('/locks', { recursive: true });
    const lease = await lockOf(client, one).acquire({ timeoutMs: 5_000 });
    await lease.release();
  });

  it('L9 the lock goes free during an outage of a waiter: it is taken afterwards', async () => {
    const single = { ...one, limit: 1 };
    const holder = await rivalOf(await realm.open(), single).acquire();
    const { client, proxy } = await realm.openBehindProxy();
    const attempt = begin(rivalOf(client, single));
    await attempt.waits;
    await unplug(proxy);
    await holder.release();
    await proxy.setAccepting(true);
    await (await attempt.taking).release();
  });

  it('L10 the notification is lost with the connection: the waiter looks again', async () => {
    const single = { ...one, limit: 1 };
    const holder = await rivalOf(await realm.open(), single).acquire();
    const { client, proxy } = await realm.openBehindProxy();
    const attempt = begin(rivalOf(client, single));
    await attempt.waits;
    // Its watch is set: the next notification is that of the release.
    await untilAnswered(client);
    let cuts = 0;
    proxy.onReply(({ xid }) => (xid === -1 && ++cuts === 1 ? 'cut' : 'forward'));
    await eventually(() => expect(client.state).toBe('connected'));
    await holder.release();
    await (await attempt.taking).release();
    expect(cuts).toBeGreaterThan(0);
  });
});

describe.each(queued)('$title', one => {
  it('L8 the one in front goes between the listing and the watch: the waiter sees it', async () => {
    const holder = await rivalOf(await realm.open(), one).acquire();
    const client = await realm.open();
    let isReleased = false;
    client.beforeCall = async ({ operation, path }) => {
      if (isReleased || operation !== 'getData' || path !== holder.path) return;
      isReleased = true;
      await holder.release();
    };
    const lease = await rivalOf(client, one).acquire({ timeoutMs: 5_000 });
    expect(isReleased).toBe(true);
    await lease.release();
  });

  it('L37 another client writes to the node in front: the waiter sees its end all the same', async () => {
    const holder = await rivalOf(await realm.open(), one).acquire();
    const client = await realm.open();
    const attempt = begin(lockOf(client, one));
    await attempt.waits;
    await untilAnswered(client);
    await realm.observer.set(holder.path, 'a note');
    await holder.release();
    await (await attempt.taking).release();
  });

  it('L11 the waiting node is deleted by another client: reported, and not queued again', async () => {
    const holder = await rivalOf(await realm.open(), one).acquire();
    const client = await realm.open();
    const attempt = begin(rivalOf(client, one));
    const { path } = await attempt.waits;
    await realm.observer.delete(path!);
    await expect(attempt.taking).rejects.toThrow(RemovedFromQueue);
    expect((await realm.observer.ls(lockPath)).map(node => node.path)).toEqual([holder.path]);
    await holder.release();
  });

  it('L14 strangers in the directory take no part, or the one that their library gives them, and stay', async () => {
    await realm.observer.create(`${lockPath}/zz-config`);
    // To the ruby library every other child is a lock with the number 0: it keeps out a contender that must be first.
    if (one.dialect === 'zk-ruby' && one.recipe !== 'read') {
      await expect(lockOf(await realm.open(), one).acquire({ timeoutMs: 0 })).rejects.toThrow(LockTimeout);
      return;
    }
    const lease = await lockOf(await realm.open(), one).acquire({ timeoutMs: 0 });
    await expect(rivalOf(await realm.open(), one).acquire({ timeoutMs: 0 })).rejects.toThrow(LockTimeout);
    await lease.release();
    expect((await realm.observer.ls(lockPath)).map(({ name }) => name)).toEqual(['zz-config']);
  });
});

describe('while waiting', () => {
  it('L6 a parent that vanishes again and again is given up', async () => {
    const client = await realm.open();
    client.beforeCall = async ({ operation, path }) => {
      if (operation === 'create' && path.startsWith(`${lockPath}/`)) await realm.observer.delete(lockPath);
    };
    const failure = await lockOf(client, mutex)
      .acquire()
      .catch((error: unknown) => error);
    expect(isZooKeeperError(failure, 'NO_NODE')).toBe(true);
    expect(client.calls.length).toBeLessThan(40);
  });

  it('L6 the whole directory is deleted: each waiter gets an error', async () => {
    const holder = await lockOf(await realm.open(), mutex).acquire();
    const attempts = [begin(lockOf(await realm.open(), mutex)), begin(lockOf(await realm.open(), mutex))];
    for (const { waits } of attempts) await waits;
    await realm.observer.delete('/locks', { recursive: true });
    for (const { taking } of attempts) await removedOrLost(taking);
    await eventually(() => expect(holder.state).toBe('lost'));
    await holder.release();
  });

  it('L9 the server is restarted under a waiter: it waits on, and gets the lock', async () => {
    const server = await startZooKeeper();
    const proxy = await startTcpProxy(server.ports[0]!);
    try {
      const [holding, waiting] = await Promise.all([open(proxy.connectString), open(proxy.connectString)]);
      const holder = await lockOf(holding, mutex).acquire();
      const attempt = begin(lockOf(waiting, mutex));
      await attempt.waits;
      // A server that is starting may take a connection and never answer it: the client would wait for it, T/3.
      await proxy.setAccepting(false);
      await server.restart();
      await proxy.setAccepting(true);
      await eventually(() => expect(holder.state).toBe('held'), 25_000);
      await holder.release();
      await (await attempt.taking).release();
      await Promise.all([holding.close(), waiting.close()]);
    } finally {
      await proxy.close();
      await server.stop();
    }
  }, 60_000);

  it.each([
    ['walk over those in front', find('mutex (kazoo)'), opcode.multiRead],
    ['listing', find('read (curator)'), listingOpcode],
  ] as const)('L10 the %s after the notification is lost: it is repeated', async (_, one, kind) => {
    const holder = await rivalOf(await realm.open(), one).acquire();
    const { client, proxy } = await realm.openBehindProxy();
    const attempt = begin(rivalOf(client, one));
    await attempt.waits;
    await untilAnswered(client);
    const fault = loseReply(proxy, kind);
    await holder.release();
    await (await attempt.taking).release();
    expect(fault.happened).toBe(true);
  });

  it.each(allCases.filter(({ recipe }) => recipe === 'read'))(
    'L12 a reader is not held up by a later writer: $title',
    async one => {
      const first = await rivalOf(await realm.open(), one).acquire();
      const reader = begin(lockOf(await realm.open(), one));
      await reader.waits;
      const second = begin(rivalOf(await realm.open(), one));
      await second.waits;
      await first.release();
      const reading = await reader.taking;
      expect(second.places.at(-1)?.waitsFor).toBe(reading.path);
      await reading.release();
      await (await second.taking).release();
    },
  );

  it('L13 a read lock behind the own write lock waits like any other: there is no downgrade', async () => {
    const client = await realm.open();
    const writing = await createLock(client, lockPath, { recipe: 'write', dialect: 'curator' }).acquire();
    const reading = createLock(client, lockPath, { recipe: 'read', dialect: 'curator' });
    await expect(reading.acquire({ timeoutMs: 0 })).rejects.toThrow(LockTimeout);
    await writing.release();
  });

  it('L15 the number decides, not what stands before it', async () => {
    // The session id of the one who came first sorts behind ours.
    const holder = await realm.observer.create(`${lockPath}/x-999999999999999999-`, {
      ephemeral: true,
      sequence: true,
    });
    const one = find('mutex (zookeeper-writelock)');
    const attempt = begin(lockOf(await realm.open(), one));
    expect((await attempt.waits).waitsFor).toBe(holder);
    await realm.observer.delete(holder);
    await (await attempt.taking).release();
  });

  // On a real server: counterEnd.integration.test.ts. A negative number comes only from creates that overtake one another in it.
  it.each(['2147483647', '-2147483648'])(
    'L16 with a counter that has run out (%s) no order is trusted',
    async number => {
      const client = new NumberedClient(await connect(realm.connectString), number);
      await client.create('/locks');
      await client.create(lockPath);
      await expect(lockOf(client, mutex).acquire()).rejects.toThrow(QueueCorrupted);
      expect(await realm.observer.ls(lockPath)).toEqual([]);
      await client.close();
    },
  );

  it.each([
    ['kazoo', `${'a'.repeat(32)}__lock__0000000001`],
    ['zk-ruby', 'ex0000000001'],
  ])('a lock that the dialect in use (%s) would not see is refused', async (_, name) => {
    await realm.observer.create(`${lockPath}/${name}`, { ephemeral: true });
    await expect(lockOf(await realm.open(), mutex).acquire()).rejects.toThrow(WrongDialect);
    expect((await realm.observer.ls(lockPath)).map(node => node.name)).toEqual([name]);
    // Without a choice the dialect in use is joined.
    const joined = createLock(await realm.open(), lockPath, { recipe: 'mutex' });
    const attempt = begin(joined);
    expect((await attempt.waits).waitsFor).toBe(`${lockPath}/${name}`);
    await realm.observer.delete(`${lockPath}/${name}`);
    await (await attempt.taking).release();
  });

  it("a limit that kazoo has not written yet, or that is no number, is none; another's is respected", async () => {
    const semaphore = async (): Promise<Lease> =>
      createLock(await realm.open(), lockPath, { recipe: 'semaphore', dialect: 'kazoo', maxLeases: 2 }).acquire();
    await realm.observer.create(lockPath, { data: '' });
    await (await semaphore()).release();
    await realm.observer.set(lockPath, 'of the shop');
    await (await semaphore()).release();
    await realm.observer.set(lockPath, '3');
    await expect(semaphore()).rejects.toThrow(WrongDialect);
  });
});

/** Nodes go one by one: a waiter may get the lock for the moment between its predecessor's end and its own. */
async function removedOrLost(taking: Promise<Lease>): Promise<void> {
  const outcome = await taking.catch((error: unknown) => error);
  if (outcome instanceof RemovedFromQueue) return;
  const lease = outcome as Lease;
  await eventually(() => expect(lease.state).toBe('lost'));
  await lease.release();
}

async function open(connectString: string): Promise<SpiedClient> {
  return new SpiedClient(await connect(connectString));
}

/** A server whose counter stands at a given number: its next sequential node is called so. */
class NumberedClient extends SpiedClient {
  private readonly number: string;

  constructor(inner: ConstructorParameters<typeof SpiedClient>[0], number: string) {
    super(inner);
    this.number = number;
  }

  override create(path: string, options: CreateOptions = {}): Promise<{ path: string; stat: Stat }> {
    if (options.mode !== 'ephemeral_sequential') return super.create(path, options);
    return super.create(path + this.number, { ...options, mode: 'ephemeral' });
  }
}
