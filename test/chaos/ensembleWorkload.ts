import { fileURLToPath } from 'node:url';
import { fourLetterWord } from '../../scripts/zookeeper/fourLetterWord.ts';
import { createLock, type LockSpec } from '../../src/recipes/createLock.ts';
import { connect } from '../../src/zookeeper/connect.ts';
import { startCuratorPlayer } from '../support/curatorContenders.ts';
import { JsonLines } from '../support/jsonLines.ts';
import { startKazooPlayer } from '../support/kazooContenders.ts';
import { startObserver } from '../support/observer.ts';
import { startProxyGroup, type ProxyGroup } from '../support/proxyGroup.ts';
import { seededRandom, type SeededRandom } from '../support/seededRandom.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../support/zookeeperServer.ts';
import { judge, type Grant, type Library } from './ensembleChecks.ts';
import { harmEnsemble, healEnsemble } from './ensembleFaults.ts';
import { addRun, emptyReport, type EnsembleReport } from './ensembleReport.ts';
import { FencedRegister } from './fencedRegister.ts';
import { doHarm, type Victim } from './lockFaults.ts';
import type { LockPlay, LockPlayed } from './lockPlay.ts';
import { orphans, within } from './lockWorkload.ts';
import { nodeLives } from './transactionLog.ts';
import { mostWallOffset } from './wallClock.ts';

export interface EnsembleChaosOptions {
  seed: number;
  /** Whether one more run is to be played. */
  goesOn: (report: EnsembleReport) => boolean;
  onRun?: (report: EnsembleReport) => void;
}

/** What the contenders of a run ask for; `undefined`: that library has no such lock. */
interface Game {
  ours: LockSpec[];
  curator?: 'mutex' | 'readWrite';
  kazoo?: 'lock' | 'curatorNamedLock';
}

const games: readonly Game[] = [
  { ours: [{ recipe: 'mutex', dialect: 'curator' }], curator: 'mutex', kazoo: 'curatorNamedLock' },
  { ours: [{ recipe: 'mutex', dialect: 'kazoo' }], kazoo: 'lock' },
  { ours: [{ recipe: 'mutex', dialect: 'curator' }], curator: 'mutex' },
  {
    ours: [
      { recipe: 'write', dialect: 'curator' },
      { recipe: 'read', dialect: 'curator' },
    ],
    curator: 'readWrite',
  },
];

/** Members that give up soon, and members that go on without the leader for longer than most sessions live. */
const stages = [
  { tickTime: 200, syncLimit: 5 },
  { tickTime: 200, syncLimit: 25 },
  { tickTime: 500, syncLimit: 5 },
  { tickTime: 200, syncLimit: 25 },
] as const;
const runsPerStage = 6;
const sessionTimeouts = [800, 1_200, 2_000, 3_000, 6_000] as const;
const stuckAfterMs = 20_000;

/** A program with its network. One that does not end when asked is killed, and another one takes its place. */
class Player implements Victim {
  readonly library: Library;
  readonly number: number;
  readonly proxy: ProxyGroup;
  program: JsonLines;
  /** How often it had to be killed in this run. */
  kills = 0;

  constructor(library: Library, number: number, proxy: ProxyGroup) {
    this.library = library;
    this.number = number;
    this.proxy = proxy;
    this.program = startProgram(library);
  }

  /** Ends its sessions. @returns whether it did that by itself */
  async end(): Promise<boolean> {
    const ending = this.program.request('end').then(
      () => true,
      () => false,
    );
    if ((await within(ending, 5_000)) === true) return true;
    await this.program.kill();
    this.kills++;
    this.program = startProgram(this.library);
    return false;
  }
}

function startProgram(library: Library): JsonLines {
  switch (library) {
    case 'ours':
      return new JsonLines('ours', process.execPath, [fileURLToPath(new URL('lockWorker.ts', import.meta.url))]);
    case 'curator':
      return startCuratorPlayer();
    case 'kazoo':
      return startKazooPlayer();
  }
}

/** One ensemble with the programs that contend on it. */
class Theatre {
  private readonly ensemble: ZooKeeperEnsemble;
  private readonly players: readonly Player[];
  private readonly register: FencedRegister;
  private readonly syncMs: number;

  constructor(ensemble: ZooKeeperEnsemble, players: readonly Player[], register: FencedRegister, syncMs: number) {
    this.ensemble = ensemble;
    this.players = players;
    this.register = register;
    this.syncMs = syncMs;
  }

  async play(run: number, seed: number, report: EnsembleReport): Promise<void> {
    const random = seededRandom(seed);
    const game = games[run % games.length]!;
    const sessionTimeoutMs = random.pick(sessionTimeouts);
    const durationMs = 2_000 + random.below(2 * sessionTimeoutMs);
    const lockPath = `/chaos-${run}/lock`;
    const cast = this.players.filter(({ library }) => game[library] !== undefined);
    const plan = { lockPath, durationMs, sessionTimeoutMs };
    for (const player of cast) player.kills = 0;
    const playing = cast.map(player => this.begin(player, game, plan, random));
    // Should the ensemble not come back, their ends are of no interest.
    for (const one of playing) one.catch(() => undefined);
    const stage = { ensemble: this.ensemble, contenders: cast, syncMs: this.syncMs, sessionTimeoutMs };
    const [ensembleFaults, clientFaults] = await Promise.all([
      harmEnsemble(stage, random, durationMs),
      doHarm(cast, seededRandom(seed + 1), durationMs, undefined, 2_500),
    ]);
    await healEnsemble(this.ensemble);
    const played = await this.finish(cast, playing);
    const grants = cast.flatMap(({ library, number }, index) =>
      (played[index]?.held ?? []).map((held): Grant => ({ ...held, library, program: number })),
    );
    const lives = await nodeLives(this.ensemble.servers.map(({ folder }) => `${folder}/data`));
    const verdict = judge(grants, lives, mostWallOffset());
    const title = `seed ${seed}, T ${sessionTimeoutMs}, members ${this.syncMs}, ${[...ensembleFaults, ...clientFaults].join(' ')}`;
    const found = [
      ...cast.flatMap(({ library, number }, index) => failuresOf(library, number, played[index])),
      ...verdict.violations,
      ...(played.every(one => one !== undefined && one.sessions.length > 0) ? this.miscounts(lockPath, grants) : []),
      ...(await this.afterwards(lockPath, game, sessionTimeoutMs, cast)),
    ];
    if (found.length > 0)
      found.push(
        ...cast.map(
          ({ library, number }, index) =>
            `${library} ${number} had the sessions ${played[index]?.sessions.join(', ') ?? '?'}`,
        ),
      );
    addRun(report, {
      violations: found.map(text => `${title}: ${text}`),
      verdict,
      faults: [...ensembleFaults, ...clientFaults],
      played: cast.map(({ library, kills }, index) => ({ library, kills, played: played[index] })),
      refused: this.register.cell(lockPath).refused,
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.players.flatMap(({ program, proxy }) => [program.kill(), proxy.close()]));
    await this.ensemble.stop();
  }

  private begin(
    { library, program, proxy }: Player,
    game: Game,
    plan: Pick<LockPlay, 'lockPath' | 'durationMs' | 'sessionTimeoutMs'>,
    random: SeededRandom,
  ): Promise<LockPlayed> {
    const play: LockPlay = {
      ...plan,
      connectString: proxy.connectString,
      specs: game.ours,
      hands: 1,
      seed: random.below(2 ** 31),
      longHoldMs: 3 * plan.sessionTimeoutMs,
      registerPort: this.register.port,
    };
    const playing = program.request('play', { play: { ...play, recipe: game[library] } });
    return playing as Promise<LockPlayed>;
  }

  /** Other libraries may leave a node that blocks all others for as long as their session lives: these end first. */
  private async finish(
    cast: readonly Player[],
    playing: readonly Promise<LockPlayed>[],
  ): Promise<(LockPlayed | undefined)[]> {
    if ((await within(Promise.allSettled(playing), stuckAfterMs)) === undefined) {
      const others = cast.filter(({ library }) => library !== 'ours');
      await Promise.all(others.map(player => player.end()));
    }
    // A program that ends by itself, for example of a rejection that nothing handles, says why.
    const settled = playing.map(one =>
      one.catch((error: unknown) => ({ ...nothingPlayed(), failures: [String(error)] })),
    );
    return Promise.all(settled.map(one => within(one, stuckAfterMs)));
  }

  /** What the register counted against what its clients believe to have written. */
  private miscounts(lockPath: string, grants: readonly Grant[]): string[] {
    const { value, accepted } = this.register.cell(lockPath);
    const believed = grants.filter(grant => grant.accepted === true).length;
    const writers = grants.every(({ recipe }) => recipe === 'mutex');
    if (accepted !== believed) return [`the register took ${accepted} of ${believed} writes`];
    return writers && value !== accepted ? [`the register counts ${value} after ${accepted} writes`] : [];
  }

  private async afterwards(
    lockPath: string,
    game: Game,
    sessionTimeoutMs: number,
    cast: readonly Player[],
  ): Promise<string[]> {
    const ofOthers = cast.filter(({ library }) => library !== 'ours');
    await Promise.all(ofOthers.map(player => player.end()));
    const observer = await startObserver(this.ensemble.connectString);
    const found = await orphans(observer, lockPath, sessionTimeoutMs);
    if (found.length > 0) found.push(...(await this.connections()));
    found.push(...(await this.takeOnce(lockPath, game)));
    const ours = cast.filter(({ library }) => library === 'ours');
    if ((await Promise.all(ours.map(player => player.end()))).includes(false))
      found.push('ours does not end its sessions');
    await observer.delete(lockPath.slice(0, lockPath.lastIndexOf('/')), { recursive: true });
    await observer.stop();
    return found;
  }

  /** Who is connected where, for a report of a node that was left. */
  private async connections(): Promise<string[]> {
    const reports = this.ensemble.ports.map(port => fourLetterWord('127.0.0.1', port, 'cons').catch(String));
    return (await Promise.all(reports)).map(
      (report, index) => `member ${index} serves ${report.match(/sid=\w+/g)?.join() ?? ''}`,
    );
  }

  private async takeOnce(lockPath: string, game: Game): Promise<string[]> {
    const client = await connect(this.ensemble.connectString, { sessionTimeoutMs: 10_000 });
    try {
      const lease = await createLock(client, lockPath, game.ours[0]!).acquire({ timeoutMs: 10_000 });
      await lease.release();
      return [];
    } catch (error) {
      return [`the lock cannot be taken at the end: ${String(error)}`];
    } finally {
      await client.close();
    }
  }
}

function nothingPlayed(): LockPlayed {
  return { held: [], counts: { acquired: 0, timedOut: 0, cancelled: 0, sessionsLost: 0 }, sessions: [], failures: [] };
}

function failuresOf(library: Library, number: number, played: LockPlayed | undefined): string[] {
  if (library !== 'ours') return [];
  if (played === undefined) return [`ours ${number} is stuck`];
  return played.failures;
}

/**
 * Lets our recipes, Curator and kazoo, each in a program of its own, contend for one lock on three servers while servers, the
 * links between them, clients and their networks fail at random. After each run everything is healed, and the transaction log
 * says who was late.
 */
export async function runEnsembleChaos({ seed, goesOn, onRun }: EnsembleChaosOptions): Promise<EnsembleReport> {
  const report = emptyReport();
  const register = new FencedRegister();
  await register.start();
  try {
    for (let stage = 0; goesOn(report); stage++) {
      const theatre = await openTheatre(stages[stage % stages.length]!, register);
      try {
        const last = report.runs + runsPerStage;
        while (report.runs < last && goesOn(report)) {
          await theatre.play(report.runs, seed + report.runs, report);
          onRun?.(report);
        }
      } catch (error) {
        // Another ensemble goes on with the next run.
        report.violations.push(`seed ${seed + report.runs++}: ${String(error)}`);
      } finally {
        await theatre.close();
      }
    }
  } finally {
    register.close();
  }
  return report;
}

async function openTheatre(
  { tickTime, syncLimit }: (typeof stages)[number],
  register: FencedRegister,
): Promise<Theatre> {
  const config = { syncLimit, initLimit: 10 };
  const ensemble = await startZooKeeper({ nodes: 3, breakableLinks: true, tickTime, config });
  const libraries = ['ours', 'ours', 'curator', 'kazoo'] as const;
  const opening = libraries.map(
    async (library, number) => new Player(library, number, await startProxyGroup(ensemble.ports)),
  );
  return new Theatre(ensemble, await Promise.all(opening), register, tickTime * syncLimit);
}
