import { describe, expect, it } from 'vitest';
import type { Lease } from '../../../src/recipes/lock.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { eventually } from '../../support/eventually.ts';
import type { SpiedClient } from '../../support/spiedClient.ts';
import { allCases, begin, lockOf, lockPath, rivalOf, type Attempt, type RecipeCase } from './cases.ts';
import { ephemerals, useLockRealm } from './lockRealm.ts';

const realm = useLockRealm();
const queued = allCases.filter(({ recipe }) => recipe !== 'exclusive');
const crowd = 4;

/** What the server sent, as `w0: h1 deleted`: to whom, and what happened to whose node or to which directory. */
class Notices {
  private sent: string[] = [];
  private readonly names = new Map<string, string>();

  /** Gives a node the name that the test speaks of. */
  name(path: string, name: string): void {
    this.names.set(realm.chroot + path, name);
  }

  /** @param frame a notification with its length prefix: header, type, state, path */
  take(to: string, frame: Buffer): void {
    const type = ['', 'created', 'deleted', 'changed', 'children'][frame.readInt32BE(20)] ?? 'unknown';
    const path = frame.toString('utf8', 32, 32 + frame.readInt32BE(28));
    const directory = path.slice(path.lastIndexOf('/') + 1);
    // Children come and go: events of a directory carry its own name.
    this.sent.push(`${to}: ${type === 'children' ? directory : (this.names.get(path) ?? path)} ${type}`);
  }

  /**
   * What was sent since the last call, without the events of nodes that the client itself has just given up or marked.
   */
  since(): string[] {
    const sent = this.sent;
    this.sent = [];
    return sent.filter(text => !/^(\w+): \1 /.test(text)).toSorted();
  }
}

/** A contender that queues up by way of a proxy that counts the server's events. */
interface Member {
  name: string;
  client: SpiedClient;
  attempt: Attempt;
}

/** What one release has brought about. */
interface HandOver {
  /** Events that the server sent to waiters, the winner among them. */
  waiters: string[];
  /** Events that it sent to clients that held already. */
  holders: string[];
  /** What those who held already asked the server for after it. Looking after the own node is no wake-up. */
  holdersAsked: string[];
  lease: Lease;
}

class Scene {
  readonly members: Member[] = [];
  private readonly notices = new Notices();
  private readonly one: RecipeCase;
  private granted = 0;

  constructor(one: RecipeCase) {
    this.one = one;
  }

  /** Fills the lock and lets a crowd wait behind. @returns the leases, oldest first */
  async fill(): Promise<Lease[]> {
    const held: Lease[] = [];
    for (let at = 0; at < this.one.limit; at++) held.push(await (await this.join(`h${at}`)).attempt.taking);
    for (let at = 0; at < crowd; at++) await this.join(`w${at}`);
    this.notices.since();
    return held;
  }

  /** Lets go of a lease and waits until the next one has it and all is quiet. */
  async handOver(released: Lease): Promise<HandOver> {
    const waiting = this.members.filter(({ name }) => name.startsWith('w')).slice(this.granted++);
    const holding = this.members.filter(({ attempt }) => !waiting.some(member => member.attempt === attempt));
    await released.release();
    for (const { client } of holding) client.calls.length = 0;
    const lease = await waiting[0]!.attempt.taking;
    await this.nameNodes(waiting[0]!);
    await this.quiet();
    const names = waiting.map(({ name }) => name);
    const told = this.notices.since();
    const isToWaiter = (notice: string): boolean => names.includes(notice.slice(0, notice.indexOf(':')));
    return {
      waiters: told.filter(isToWaiter),
      holders: told.filter(notice => !isToWaiter(notice)),
      holdersAsked: holding
        .flatMap(({ client }) => client.asked)
        .filter(asked => asked !== 'exists /' && !asked.startsWith('getData ')),
      lease,
    };
  }

  /** @returns the events since the last call that the clients have handled */
  async heard(): Promise<string[]> {
    await this.quiet();
    return this.notices.since();
  }

  /** Gives back what is held, until no holder is left. */
  async drain(held: readonly Lease[]): Promise<void> {
    for (const lease of held) await lease.release();
    for (const { attempt } of this.members.slice(this.one.limit + this.granted)) await (await attempt.taking).release();
  }

  /** Lets one more join: it gets in, or waits with its watches set. */
  async join(name: string, lockFor = rivalOf): Promise<Member> {
    const { client, proxy } = await realm.openBehindProxy();
    proxy.onReply(({ xid, frame }) => {
      if (xid === -1) this.notices.take(name, frame);
      return 'forward';
    });
    const member = { name, client, attempt: begin(lockFor(client, this.one)) };
    this.members.push(member);
    await Promise.race([member.attempt.waits.catch(() => undefined), member.attempt.taking]);
    await this.quiet();
    await this.nameNodes(member);
    return member;
  }

  private async nameNodes({ name, client }: Member): Promise<void> {
    for (const { path, ephemeralOwner } of await ephemerals(realm.observer)) {
      if (ephemeralOwner === client.sessionId) this.notices.name(path, name);
    }
  }

  /** Waits until no client sends a request: what was sent before has come, and all watches are set. */
  private async quiet(): Promise<void> {
    const asked = (): number => this.members.reduce((sum, { client }) => sum + client.calls.length, 0);
    await eventually(async () => {
      const before = asked();
      for (const { client } of this.members) await client.exists('/');
      await new Promise(resolve => setImmediate(resolve));
      expect(asked()).toBe(before + this.members.length);
    });
  }
}

describe('one release wakes exactly one waiter and no other client', () => {
  it.each(queued.filter(({ recipe }) => recipe !== 'semaphore'))('$title', async one => {
    const scene = new Scene(one);
    let [lease] = await scene.fill();
    for (let at = 0; at < crowd; at++) {
      const { waiters, holders, lease: next } = await scene.handOver(lease!);
      expect(waiters).toEqual([`w${at}: ${at === 0 ? 'h0' : `w${at - 1}`} deleted`]);
      expect(holders).toEqual([]);
      lease = next;
    }
    await scene.drain([lease!]);
  });
});

describe('readers', () => {
  it.each(queued.filter(({ recipe }) => recipe === 'read'))(
    'are woken by the writer in front of them, all and once; the writer behind them by the one right in front of it: $title',
    async one => {
      const scene = new Scene(one);
      const writer = await (await scene.join('w0')).attempt.taking;
      const readers = [];
      for (const name of ['r1', 'r2', 'r3']) readers.push(await scene.join(name, lockOf));
      const last = await scene.join('w4');
      await scene.heard();
      await writer.release();
      const leases = [];
      for (const { attempt } of readers) leases.push(await attempt.taking);
      expect(await scene.heard()).toEqual(['r1: w0 deleted', 'r2: w0 deleted', 'r3: w0 deleted']);
      await leases[0]!.release();
      expect(await scene.heard()).toEqual([]);
      // Not its turn yet: from now on it waits for the one that is left.
      await leases[2]!.release();
      expect(await scene.heard()).toEqual(['w4: r3 deleted']);
      await leases[1]!.release();
      await (await last.attempt.taking).release();
      expect(await scene.heard()).toEqual(['w4: r2 deleted']);
    },
  );
});

/** Every limit up to three, and every place in the order of grants from which a lease may be given back. */
const semaphores = allCases
  .filter(({ recipe }) => recipe === 'semaphore')
  .flatMap(one => [1, 2, 3].map(limit => ({ ...one, limit })))
  .flatMap(one => Array.from({ length: one.limit }, (_, at) => ({ ...one, at, nth: at + 1 })));
const ofDialect = (...dialects: string[]): typeof semaphores =>
  semaphores.filter(({ dialect }) => dialects.includes(dialect ?? ''));

interface Step {
  /** Which hand-over, from 0: `w<step>` gets the lease. */
  step: number;
  /** Who gave its lease back. */
  released: string;
  handOver: HandOver;
}

/** Gives back the lease of the `at`-th oldest holder again and again, until the whole crowd has had its turn. */
async function playAll({ at, ...one }: RecipeCase & { at: number }, check: (step: Step) => void): Promise<void> {
  const scene = new Scene(one);
  const held = (await scene.fill()).map((lease, index) => ({ name: `h${index}`, lease }));
  for (let step = 0; step < crowd; step++) {
    const [{ name, lease }] = held.splice(at, 1) as [(typeof held)[0]];
    const handOver = await scene.handOver(lease);
    check({ step, released: name, handOver });
    held.push({ name: `w${step}`, lease: handOver.lease });
  }
  await scene.drain(held.map(({ lease }) => lease));
}

/**
 * These two libraries keep a queue beside their leases, and its head alone watches them: that is what makes one release wake
 * one waiter, whichever holder releases. The winner then leaves the queue, which its successor must see, or no client would watch the
 * leases. That second notice is caused by the winner's hand-over of its place, not by the release, and both libraries do the
 * same. Each deleted node causes one event.
 */
describe('one release of a semaphore wakes one waiter, and the winner leaving the queue wakes its successor', () => {
  it.each(ofDialect('curator', 'kazoo'))('$title of $limit, released by holder $nth', async one => {
    const leases = one.dialect === 'curator' ? 'leases' : 'orders';
    await playAll(one, ({ step, handOver: { waiters, holders } }) => {
      const byRelease = [`w${step}: ${leases} children`];
      const byLeaving = step + 1 < crowd ? [`w${step + 1}: w${step} deleted`] : [];
      expect(waiters).toEqual([...byRelease, ...byLeaving]);
      expect(holders).toEqual([]);
    });
  });
});

/**
 * The first waiter watches all who hold; the others watch their predecessor, which says by a mark in its node when it waits no
 * more. Again one notice by the release and one by the winner's own step. ZooKeeper keeps a watch until it fires, so who won by
 * one holder's end still gets the events of the others' (never with one lease): it holds by then, and does nothing.
 */
describe('one release of a semaphore wakes one waiter, and the mark of the winner wakes its successor', () => {
  it.each(ofDialect('distributedlock-net'))('$title of $limit, released by holder $nth', async one => {
    await playAll(one, step => {
      const byRelease = [`w${step.step}: ${step.released} deleted`];
      const byMark = step.step + 1 < crowd ? [`w${step.step + 1}: w${step.step} changed`] : [];
      expect(step.handOver.waiters).toEqual([...byRelease, ...byMark]);
      if (one.limit === 1) expect(step.handOver.holders).toEqual([]);
      expect(step.handOver.holdersAsked).toEqual([]);
    });
  });
});

/**
 * Here no holder marks that it has become one: no queue beside the leases, no mark. A waiter with i in front gets its turn when
 * i - n + 1 of them are gone, whichever they are; watching fewer than n, it is overlooked if just the others go. So each must
 * watch n, and the fewest are woken in vain if these are the last n in front, as the library does: the oldest holder's end
 * wakes exactly one, that of the k-th oldest k.
 */
describe('one release of a semaphore wakes as many waiters as have the holder among the last n in front of them', () => {
  it.each(ofDialect('zk-ruby'))('$title of $limit, released by holder $nth', async one => {
    await playAll(one, step => {
      const woken = Math.min(one.nth, crowd - step.step);
      const names = Array.from({ length: woken }, (_, index) => `w${step.step + index}`);
      expect(step.handOver.waiters).toEqual(names.map(name => `${name}: ${step.released} deleted`));
      if (one.limit === 1) expect(step.handOver.holders).toEqual([]);
      expect(step.handOver.holdersAsked).toEqual([]);
    });
  });
});

describe('a semaphore whose holders mark their nodes', () => {
  const one = { ...allCases.find(({ title }) => title === 'semaphore (distributedlock-net)')!, limit: 2 };
  const acquire = (client: ZooKeeperClient): Promise<Lease> => rivalOf(client, one).acquire({ timeoutMs: 5_000 });

  it('marks the winner although another client has written to its node, or its successor would wait for that mark', async () => {
    const held = [await acquire(await realm.open()), await acquire(await realm.open())];
    const first = begin(rivalOf(await realm.open(), one));
    const { path } = await first.waits;
    const second = begin(rivalOf(await realm.open(), one));
    await second.waits;
    await realm.observer.set(path!, 'a note');
    await held[0]!.release();
    const lease = await first.taking;
    expect((await realm.observer.get(lease.path))?.data.toString()).toBe('ACQUIRED');
    await held[1]!.release();
    await (await second.taking).release();
    await lease.release();
  });

  it('does not rely on one in front that holds by a larger limit of its own', async () => {
    const others: string[] = [];
    for (let at = 0; at < 3; at++) {
      others.push(
        await realm.observer.create(`${lockPath}/semaphore-`, { data: 'ACQUIRED', ephemeral: true, sequence: true }),
      );
    }
    const attempt = begin(rivalOf(await realm.open(), one));
    await attempt.waits;
    for (const path of others.slice(0, 2)) await realm.observer.delete(path);
    const lease = await attempt.taking;
    expect((await realm.observer.ls(lockPath)).map(node => node.path)).toEqual([others[2], lease.path]);
    await lease.release();
  });
});

describe('one release of an exclusive node', () => {
  it('wakes all who wait, once each, and one of them wins', async () => {
    const scene = new Scene(allCases.find(({ recipe }) => recipe === 'exclusive')!);
    let [lease] = await scene.fill();
    const waiting = scene.members.slice(1);
    while (waiting.length > 0) {
      await lease!.release();
      const winner = await Promise.race(waiting.map(async member => ({ member, lease: await member.attempt.taking })));
      const deleted = (await scene.heard()).filter(notice => notice.endsWith('deleted'));
      // All of them have made the same node, which has the name of the first one who held it.
      const told = deleted.filter(notice => waiting.some(({ name }) => notice.startsWith(`${name}:`)));
      expect(told).toEqual(waiting.map(({ name }) => `${name}: h0 deleted`));
      waiting.splice(waiting.indexOf(winner.member), 1);
      ({ lease } = winner);
    }
    await lease!.release();
  });
});
