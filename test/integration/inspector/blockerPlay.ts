import { expect } from 'vitest';
import { atOnce } from '../../../src/base/interruptible.ts';
import { BlockerIndex } from '../../../src/inspector/blockers/blockerIndex.ts';
import { ifEnded } from '../../../src/inspector/blockers/ifEnded.ts';
import { rankBlockers, type RankedBlocker } from '../../../src/inspector/blockers/rankBlockers.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import type { Contender, LockQueue } from '../../../src/locks/lockQueue.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { eventually } from '../../support/eventually.ts';
import { byMembers, NaiveBlockers, plainBlocker } from '../../support/naiveBlockers.ts';
import type { SeededRandom } from '../../support/seededRandom.ts';
import type { Part, PlayedLibrary, PlayedProcess } from './playedProcesses.ts';

/** A lock, and how a contender of each library that comes to it takes it. */
interface PlayedLock {
  path: string;
  recipes: Partial<Record<PlayedLibrary, readonly string[]>>;
}

type Recipes = PlayedLock['recipes'];
const shared: Recipes = { curator: ['mutex'], kazoo: ['curatorNamedLock'] };
const kinds: readonly (readonly [count: number, recipes: Recipes])[] = [
  [3, { curator: ['mutex'] }],
  [3, { curator: ['read', 'write', 'read'] }],
  [2, { curator: ['semaphore'] }],
  [4, { kazoo: ['lock'] }],
  [2, { kazoo: ['read', 'write', 'read'] }],
  [2, { kazoo: ['semaphore'] }],
  // Names that both libraries count.
  [4, shared],
];

/** Twenty locks. */
function locksBelow(root: string): PlayedLock[] {
  return kinds.flatMap(([count, recipes], kind) =>
    Array.from({ length: count }, (_, at) => ({ path: `${root}/k${kind}-${at}`, recipes })),
  );
}

interface Member extends Part {
  process: PlayedProcess;
  id: bigint;
}

/** What one lock is like: in grant order, or of a semaphore in any, since its nodes change when a waiter gets a lease. */
type Outline = readonly string[];

/** What a play found. */
export interface PlayResult {
  /** Locks that got free or another holder. */
  freed: number;
  /** Contenders that got one. */
  handed: number;
  /** Sessions that waited behind the blocker, and those of them that did so by a chain. */
  waiting: number;
  chained: number;
  kind: RankedBlocker['kind'];
}

export interface PlayScene {
  client: ZooKeeperClient;
  /** As the programs must write what is `/` for the client. */
  chroot: string;
  root: string;
  processes: readonly PlayedProcess[];
  random: SeededRandom;
}

const joins = 30;
const sessionsPerProcess = 3;

/** Twenty locks with real contenders; the process of the worst blocker is killed, and what follows is what was foretold. */
export class BlockerPlay {
  private readonly scene: PlayScene;
  private readonly locks: readonly PlayedLock[];
  private readonly members: Member[] = [];

  constructor(scene: PlayScene) {
    this.scene = scene;
    this.locks = locksBelow(scene.root);
  }

  async play(): Promise<PlayResult> {
    await this.gather();
    const before = await this.settled();
    const index = new BlockerIndex();
    atOnce(index.update(before));
    const ranking = atOnce(rankBlockers(index)).blockers;
    expect(byMembers(ranking.map(plainBlocker)), 'ranking').toEqual(byMembers(new NaiveBlockers(before).ranking()));
    const [worst] = ranking;
    if (worst === undefined) throw new Error('Nothing is blocked.');
    const victim = this.processOf(worst);
    const ended = victim.sessionIds;
    const endings = atOnce(ifEnded(before, ended));
    const foretold = this.foretold(before, ended);
    await victim.kill();
    await eventually(async () => this.compare(foretold, ended), 25_000, 100);
    return {
      freed: endings.filter(({ isHolder }) => isHolder).length,
      handed: endings.reduce((sum, { next }) => sum + next.length, 0),
      waiting: worst.waiting,
      chained: worst.waiting - worst.direct,
      kind: worst.kind,
    };
  }

  /** All join at the same time; readers of kazoo last, since a writer that joins later would keep waiting ones (docs/faults.md, L12). */
  private async gather(): Promise<void> {
    for (let at = 0; at < joins; at++) await this.start(at);
    const isLate = ({ process, recipe }: Member): boolean => process.library === 'kazoo' && recipe === 'read';
    for (const late of [false, true]) {
      const now = this.members.filter(member => isLate(member) === late);
      await Promise.all(now.map(({ process, name }) => process.begin(name)));
      await eventually(async () => {
        const queues = await this.read();
        for (const member of now) expect(hasJoined(queues, member), `${member.name} in its queue`).toBe(true);
      });
    }
  }

  private async start(at: number): Promise<void> {
    const { processes, random } = this.scene;
    const process = random.pick(processes);
    const session = `${this.scene.root} ${random.below(sessionsPerProcess)}`;
    const mine = this.members.filter(member => member.process === process && member.session === session);
    const free = this.locks.filter(({ path }) => !mine.some(({ paths }) => paths.includes(path)));
    const open = free.filter(({ recipes }) => recipes[process.library] !== undefined);
    const first = open[Math.floor(random.next() ** 2 * open.length)];
    if (first === undefined) return;
    const name = `${this.scene.root.slice(1)}.${at}`;
    const mutexes = open.filter(({ recipes }) => recipes.curator?.includes('mutex') === true);
    const isMulti = process.library === 'curator' && mutexes.length >= 3 && random.below(4) === 0;
    const paths = isMulti ? pickSome(random, mutexes, 2 + random.below(2)).map(({ path }) => path) : [first.path];
    const recipe = isMulti ? 'multi' : random.pick(first.recipes[process.library]!);
    const part: Part = { name, recipe, session, paths: paths.map(path => this.scene.chroot + path), maxLeases: 2 };
    const id = await process.start(part);
    this.members.push({ ...part, paths, process, id });
  }

  private async read(): Promise<LockQueue[]> {
    const found = await Promise.all(this.locks.map(({ path }) => readQueues(this.scene.client, path)));
    for (const queues of found) expect(queues.length, 'queues of a lock').toBeLessThan(2);
    return found.flat();
  }

  /** The queues once the libraries say the same as they do, twice. */
  private async settled(): Promise<LockQueue[]> {
    let last = '';
    return eventually(
      async () => {
        const queues = await this.read();
        const text = JSON.stringify(queues.map(outline));
        const isSame = text === last;
        last = text;
        await this.compareWithLibraries(queues);
        expect(isSame, 'queues that last').toBe(true);
        return queues;
      },
      15_000,
      100,
    );
  }

  private async compareWithLibraries(queues: readonly LockQueue[]): Promise<void> {
    const answers = await Promise.all(this.scene.processes.map(process => process.holders()));
    const saying = new Set(answers.flat());
    for (const { name, id, paths } of this.members) {
      const roles = paths.map(path => roleIn(queues, path, id));
      expect([name, roles.every(role => role === 'holder')]).toEqual([name, saying.has(name)]);
    }
  }

  private processOf({ members: [first = ''] }: RankedBlocker): PlayedProcess {
    const session = BigInt.asIntN(64, BigInt(first.replace('session ', '')));
    const member = this.members.find(({ id }) => id === session);
    if (member === undefined) throw new Error(`${first} is no session of this play.`);
    return member.process;
  }

  /** Each lock as it must be: who leaves is gone, who is next holds. */
  private foretold(queues: readonly LockQueue[], ended: ReadonlySet<bigint>): Map<string, Outline> {
    const foretold = new Map(this.locks.map(({ path }): [string, Outline] => [path, []]));
    for (const queue of queues) foretold.set(queue.path, outline(queue));
    for (const { queue, leaving, next } of atOnce(ifEnded(queues, ended))) {
      const contenders = queue.contenders
        .filter(contender => !leaving.includes(contender))
        .map((contender): Contender => (next.includes(contender) ? { ...contender, role: 'holder' } : contender));
      foretold.set(queue.path, outline({ ...queue, contenders }));
    }
    return foretold;
  }

  private async compare(foretold: ReadonlyMap<string, Outline>, ended: ReadonlySet<bigint>): Promise<void> {
    for (let at = this.members.length - 1; at >= 0; at--) {
      if (ended.has(this.members[at]!.id)) this.members.splice(at, 1);
    }
    const queues = await this.read();
    const found = new Map(queues.map(queue => [queue.path, queue]));
    const seen = [...foretold.keys()].map(path => [path, this.outlineOfThoseBefore(path, found.get(path), foretold)]);
    expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(foretold));
    await this.compareWithLibraries(queues);
  }

  /** Without those that a lock of several locks joined because it got one of those before. */
  private outlineOfThoseBefore(
    path: string,
    queue: LockQueue | undefined,
    foretold: ReadonlyMap<string, Outline>,
  ): Outline {
    if (queue === undefined) return [];
    const isLater = (contender: Contender): boolean =>
      !foretold.get(path)!.some(line => line.startsWith(keyOf(queue, contender))) &&
      this.members.some(
        ({ recipe, id, paths }) => recipe === 'multi' && id === contender.ownerSession && paths.slice(1).includes(path),
      );
    return outline({ ...queue, contenders: queue.contenders.filter(contender => !isLater(contender)) });
  }
}

function pickSome<T>(random: SeededRandom, values: readonly T[], count: number): T[] {
  const left = [...values];
  return Array.from({ length: Math.min(count, left.length) }, () => left.splice(random.below(left.length), 1)[0]!);
}

/** A lock of several locks comes to the first, and to others as it gets them. */
function hasJoined(queues: readonly LockQueue[], { paths, id }: Member): boolean {
  return roleIn(queues, paths[0]!, id) !== undefined;
}

function roleIn(queues: readonly LockQueue[], path: string, session: bigint): Contender['role'] | undefined {
  const contenders = queues.filter(queue => queue.path === path).flatMap(queue => queue.contenders);
  const roles = contenders.filter(({ ownerSession }) => ownerSession === session).map(({ role }) => role);
  return roles.includes('holder') ? 'holder' : roles[0];
}

function outline(queue: LockQueue): Outline {
  const lines = queue.contenders.map(contender => `${keyOf(queue, contender)} ${contender.role}`);
  return isSemaphore(queue) ? lines.sort() : lines;
}

function keyOf(queue: LockQueue, { ownerSession, path, czxid }: Contender): string {
  return isSemaphore(queue) ? `session ${ownerSession}` : `${path} ${czxid}`;
}

function isSemaphore({ contenders }: LockQueue): boolean {
  return contenders.some(({ kind }) => kind === 'lease');
}
