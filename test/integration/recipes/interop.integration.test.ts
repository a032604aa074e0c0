import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import { createLock, type LockSpec } from '../../../src/recipes/createLock.ts';
import type { Lease, Lock } from '../../../src/recipes/lock.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import type { Contenders } from '../../support/contenders.ts';
import { startCuratorContenders, type CuratorRecipe } from '../../support/curatorContenders.ts';
import { startKazooContenders, type KazooContenders, type KazooRecipe } from '../../support/kazooContenders.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestServer } from '../../support/testServer.ts';
import { ephemerals, useLockRealm } from './lockRealm.ts';

const realm = useLockRealm();
const lockPath = '/locks/orders';
const counterPath = '/counter';
const turns = 200;

let curator: Contenders<CuratorRecipe>;
let kazoo: KazooContenders;
beforeAll(() => {
  curator = startCuratorContenders(realm.serverConnectString);
  kazoo = startKazooContenders(realm.serverConnectString);
});
afterAll(async () => {
  await Promise.all([curator.stop(), kazoo.stop()]);
});

/** One who takes turns: our recipe, or that of a real library in a program of its own. */
interface Player {
  sessionId: bigint;
  acquire(): Promise<void>;
  increment(): Promise<void>;
  release(): Promise<void>;
  end(): Promise<void>;
}

async function ours(spec: LockSpec): Promise<Player> {
  const client = await realm.open();
  const lock: Lock = createLock(client, lockPath, spec);
  let lease: Lease | undefined;
  return {
    sessionId: client.sessionId,
    acquire: async () => void (lease = await lock.acquire({ timeoutMs: 20_000 })),
    increment: () => increment(client),
    release: async () => lease?.release(),
    end: () => Promise.resolve(),
  };
}

async function increment(client: ZooKeeperClient): Promise<void> {
  const { data, stat } = await client.getData(counterPath);
  const next = String(Number(Buffer.from(data).toString()) + 1);
  // Should another client have written in between, this fails instead of hiding it.
  await client.setData(counterPath, Buffer.from(next), stat.version);
}

async function theirs<Recipe extends string>(
  contenders: Contenders<Recipe>,
  contender: string,
  recipe: Recipe,
  limit = {},
): Promise<Player> {
  const sessionId = await contenders.start({ contender, recipe, path: realm.chroot + lockPath, ...limit });
  return {
    sessionId,
    async acquire() {
      await contenders.begin(contender);
      await contenders.holds(contender, 20_000, 2);
    },
    increment: () => contenders.increment(contender, realm.chroot + counterPath),
    release: () => contenders.release(contender),
    end: () => contenders.end(contender),
  };
}

const fromCurator = (name: string, recipe: CuratorRecipe): Promise<Player> => theirs(curator, name, recipe);
const fromKazoo = (name: string, recipe: KazooRecipe): Promise<Player> => theirs(kazoo, name, recipe);

/** Sessions that hold, as our tree shows them. */
async function shownHolders(client: ZooKeeperClient): Promise<bigint[]> {
  const contenders = (await readQueues(client, lockPath)).flatMap(queue => queue.contenders);
  return contenders.filter(({ role }) => role === 'holder').map(({ ownerSession }) => ownerSession);
}

/** Every player takes its turns as fast as it can; while it has one, the tree must name it and no one else. */
async function compete(players: readonly Player[]): Promise<void> {
  const observing = await realm.open();
  await realm.observer.create(counterPath, { data: '0' });
  const wrong: string[] = [];
  const play = async (player: Player): Promise<void> => {
    for (let turn = 0; turn < turns; turn++) {
      await player.acquire();
      const shown = await shownHolders(observing);
      if (shown.length !== 1 || shown[0] !== player.sessionId) wrong.push(`${shown.join()} for ${player.sessionId}`);
      await player.increment();
      await player.release();
    }
  };
  await Promise.all(players.map(play));
  expect(wrong).toEqual([]);
  expect((await realm.observer.get(counterPath))?.data.toString()).toBe(String(players.length * turns));
  expect(await ephemerals(realm.observer)).toEqual([]);
  for (const player of players) await player.end();
}

describe('an unprotected counter loses nothing', () => {
  it("between our mutex and Curator's", async () => {
    await compete([await ours({ recipe: 'mutex', dialect: 'curator' }), await fromCurator('a', 'mutex')]);
  });

  it("between our mutex and kazoo's Lock", async () => {
    await compete([await ours({ recipe: 'mutex', dialect: 'kazoo' }), await fromKazoo('b', 'lock')]);
  });

  it("between ours, Curator's, and kazoo's under Curator's names", async () => {
    await compete([
      await ours({ recipe: 'mutex', dialect: 'curator' }),
      await fromCurator('c', 'mutex'),
      await fromKazoo('d', 'curatorNamedLock'),
    ]);
  });

  it("between our write lock and Curator's", async () => {
    await compete([await ours({ recipe: 'write', dialect: 'curator' }), await fromCurator('e', 'write')]);
  });

  it("between our lock and ZooKeeper's WriteLock", async () => {
    // It makes its directory, but nothing above it, and ours may come second.
    await realm.observer.ensure('/locks');
    const own = await ours({ recipe: 'mutex', dialect: 'zookeeper-writelock' });
    const writeLock = await fromCurator('f', 'zooKeeperWriteLock');
    // WriteLock sets no watch on a predecessor that has just gone, and sleeps (L8): it is asked again, as its users must.
    const acquire = async (): Promise<void> => {
      let failure: unknown;
      for (let asked = 0; asked < 500; asked++) {
        await curator.begin('f');
        failure = await curator.holds('f', 20, 2).catch((error: unknown) => error);
        if (failure === undefined) return;
      }
      throw failure;
    };
    await compete([own, { ...writeLock, acquire }]);
  });
});

/** Counts who is inside at once. */
class Room {
  readonly most = { readers: 0, writers: 0, all: 0 };
  mixed = 0;
  private readonly inside = { readers: 0, writers: 0 };

  async visit(player: Player, kind: 'readers' | 'writers', visits: number): Promise<void> {
    for (let visit = 0; visit < visits; visit++) {
      await player.acquire();
      this.inside[kind]++;
      const { readers, writers } = this.inside;
      this.most[kind] = Math.max(this.most[kind], this.inside[kind]);
      this.most.all = Math.max(this.most.all, readers + writers);
      if (writers > 0 && readers + writers > 1) this.mixed++;
      // Clients that may share stay until they did: handed on one by one, they might never meet.
      const end = performance.now() + 1_000;
      do await new Promise(resolve => setTimeout(resolve, 5));
      while (kind === 'readers' && this.most.readers < 2 && performance.now() < end);
      this.inside[kind]--;
      await player.release();
    }
  }
}

describe('readers and writers', () => {
  it("of ours and of Curator share and exclude as each other's", async () => {
    const readers = [
      await ours({ recipe: 'read', dialect: 'curator' }),
      await ours({ recipe: 'read', dialect: 'curator' }),
      await fromCurator('g', 'read'),
      await fromCurator('h', 'read'),
    ];
    const writers = [await ours({ recipe: 'write', dialect: 'curator' }), await fromCurator('i', 'write')];
    const room = new Room();
    await Promise.all([
      ...readers.map(player => room.visit(player, 'readers', 40)),
      ...writers.map(player => room.visit(player, 'writers', 20)),
    ]);
    expect([room.mixed, room.most.writers]).toEqual([0, 1]);
    expect(room.most.readers).toBeGreaterThan(1);
    expect(await ephemerals(realm.observer)).toEqual([]);
    for (const player of [...readers, ...writers]) await player.end();
  });
});

describe('a semaphore of two', () => {
  const limit = { maxLeases: 2 };

  it.each([
    ['Curator', 'curator', (name: string) => theirs(curator, name, 'semaphore', limit)],
    ['kazoo', 'kazoo', (name: string) => theirs(kazoo, name, 'semaphore', limit)],
  ] as const)('of ours and of %s lets never more than two in', async (_, dialect, start) => {
    const own = (): Promise<Player> => ours({ recipe: 'semaphore', dialect, ...limit });
    const players = [await start(`${dialect}-1`), await own(), await start(`${dialect}-2`), await own()];
    const room = new Room();
    await Promise.all(players.map(player => room.visit(player, 'readers', 40)));
    expect(room.most.all).toBe(2);
    expect(await ephemerals(realm.observer)).toEqual([]);
    for (const player of players) await player.end();
  });
});

async function queueLength(client: ZooKeeperClient, path: string): Promise<number> {
  const queues = await readQueues(client, path);
  return queues.reduce((sum, { contenders }) => sum + contenders.length, 0);
}

describe('a directory that we made', () => {
  it('does not vanish under a kazoo lock, which makes it once only (L6)', async () => {
    // Containers that are empty go within a moment here; on a server as it comes, within a minute.
    const server = await startTestServer({ containerCheckMs: 20 });
    const service = startKazooContenders(server.connectString);
    const client = await connect(server.connectString);
    try {
      for (const [recipe, theirs] of [
        ['mutex', 'lock'],
        ['semaphore', 'semaphore'],
      ] as const) {
        const path = `/${recipe}`;
        const lease = await createLock(client, path, { recipe, dialect: 'kazoo' }).acquire();
        await service.start({ contender: recipe, recipe: theirs, path });
        await service.begin(recipe);
        // It has seen that the directory is there, and will not look again.
        await eventually(async () => expect(await queueLength(client, path)).toBe(2));
        await lease.release();
        await service.holds(recipe);
        await service.release(recipe);
        await (await createLock(client, '/other/lock', { recipe: 'mutex', dialect: 'curator' }).acquire()).release();
        await eventually(async () => expect(await client.exists('/other/lock')).toBeUndefined());
        await service.acquire(recipe);
        await service.release(recipe);
      }
    } finally {
      await Promise.all([client.close(), service.stop()]);
      await server.stop();
    }
  });

  it.each(['zookeeper-writelock', 'zookeeper-writelock-c'] as const)(
    "does not vanish under a lock of ZooKeeper's own (%s), which may look and then list it in vain (L6)",
    async dialect => {
      const server = await startTestServer({ containerCheckMs: 20 });
      const client = await connect(server.connectString);
      try {
        await (await createLock(client, '/ours/lock', { recipe: 'mutex', dialect }).acquire()).release();
        await (await createLock(client, '/other/lock', { recipe: 'mutex', dialect: 'curator' }).acquire()).release();
        await eventually(async () => expect(await client.exists('/other/lock')).toBeUndefined());
        expect(await client.exists('/ours/lock')).toBeDefined();
      } finally {
        await client.close();
        await server.stop();
      }
    },
  );
});
