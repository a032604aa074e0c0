import { describe, expect, it } from 'vitest';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import { createLock } from '../../../src/recipes/createLock.ts';
import type { Lease, Lock } from '../../../src/recipes/lock.ts';
import type { SpiedClient } from '../../support/spiedClient.ts';
import { allCases, begin, fill, lockOf, lockPath, rivalOf, type Attempt, type RecipeCase } from './cases.ts';
import { useLockRealm } from './lockRealm.ts';

const realm = useLockRealm();

const queued = allCases.filter(({ recipe }) => recipe !== 'exclusive');

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Names of those who hold, and paths of all nodes in grant order, as the tree shows them. */
async function tree(client: SpiedClient): Promise<{ holders: string[]; order: string[] }> {
  const contenders = (await readQueues(client, lockPath)).flatMap(queue => queue.contenders);
  return {
    holders: contenders.filter(({ role }) => role === 'holder').map(({ name }) => name),
    order: contenders.map(({ name }) => name),
  };
}

/** Acquires and releases again and again, and says how many were inside at most. */
class Traffic {
  readonly inside = { own: 0, rival: 0 };
  mostOwn = 0;
  private readonly wantedOwn: number;
  /** Rivals together with anybody else. */
  broken = 0;

  /** @param wantedOwn how many of the own are to be inside at once; until then each stays for a second, for the next to come */
  constructor(wantedOwn: number) {
    this.wantedOwn = wantedOwn;
  }

  async run(lock: Lock, kind: 'own' | 'rival', rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      const lease = await lock.acquire({ timeoutMs: 20_000 });
      this.inside[kind]++;
      this.look();
      const end = performance.now() + 1_000;
      do {
        await new Promise(resolve => setTimeout(resolve, 2));
        this.look();
      } while (this.mostOwn < this.wantedOwn && performance.now() < end);
      this.inside[kind]--;
      await lease.release();
    }
  }

  private look(): void {
    const { own, rival } = this.inside;
    this.mostOwn = Math.max(this.mostOwn, own);
    if (rival > 0 && own + rival > 1) this.broken++;
  }
}

describe.each(allCases)('$title', one => {
  it('lets no more in than it should', async () => {
    const clients = await Promise.all([realm.open(), realm.open(), realm.open(), realm.open()]);
    // Readers share, so writers must be among them for anything to be excluded.
    const isRead = one.recipe === 'read';
    const traffic = new Traffic(isRead ? 0 : one.limit);
    await Promise.all(
      clients.map((client, index) => {
        const isRival = isRead && index % 2 === 1;
        return traffic.run(isRival ? rivalOf(client, one) : lockOf(client, one), isRival ? 'rival' : 'own', 4);
      }),
    );
    expect(traffic.broken).toBe(0);
    if (!isRead) expect(traffic.mostOwn).toBe(one.limit);
  });
});

describe.each(queued)('$title', one => {
  it('is granted in the order that the tree shows', async () => {
    // A ruby semaphore stores its limit nowhere: the tree can only take it for one.
    const scenario: RecipeCase = one.dialect === 'zk-ruby' ? { ...one, limit: 1 } : one;
    const observing = await realm.open();
    const held = await fill(async () => rivalOf(await realm.open(), scenario), scenario.limit);
    const attempts: Attempt[] = [];
    for (let count = 0; count < 3; count++) {
      // Readers would all get in together: a writer in front of each keeps them apart.
      const attempt = begin(rivalOf(await realm.open(), scenario));
      await attempt.waits;
      attempts.push(attempt);
    }
    for (const next of attempts) {
      await checkTree(observing, held, scenario);
      await held.shift()!.release();
      held.push(await next.taking);
    }
    await checkTree(observing, held, scenario);
    for (const lease of held) await lease.release();
    expect((await tree(observing)).order).toEqual([]);
  });
});

async function checkTree(client: SpiedClient, held: readonly Lease[], { recipe }: RecipeCase): Promise<void> {
  const names = held.map(({ path }) => nameOf(path));
  const { holders, order } = await tree(client);
  expect(holders.toSorted()).toEqual(names.toSorted());
  // Leases have no order; everybody else is granted from the front.
  if (recipe !== 'semaphore') expect(order.slice(0, names.length)).toEqual(names);
}

describe('readers and writers', () => {
  it.each(queued.filter(({ recipe }) => recipe === 'read'))('readers share in $title', async one => {
    const first = await lockOf(await realm.open(), one).acquire();
    const second = await lockOf(await realm.open(), one).acquire({ timeoutMs: 0 });
    const writer = begin(rivalOf(await realm.open(), one));
    await writer.waits;
    const late = begin(lockOf(await realm.open(), one));
    expect((await late.waits).waitsFor).toBe((await writer.waits).path);
    await first.release();
    await second.release();
    await (await writer.taking).release();
    await (await late.taking).release();
  });
});

describe('named locks in one directory', () => {
  it('do not see each other, and each keeps its own order', async () => {
    const named = async (lockName: string): Promise<Lock> =>
      createLock(await realm.open(), lockPath, { recipe: 'mutex', dialect: 'named-lock', lockName });
    const red = await (await named('red')).acquire();
    const behindRed = begin(await named('red'));
    expect((await behindRed.waits).waitsFor).toBe(red.path);
    const blue = await (await named('blue')).acquire({ timeoutMs: 0 });
    expect(nameOf(blue.path)).toMatch(/^blue_lock_\d{10}$/);
    const behindBlue = begin(await named('blue'));
    expect((await behindBlue.waits).waitsFor).toBe(blue.path);
    await blue.release();
    await (await behindBlue.taking).release();
    expect(behindRed.places).toHaveLength(1);
    await red.release();
    await (await behindRed.taking).release();
    await expect(async () => named('a_lock_b')).rejects.toThrow(RangeError);
  });
});

describe('letters with host names', () => {
  it('are ordered by number, whatever the hosts are called, and with those that have none', async () => {
    const on = async (hostName?: string): Promise<Lock> =>
      createLock(await realm.open(), lockPath, {
        recipe: 'write',
        dialect: 'rw-letters',
        ...(hostName === undefined ? {} : { hostName }),
      });
    const first = await (await on('zulu')).acquire();
    const attempts: Attempt[] = [];
    let front = first.path;
    for (const hostName of ['alpha-R', undefined, 'mike']) {
      const attempt = begin(await on(hostName));
      attempts.push(attempt);
      // Before the next one begins: sessions that begin together queue up in any order.
      const place = await attempt.waits;
      expect(place.waitsFor).toBe(front);
      front = place.path!;
    }
    await first.release();
    for (const { taking } of attempts) await (await taking).release();
  });
});
