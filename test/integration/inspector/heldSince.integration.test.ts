import { afterAll, beforeAll, beforeEach, afterEach, expect, it } from 'vitest';
import { monotonicNow } from '../../../src/base/deadline.ts';
import type { Disposable } from '../../../src/base/disposable.ts';
import { ServerClock } from '../../../src/history/clocks.ts';
import { HolderSightings } from '../../../src/history/holderSightings.ts';
import { isLongHeld } from '../../../src/inspector/findStale.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import { watchQueues } from '../../../src/inspector/watchQueues.ts';
import type { Contender, LockQueue } from '../../../src/locks/lockQueue.ts';
import type { TreeEvent, ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import type { Contenders } from '../../support/contenders.ts';
import { startCuratorContenders } from '../../support/curatorContenders.ts';
import { eventually } from '../../support/eventually.ts';
import { useTestRealm } from '../../support/freshChroot.ts';
import { startKazooContenders } from '../../support/kazooContenders.ts';
import { lateness } from '../../support/lateness.ts';
import { seededRandom, type SeededRandom } from '../../support/seededRandom.ts';

const realm = useTestRealm();
const lockPath = '/lock';
/** Hand-overs of each recipe. */
const wantedHandOvers = 25;
/** Server and test run on one machine; its clock counts whole ms. */
const readingToleranceMs = 5;
/**
 * What a watch saw is as exact as its events are quick, and so is the server's clock that was learnt from them. A busy machine adds
 * how late its events were and how slow the reading that each of them starts.
 */
const watchToleranceMs = 100;

/** A recipe as its library defines it, apart from the code under test. */
interface Played {
  title: string;
  library: 'curator' | 'kazoo';
  recipes: readonly string[];
  maxLeases?: number;
  /** Whether a node below the lock path can hold. */
  isPlace(path: string): boolean;
  /** A node is made only when its turn has come. */
  isMadeByTurn?: true;
  /** Which of the places hold, by their names, in the order of creation. */
  holders(places: readonly string[]): string[];
}

const numberOf = (path: string): number => Number(path.slice(-10));

function firstOf(places: readonly string[]): string[] {
  return [...places].sort((a, b) => numberOf(a) - numberOf(b)).slice(0, 1);
}

function readersAndWriters(places: readonly string[]): string[] {
  const queue = [...places].sort((a, b) => numberOf(a) - numberOf(b));
  const isReader = (path: string): boolean => /__READ__|__rlock__/.test(path);
  const writer = queue.findIndex(path => !isReader(path));
  if (writer < 0) return queue;
  return writer === 0 ? queue.slice(0, 1) : queue.slice(0, writer);
}

const games: Played[] = [
  {
    title: 'Curator mutex',
    library: 'curator',
    recipes: ['mutex'],
    isPlace: path => path.includes('-lock-'),
    holders: firstOf,
  },
  {
    title: 'Curator read/write lock',
    library: 'curator',
    recipes: ['read', 'read', 'write'],
    isPlace: path => /__READ__|__WRIT__/.test(path),
    holders: readersAndWriters,
  },
  {
    title: 'Curator semaphore V2',
    library: 'curator',
    recipes: ['semaphore'],
    maxLeases: 2,
    isPlace: path => path.includes('/leases/'),
    holders: places => places.slice(0, 2),
  },
  {
    title: 'kazoo mutex',
    library: 'kazoo',
    recipes: ['lock'],
    isPlace: path => path.includes('__lock__'),
    holders: firstOf,
  },
  {
    title: 'kazoo semaphore',
    library: 'kazoo',
    recipes: ['semaphore'],
    maxLeases: 2,
    isPlace: path => /^\/lock\/[0-9a-f]{32}$/.test(path),
    isMadeByTurn: true,
    holders: places => [...places],
  },
];

/** When a node's turn came: between two moments, epoch ms. */
interface Truth {
  from: number;
  to: number;
}

/** One node; kazoo gives the same name again to the next lease of the same contender. */
interface Place {
  path: string;
  czxid?: bigint;
  turn?: Truth;
}

/** Watches the nodes as a client of its own and notes when each turn came, by the recipe's definition. */
class TurnKeeper {
  /** Nodes whose turn came because another node went, whether the recipe made them then or before. */
  handOvers = 0;
  /** When the last command was sent that can have changed something. */
  commandAt = 0;
  private readonly game: Played;
  private readonly client: ZooKeeperClient;
  private readonly all: Place[] = [];
  private present: Place[] = [];
  private readonly reads: Promise<void>[] = [];

  constructor(game: Played, client: ZooKeeperClient) {
    this.game = game;
    this.client = client;
  }

  note({ type, path }: TreeEvent): void {
    if (type === 'dataChanged' || !this.game.isPlace(path)) return;
    const seenAt = Date.now();
    this.present = this.present.filter(place => place.path !== path);
    const made: Place | undefined = type === 'created' ? { path } : undefined;
    if (made !== undefined) {
      this.present.push(made);
      this.all.push(made);
    }
    this.noteTurns(made, seenAt);
    if (made !== undefined) this.reads.push(this.readStat(made, made.turn !== undefined));
  }

  private noteTurns(made: Place | undefined, seenAt: number): void {
    const holding = new Set(this.game.holders(this.present.map(place => place.path)));
    for (const place of this.present) {
      if (!holding.has(place.path) || place.turn !== undefined) continue;
      place.turn = { from: this.commandAt, to: seenAt };
      if (made === undefined || this.game.isMadeByTurn === true) this.handOvers++;
    }
  }

  /** By czxid, once every node was read. */
  async turns(): Promise<Map<bigint, Truth>> {
    await Promise.all(this.reads);
    return new Map(this.all.flatMap(({ czxid, turn }) => (czxid && turn ? [[czxid, turn] as const] : [])));
  }

  private async readStat(place: Place, isHeldAtOnce: boolean): Promise<void> {
    const stat = await this.client.exists(place.path);
    if (stat === undefined) return;
    place.czxid = stat.czxid;
    if (isHeldAtOnce) place.turn = { from: stat.ctime, to: stat.ctime };
  }
}

/** What a reading said of a holder. */
interface Said {
  by: string;
  contender: Contender;
  at: number;
}

/** Reads at random moments, once and with a watch that is now and then made again, and keeps what was said. */
class Reader {
  readonly said: Said[] = [];
  slowestMs = 0;
  readonly sightings = new HolderSightings(new ServerClock({ now: () => Date.now(), monotonicNow }));
  private readonly client: ZooKeeperClient;
  private readonly random: SeededRandom;
  private watch: Disposable | undefined;
  private isContinuous = false;
  private isDone = false;

  constructor(client: ZooKeeperClient, random: SeededRandom) {
    this.client = client;
    this.random = random;
  }

  async run(): Promise<void> {
    while (!this.isDone) {
      await new Promise(resolve => setTimeout(resolve, this.random.below(30)));
      if (this.watch === undefined || this.random.below(20) === 0) await this.watchAgain();
      const startedAt = monotonicNow();
      const queues = await readQueues(this.client, lockPath);
      this.slowestMs = Math.max(this.slowestMs, monotonicNow() - startedAt);
      this.keep('one reading', queues);
      this.keep('a reading beside the watch', this.sightings.narrow(queues));
    }
    this.watch?.dispose();
  }

  stop(): void {
    this.isDone = true;
  }

  private async watchAgain(): Promise<void> {
    this.watch?.dispose();
    this.isContinuous = false;
    const take = (queues: LockQueue[]): void => {
      this.keep('the watch', this.sightings.note(lockPath, queues, this.isContinuous));
      this.isContinuous = true;
      for (const again of this.sightings.afterClockJump().values()) this.keep('the watch again', again);
    };
    this.watch = await watchQueues(this.client, lockPath, take, { onGap: () => void (this.isContinuous = false) });
  }

  private keep(by: string, queues: readonly LockQueue[]): void {
    const at = Date.now();
    for (const contender of queues.flatMap(({ contenders }) => contenders)) {
      if (contender.role === 'holder') this.said.push({ by, contender, at });
    }
  }
}

/** The program's contenders: they join, release and leave at random until enough turns were handed over. */
class Players {
  private readonly contenders: Contenders<string>;
  private readonly game: Played;
  private readonly keeper: TurnKeeper;
  private readonly random: SeededRandom;
  private idle: string[] = [];
  private queued: string[] = [];
  private count = 0;

  constructor(contenders: Contenders<string>, game: Played, keeper: TurnKeeper, random: SeededRandom) {
    this.contenders = contenders;
    this.game = game;
    this.keeper = keeper;
    this.random = random;
  }

  async play(): Promise<void> {
    while (this.idle.length < 6) await this.add();
    for (const enough of [4, 2, 1]) while (this.queued.length < enough) await this.join();
    while (this.keeper.handOvers < wantedHandOvers) {
      const choice = this.random.below(10);
      if (choice === 0 && this.queued.length > 3) await this.leave();
      else if (this.idle.length > 0 && (choice < 4 || this.queued.length < 3)) await this.join();
      else await this.release();
    }
  }

  async end(): Promise<void> {
    for (const name of [...this.idle, ...this.queued]) await this.contenders.end(name).catch(() => undefined);
  }

  private async add(): Promise<void> {
    const contender = `${this.game.library}-${this.game.title}-${String(this.count)}`;
    const recipe = this.game.recipes[this.count++ % this.game.recipes.length]!;
    const limit = this.game.maxLeases === undefined ? {} : { maxLeases: this.game.maxLeases };
    await this.contenders.start({ contender, recipe, path: realm.chroot + lockPath, ...limit });
    this.idle.push(contender);
  }

  private command(): void {
    this.keeper.commandAt = Date.now();
  }

  private async join(): Promise<void> {
    const name = this.random.pick(this.idle);
    this.idle = this.idle.filter(each => each !== name);
    this.command();
    const session = this.contenders.sessionId(name);
    await this.contenders.begin(name);
    const places = [lockPath, `${lockPath}/locks`, `${lockPath}/leases`, `${lockPath}-__lock__`];
    await eventually(async () => {
      const nodes = await Promise.all(places.map(path => realm.observer.ls(path).catch(() => [])));
      expect(nodes.flat().map(node => node.ephemeralOwner)).toContain(session);
    });
    this.queued.push(name);
  }

  /** One that holds gives the lock back. */
  private async release(): Promise<void> {
    const name = await eventually(async () => {
      const holding = (await this.contenders.holders()).filter(each => this.queued.includes(each));
      expect(holding.length).toBeGreaterThan(0);
      return this.random.pick(holding);
    });
    this.command();
    await this.contenders.release(name);
    this.queued = this.queued.filter(each => each !== name);
    this.idle.push(name);
  }

  /** Any one's session ends, whether it holds or waits. */
  private async leave(): Promise<void> {
    const name = this.random.pick(this.queued);
    this.queued = this.queued.filter(each => each !== name);
    this.command();
    await this.contenders.end(name);
    await this.add();
  }
}

/** Asks all the time, so that an event that is held up holds up an answer too. */
class AnswerTimes {
  slowestMs = 0;
  private readonly asking: Promise<unknown>;
  private isDone = false;

  constructor(clients: readonly ZooKeeperClient[]) {
    this.asking = Promise.all(clients.map(client => this.ask(client)));
  }

  async stop(): Promise<void> {
    this.isDone = true;
    await this.asking;
  }

  private async ask(client: ZooKeeperClient): Promise<void> {
    while (!this.isDone) {
      const sentAt = monotonicNow();
      await client.exists('/');
      this.slowestMs = Math.max(this.slowestMs, monotonicNow() - sentAt);
      await new Promise(resolve => setTimeout(resolve, 5));
    }
  }
}

/** What is judged by: when the turns came, how late what was watched may be, and from when on a lock is held for long, ms. */
interface Measure {
  turns: ReadonlyMap<bigint, Truth>;
  watchedToleranceMs: number;
  longHeldMs: number;
}

/** What is wrong with what was said of a holder, if its turn came when it did. */
function faultOf({ by, contender, at }: Said, { turns, watchedToleranceMs, longHeldMs }: Measure): string[] {
  const { path, czxid, heldSince } = contender;
  const truth = turns.get(czxid);
  if (truth === undefined) return [`${by}: ${path} never had its turn`];
  if (heldSince === undefined) return [`${by}: nothing is said of ${path}`];
  const { earliest, latest = at } = heldSince;
  const toleranceMs = by === 'one reading' ? readingToleranceMs : watchedToleranceMs;
  const faults: string[] = [];
  const facts = JSON.stringify({ truth, heldSince, at, path });
  if (earliest > truth.to + toleranceMs || latest < truth.from - toleranceMs) faults.push(`${by}: not then: ${facts}`);
  if (earliest > latest) faults.push(`${by}: no interval: ${facts}`);
  const isLong = isLongHeld(contender, at, longHeldMs);
  if (isLong && at - truth.from + toleranceMs < longHeldMs) faults.push(`${by}: long too early: ${facts}`);
  return faults;
}

/** As if each holder held since it queued. */
function asCreated({ contender, ...said }: Said): Said {
  const { createdAt } = contender;
  return { ...said, contender: { ...contender, heldSince: { earliest: createdAt, latest: createdAt } } };
}

/** How much was said: the moment, an interval, or only when it queued. */
function preciseness({ contender: { heldSince }, by }: Said): string {
  const { earliest = 0, latest } = heldSince ?? {};
  return `${by}, ${latest === undefined ? 'open' : latest - earliest <= 1_000 ? 'exact' : 'interval'}`;
}

const programs = new Map<Played['library'], Contenders<string>>();
beforeAll(() => {
  programs.set('curator', startCuratorContenders(realm.serverConnectString));
  programs.set('kazoo', startKazooContenders(realm.serverConnectString));
});
afterAll(async () => {
  for (const program of programs.values()) await program.stop();
});

let clients: ZooKeeperClient[];
beforeEach(async () => {
  clients = await Promise.all([connect(realm.connectString), connect(realm.connectString)]);
});
afterEach(async () => {
  for (const client of clients) await client.close();
});

const precise = new Map<string, number>();

it.each(games.map((game, at) => ({ ...game, seed: 1_600 + at })))(
  'says of every holder when its turn came, at any moment: $title (seed $seed)',
  async ({ seed, ...game }) => {
    const random = seededRandom(seed);
    const [own, read] = clients as [ZooKeeperClient, ZooKeeperClient];
    const keeper = new TurnKeeper(game, own);
    const watch = await own.watchTree(lockPath, event => keeper.note(event));
    const late = lateness();
    const answers = new AnswerTimes(clients);
    const reader = new Reader(read, seededRandom(seed + 100));
    const reading = reader.run();
    const players = new Players(programs.get(game.library)!, game, keeper, random);
    try {
      await players.play();
    } finally {
      reader.stop();
      await reading;
      await answers.stop();
      await players.end();
      watch.dispose();
    }
    const turns = await keeper.turns();
    const watchedToleranceMs = watchToleranceMs + late() + answers.slowestMs + reader.slowestMs;
    const measure = (longHeldMs: number): Measure => ({ turns, watchedToleranceMs, longHeldMs });
    const faults = reader.said.flatMap(said => faultOf(said, measure(50 + random.below(400))));
    expect(faults).toEqual([]);
    expect(reader.said.length).toBeGreaterThan(100);
    expect(reader.said.some(said => faultOf(asCreated(said), measure(0)).length > 0)).toBe(!game.isMadeByTurn);
    for (const said of reader.said) precise.set(preciseness(said), (precise.get(preciseness(said)) ?? 0) + 1);
  },
  60_000,
);

it('and says it as exactly as it is known', () => {
  for (const by of ['one reading, exact', 'one reading, open', 'the watch, exact']) {
    expect(precise.get(by) ?? 0).toBeGreaterThan(20);
  }
});
