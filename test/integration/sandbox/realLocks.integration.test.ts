import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Contenders } from '../../support/contenders.ts';
import { startCuratorContenders, type CuratorRecipe } from '../../support/curatorContenders.ts';
import { eventually } from '../../support/eventually.ts';
import { describeWithGo, startGoContenders, type GoRecipe } from '../../support/goContenders.ts';
import { startKazooContenders, type KazooRecipe } from '../../support/kazooContenders.ts';
import type { ObservedNode } from '../../support/observer.ts';
import { cutOff, engines, shortTimeoutMs, useEngine } from './engines.ts';

/** One recipe of a library; who waits or holds has a node in these folders, or at the path itself. */
interface Case<Recipe extends string> {
  recipe: Recipe;
  /** Behind the path. */
  waitingRoom?: string;
  /** Of those who hold and of the first who waits, which makes its lease before it counts them; behind the path. */
  seats?: string;
  /** Gives up its place when its connection is lost, and queues once more. */
  losesItsPlace?: boolean;
  /** Its waiter leaves the queue and joins it again where a request of it was cut off (kazoo's Semaphore._inner_acquire). */
  mayJoinAgain?: boolean;
}

const kazooCases: readonly Case<KazooRecipe>[] = [
  { recipe: 'lock' },
  { recipe: 'write' },
  { recipe: 'semaphore', waitingRoom: '-__lock__', mayJoinAgain: true },
  { recipe: 'election' },
];
const curatorCases: readonly Case<CuratorRecipe>[] = [
  { recipe: 'mutex' },
  { recipe: 'write' },
  { recipe: 'semaphore', waitingRoom: '/locks', seats: '/leases' },
  { recipe: 'latch', losesItsPlace: true },
];
const goCases: readonly Case<GoRecipe>[] = [{ recipe: 'lock' }];

describe.each(engines)('on %s', (_, start) => {
  const used = useEngine(start);

  /** Joins the queue and waits until that is seen from outside. */
  async function join(all: Contenders<string>, contender: string, folder: string): Promise<void> {
    await all.begin(contender);
    await hasNodeIn(folder, all.sessionId(contender));
  }

  async function hasNodeIn(folder: string, sessionId: bigint): Promise<void> {
    await eventually(async () => {
      const owners = (await used.observer.ls(folder)).map(({ ephemeralOwner }) => ephemeralOwner);
      expect(owners).toContain(sessionId);
    });
  }

  /** Who waits and who holds at a path. */
  async function placesAt(path: string, { waitingRoom = '', seats = '' }: Case<string>): Promise<ObservedNode[]> {
    const folders = new Set([path + waitingRoom, path + seats]);
    const nodes = await Promise.all([...folders].map(folder => used.observer.ls(folder)));
    return nodes.flat();
  }

  async function handsOver(all: Contenders<string>, one: Case<string>): Promise<void> {
    const { recipe, waitingRoom = '' } = one;
    const path = `/${recipe}-over`;
    for (const contender of ['a', 'b', 'c']) await all.start({ contender, recipe, path, identifier: contender });
    await all.acquire('a');
    await join(all, 'b', path + waitingRoom);
    await join(all, 'c', path + waitingRoom);
    expect(await all.holders()).toEqual(['a']);
    await all.release('a');
    await all.holds('b');
    await all.release('b');
    await all.holds('c');
    await all.release('c');
    await eventually(async () => expect(await placesAt(path, one)).toEqual([]));
    for (const contender of ['a', 'b', 'c']) await all.end(contender);
  }

  /** Holder and waiter lose their connections: the lock stays where it is, and the watch of the waiter lives on. */
  async function survivesConnectionLoss(all: Contenders<string>, one: Case<string>): Promise<void> {
    const { recipe, waitingRoom = '', seats, losesItsPlace = false, mayJoinAgain = false } = one;
    const path = `/${recipe}-loss`;
    const [a, b] = [
      await all.start({ contender: 'a', recipe, path, identifier: 'a' }),
      await all.start({ contender: 'b', recipe, path, identifier: 'b' }),
    ];
    await all.acquire('a');
    await join(all, 'b', path + waitingRoom);
    if (seats !== undefined) await hasNodeIn(path + seats, b);
    const places = async (): Promise<string[]> => {
      const nodes = await placesAt(path, one);
      return nodes.map(node => (mayJoinAgain ? String(node.ephemeralOwner) : `${node.path} ${node.czxid}`)).sort();
    };
    const before = await places();
    expect(before.length).toBeGreaterThan(1);
    const connected = await cutOff(used.engine, a, b);
    await connected();
    if (!losesItsPlace) await eventually(async () => expect(await places()).toEqual(before));
    const [holder] = await eventually(async () => {
      const holders = await all.holders();
      expect(holders).toHaveLength(1);
      return holders;
    });
    if (!losesItsPlace) expect(holder).toBe('a');
    const other = holder === 'a' ? 'b' : 'a';
    await all.release(holder!);
    await all.holds(other);
    await all.release(other);
    for (const contender of ['a', 'b']) await all.end(contender);
  }

  /** The holder's session ends: the next one holds, and the client comes back with another session. */
  async function survivesExpiry(all: Contenders<string>, one: Case<string>, steady: Contenders<string>): Promise<void> {
    const { recipe, waitingRoom = '', losesItsPlace = false } = one;
    const path = `/${recipe}-expiry`;
    const short = { recipe, path, session: 'short', sessionTimeoutMs: shortTimeoutMs };
    const expired = await all.start({ ...short, contender: 'a', identifier: 'a' });
    await steady.start({ recipe, path, contender: 'b', identifier: 'b' });
    await all.acquire('a');
    await join(steady, 'b', path + waitingRoom);
    await used.engine.expire(expired);
    await steady.holds('b');
    const owners = (await placesAt(path, one)).map(({ ephemeralOwner }) => ephemeralOwner);
    expect(owners).toContain(steady.sessionId('b'));
    expect(owners).not.toContain(expired);
    await eventually(async () => {
      const session = await all.start({ ...short, contender: 'd', identifier: 'd' });
      expect([expired, 0n]).not.toContain(session);
    }, 20_000);
    if (losesItsPlace) await eventually(async () => expect(await placesAt(path, one)).toHaveLength(2));
    await join(all, 'd', path + waitingRoom);
    await steady.release('b');
    if (losesItsPlace) {
      await all.holds('a');
      await all.release('a');
    }
    await all.holds('d');
    await all.release('d');
    await all.end('d');
    await steady.end('b');
  }

  /** A library with two programs: the connections of one of them are cut. */
  function plays<Recipe extends string>(
    cases: readonly Case<Recipe>[],
    startAll: (connectString: string) => Contenders<Recipe>,
  ): void {
    let all: Contenders<string>;
    let steady: Contenders<string>;
    beforeAll(() => {
      all = startAll(used.engine.connectString);
      steady = startAll(used.engine.directConnectString);
    });
    afterAll(() => Promise.all([all.stop(), steady.stop()]));
    it.each(cases)('$recipe: hands over', one => handsOver(all, one));
    it.each(cases)('$recipe: survives the loss of connections', one => survivesConnectionLoss(all, one));
    it.each(cases)('$recipe: survives the end of its session', { timeout: 180_000 }, one =>
      survivesExpiry(all, one, steady),
    );
  }

  describe('kazoo', () => plays(kazooCases, startKazooContenders));
  describe('Curator', () => plays(curatorCases, startCuratorContenders));
  describeWithGo('go-zookeeper', () => plays(goCases, startGoContenders));

  it('Curator: readers share, a writer waits for all of them, later readers wait for it', async () => {
    const all = startCuratorContenders(used.engine.connectString);
    try {
      for (const [contender, recipe] of [
        ['r1', 'read'],
        ['r2', 'read'],
        ['w', 'write'],
        ['r3', 'read'],
      ] as const) {
        await all.start({ contender, recipe, path: '/shared' });
      }
      await all.acquire('r1');
      await all.acquire('r2');
      await join(all, 'w', '/shared');
      await join(all, 'r3', '/shared');
      expect(await all.holders()).toEqual(['r1', 'r2']);
      const connected = await cutOff(used.engine, ...['r1', 'r2', 'w', 'r3'].map(name => all.sessionId(name)));
      await connected();
      await all.release('r1');
      expect(await all.holders()).toEqual(['r2']);
      await all.release('r2');
      await all.holds('w');
      await all.release('w');
      await all.holds('r3');
    } finally {
      await all.stop();
    }
  });

  it('kazoo and Curator: as many leases as there are, and no more', async () => {
    const [curator, kazoo] = [
      startCuratorContenders(used.engine.connectString),
      startKazooContenders(used.engine.connectString),
    ];
    try {
      for (const [index, all] of [curator, kazoo].entries()) {
        const plan = { recipe: 'semaphore', path: `/leases${index}`, maxLeases: 2 } as const;
        for (const contender of ['a', 'b', 'c']) await all.start({ ...plan, contender });
        await all.acquire('a');
        await all.acquire('b');
        await join(all, 'c', plan.path + (index === 0 ? '/locks' : '-__lock__'));
        expect(await all.holders()).toEqual(['a', 'b']);
        await all.release('b');
        await all.holds('c');
        expect(await all.holders()).toEqual(['a', 'c']);
      }
    } finally {
      await curator.stop();
      await kazoo.stop();
    }
  });
});
