import { fileURLToPath } from 'node:url';
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

interface Player extends Victim {
  library: Library;
  number: number;
  proxy: ProxyGroup;
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
    const playing = cast.map(player => this.begin(player, game, plan, random));
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
    const verdict = judge(grants, lives, Date.now() - Number(process.hrtime.bigint()) / 1e6);
    const title = `seed ${seed}, T ${sessionTimeoutMs}, members ${this.syncMs}, ${[...ensembleFaults, ...clientFaults].join(' ')}`;
    const found = [
      ...cast.flatMap(({ library, number }, index) => failuresOf(library, number, played[index])),
      ...verdict.violations,
      ...this.miscounts(lockPath, grants),
      ...(await this.afterwards(lockPath, game, sessionTimeoutMs, cast)),
    ];
    addRun(report, {
      violations: found.map(text => `${title}: ${text}`),
      verdict,
      faults: [...ensembleFaults, ...clientFaults],
      played: cast.map(({ library }, index) => ({ library, played: played[index] })),
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
    return program.request('play', { play: { ...play, recipe: game[library] } }) as Promise<LockPlayed>;
  }

  /** Other libraries may leave a node that blocks all others for as long as their session lives: these end first. */
  private async finish(
    cast: readonly Player[],
    playing: readonly Promise<LockPlayed>[],
  ): Promise<(LockPlayed | undefined)[]> {
    if ((await within(Promise.all(playing), stuckAfterMs)) === undefined) {
      const others = cast.filter(({ library }) => library !== 'ours');
      await Promise.all(others.map(({ program }) => within(program.request('end'), stuckAfterMs)));
    }
    return Promise.all(playing.map(one => within(one, stuckAfterMs)));
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
    await Promise.all(ofOthers.map(({ program }) => within(program.request('end'), stuckAfterMs)));
    const observer = await startObserver(this.ensemble.connectString);
    const found = await orphans(observer, lockPath, sessionTimeoutMs);
    found.push(...(await this.takeOnce(lockPath, game)));
    await Promise.all(cast.map(({ program }) => within(program.request('end'), stuckAfterMs)));
    await observer.delete(lockPath.slice(0, lockPath.lastIndexOf('/')), { recursive: true });
    await observer.stop();
    return found;
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
  const worker = fileURLToPath(new URL('lockWorker.ts', import.meta.url));
  const programs: [Library, JsonLines][] = [
    ['ours', new JsonLines('ours 0', process.execPath, [worker])],
    ['ours', new JsonLines('ours 1', process.execPath, [worker])],
    ['curator', startCuratorPlayer()],
    ['kazoo', startKazooPlayer()],
  ];
  const opening = programs.map(async ([library, program], number): Promise<Player> => ({
    library,
    program,
    number,
    proxy: await startProxyGroup(ensemble.ports),
  }));
  return new Theatre(ensemble, await Promise.all(opening), register, tickTime * syncLimit);
}
