import type { JsonLines } from '../support/jsonLines.ts';
import type { ProxyGroup } from '../support/proxyGroup.ts';
import type { SeededRandom } from '../support/seededRandom.ts';
import type { ZooKeeperEnsemble } from '../support/zookeeperServer.ts';
import { within } from './lockWorkload.ts';

/** A program with its own way to the members. */
export interface EnsembleVictim {
  program: JsonLines;
  proxy: ProxyGroup;
}

/** What can be harmed, and how long faults have to last to matter. */
export interface EnsembleStage {
  ensemble: ZooKeeperEnsemble;
  contenders: readonly EnsembleVictim[];
  /** How long a member goes on without word from the others, ms. */
  syncMs: number;
  sessionTimeoutMs: number;
}

interface Roles {
  /** Who probably holds the lock. */
  holder: EnsembleVictim;
  leader: number;
  follower: number;
  other: number;
}

type Fault = (stage: EnsembleStage, random: SeededRandom, roles: Roles) => Promise<void>;

const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));
const cuts = ['black-hole', 'black-hole', 'reset', 'sends-lost', 'receives-lost'] as const;

/** Too short for the members to notice, about as long as a session lives, or long enough for members and sessions to end. */
function spell({ syncMs, sessionTimeoutMs }: EnsembleStage, random: SeededRandom): number {
  switch (random.below(3)) {
    case 0:
      return random.below(syncMs);
    case 1:
      return sessionTimeoutMs + random.below(sessionTimeoutMs + 500);
    default:
      return syncMs + random.below(sessionTimeoutMs + 1_000);
  }
}

async function kill(stage: EnsembleStage, random: SeededRandom, member: number): Promise<void> {
  const server = stage.ensemble.servers[member]!;
  await server.kill();
  await sleep(random.below(2_000));
  await server.launch();
}

async function freeze(stage: EnsembleStage, random: SeededRandom, member: number): Promise<void> {
  const server = stage.ensemble.servers[member]!;
  server.pause();
  await sleep(spell(stage, random));
  server.resume();
}

const faults = {
  killLeader: (stage, random, { leader }) => kill(stage, random, leader),
  killFollower: (stage, random, { follower }) => kill(stage, random, follower),
  freezeLeader: (stage, random, { leader }) => freeze(stage, random, leader),
  freezeFollower: (stage, random, { follower }) => freeze(stage, random, follower),
  /** The other follower still reaches both. */
  async followerLosesLeader(stage, random, { leader, follower }) {
    await stage.ensemble.links.cutBetween(follower, leader, random.pick(cuts));
    await sleep(spell(stage, random));
    await stage.ensemble.links.heal();
  },
  async followerCutOff(stage, random, { follower }) {
    await stage.ensemble.links.cutOff(follower, random.pick(cuts));
    await sleep(spell(stage, random));
    await stage.ensemble.links.heal();
  },
  async leaderCutOff(stage, random, { leader }) {
    await stage.ensemble.links.cutOff(leader, random.pick(cuts));
    await sleep(spell(stage, random));
    await stage.ensemble.links.heal();
  },
  async allApart(stage, random) {
    await stage.ensemble.links.partition([[0], [1], [2]], random.pick(['black-hole', 'reset'] as const));
    await sleep(spell(stage, random));
    await stage.ensemble.links.heal();
  },
  async followersRestartWhileLeaderCutOff(stage, random, { leader, follower, other }) {
    await stage.ensemble.links.cutOff(leader, random.pick(cuts));
    await sleep(random.below(500));
    await Promise.all([kill(stage, random, follower), kill(stage, random, other)]);
    await sleep(spell(stage, random));
    await stage.ensemble.links.heal();
  },
  async programFrozen(stage, random, { holder: { program } }) {
    program.pause();
    await sleep(random.below(2 * stage.sessionTimeoutMs));
    program.resume();
  },
} satisfies Record<string, Fault>;

export type EnsembleFault = keyof typeof faults;

const play: Record<EnsembleFault, Fault> = faults;
/** A follower without its leader is the fault that makes two holders, so it is played most. */
const choices: readonly EnsembleFault[] = [
  ...(Object.keys(faults) as EnsembleFault[]),
  'followerLosesLeader',
  'followerLosesLeader',
  'followerCutOff',
  'followerCutOff',
];

/**
 * Asks every program to hold its lease for as long as it may, or no longer. A frozen one hears of it later.
 *
 * @returns one that holds, if one says so at once
 */
async function cling({ contenders }: EnsembleStage, on: boolean): Promise<EnsembleVictim | undefined> {
  const asking = contenders.map(async contender => {
    const holds = await within(
      contender.program.request('cling', { on }).catch(() => false),
      100,
    );
    return holds === true ? contender : undefined;
  });
  return (await Promise.all(asking)).find(contender => contender !== undefined);
}

/** Waits a while for one that holds, and clings to its lease. */
async function someHolder(stage: EnsembleStage): Promise<EnsembleVictim | undefined> {
  const end = performance.now() + 1_000;
  for (;;) {
    const holder = await cling(stage, true);
    if (holder !== undefined || performance.now() > end) return holder;
    await sleep(20);
  }
}

/** Three of four faults meet the holder where they can: its program, or the follower that it is connected to. */
async function cast(stage: EnsembleStage, random: SeededRandom): Promise<Roles> {
  let holder = random.pick(stage.contenders);
  if (random.below(4) > 0) {
    holder = (await someHolder(stage)) ?? holder;
  }
  const leader = await stage.ensemble.leader().catch(() => random.below(3));
  const { attached } = holder.proxy;
  const follower = attached < 0 || attached === leader ? (leader + 1 + random.below(2)) % 3 : attached;
  return { holder, leader, follower, other: 3 - leader - follower };
}

/** Plays one fault after the other for about `durationMs`; each ends healed. @returns what was done */
export async function harmEnsemble(
  stage: EnsembleStage,
  random: SeededRandom,
  durationMs: number,
): Promise<EnsembleFault[]> {
  const done: EnsembleFault[] = [];
  const end = performance.now() + durationMs;
  while (performance.now() < end) {
    await sleep(300 + random.below(700));
    const name = random.pick(choices);
    await play[name](stage, random, await cast(stage, random));
    await cling(stage, false);
    done.push(name);
  }
  return done;
}

/** Ends every fault and waits until one member leads and the others follow. @throws Error when that does not happen */
export async function healEnsemble(ensemble: ZooKeeperEnsemble): Promise<void> {
  await ensemble.links.heal();
  ensemble.resume();
  await Promise.all(ensemble.servers.map(server => server.launch()));
  await ensemble.complete();
}
