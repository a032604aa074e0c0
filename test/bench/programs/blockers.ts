import { setTimeout as sleep } from 'node:timers/promises';
import { FollowedRankings } from '../../../src/app/blockers/followedRankings.ts';
import { ClusterRankings } from '../../../src/app/blockers/rankedCluster.ts';
import type { ClusterNode } from '../../../src/app/clusters/clusterModel.ts';
import { Emitter } from '../../../src/base/event.ts';
import { nullLogger } from '../../../src/base/logger.ts';
import { callLater } from '../../../src/base/timer.ts';
import { BlockedLocks } from '../blockedLocks.ts';
import { SteadyWork } from '../steadyWork.ts';
import { answerLines, type Request } from './answerLines.ts';
import { LongestBlock } from './longestBlock.ts';

// Ranks the blockers of locks that are read already, in a program of its own. Ends when its standard input ends.

/** A cluster as far as a ranking looks at it. */
class ReadCluster {
  readonly node: ClusterNode;
  readonly changed = new Emitter<ClusterNode>(nullLogger);
  private readonly locks: BlockedLocks;
  private readonly rows: { queue: unknown; live: true }[];

  constructor(locks: number, contendersEach: number) {
    this.locks = new BlockedLocks(locks, contendersEach);
    this.rows = this.locks.queues.map(queue => ({ queue, live: true }));
    const rows = new Map(this.rows.map((row, at) => [String(at), row]));
    this.node = { type: 'cluster', connection: { kind: 'connected' }, locks: rows } as unknown as ClusterNode;
  }

  change(before: number): void {
    const at = (before * 7) % this.rows.length;
    this.locks.change(at);
    this.rows[at]!.queue = this.locks.queues[at];
    this.changed.fire(this.node);
  }
}

let cluster = new ReadCluster(1, 1);
const longest = new LongestBlock(5);
longest.pause();

const rank = (rankings: ClusterRankings): Promise<number> =>
  rankings.of(cluster.node, ({ blockers }) => blockers.length);

/** Makes a few changes at a time: a program that is woken up for each takes up to 8 % of a core for that alone. */
function makeChanges(perSecond: number, ms: number): Promise<number> {
  return new SteadyWork(10).run(perSecond, ms, before => cluster.change(before));
}

/** Changes at a steady rate, followed as the view Blockers does. @returns the longest time from a change to its ranking, ms */
async function follow(rankings: ClusterRankings, perSecond: number, ms: number): Promise<number> {
  const state: { oldest?: number | undefined } = {};
  let behindMs = 0;
  const none = new Emitter<undefined>(nullLogger);
  const noting = cluster.changed.event(() => (state.oldest ??= performance.now()));
  const followed = new FollowedRankings({
    registry: { all: [cluster], onChange: none.event, onNodeChange: cluster.changed.event },
    rankings: {
      of: (node, use) => {
        const begun = state.oldest ?? performance.now();
        state.oldest = undefined;
        return rankings.of(node, ranking => {
          behindMs = Math.max(behindMs, performance.now() - begun);
          return use(ranking);
        });
      },
    },
    onRanking: () => undefined,
    onClusters: () => undefined,
    schedule: callLater,
    now: () => performance.now(),
    logger: nullLogger,
  });
  followed.isVisible = true;
  await makeChanges(perSecond, ms);
  for (const each of [followed, noting]) each.dispose();
  return behindMs;
}

/** @returns % of a core that the whole program took meanwhile */
async function shareOfCore(work: () => Promise<unknown>): Promise<number> {
  const [cpu, begun] = [process.cpuUsage(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return (user + system) / 10 / (performance.now() - begun);
}

await answerLines(
  {
    async read({ locks, contenders }) {
      cluster = new ReadCluster(Number(locks), Number(contenders));
      return Promise.resolve(true);
    },
    async rank() {
      globalThis.gc?.();
      await sleep(20);
      longest.resume();
      longest.leaveOut();
      const [cpu, begun] = [process.threadCpuUsage(), performance.now()];
      const blockers = await rank(new ClusterRankings());
      const ms = performance.now() - begun;
      const { user, system } = process.threadCpuUsage(cpu);
      const block = longest.take();
      longest.pause();
      return { ms, cpuMs: (user + system) / 1000, blockers, ...block };
    },
    async follow({ perSecond, ms }: Request) {
      const rankings = new ClusterRankings();
      const work = { perSecond: Number(perSecond), ms: Number(ms) };
      await rank(rankings);
      // The first seconds take up to half more: code is compiled, and the collector learns how long things live.
      await follow(rankings, work.perSecond, work.ms / 2);
      const behindMs: number[] = [];
      const together: number[] = [];
      // The longest of a while is chance, where V8's collector stops the thread in it.
      for (let part = 0; part < 3; part++) {
        const follows = async (): Promise<unknown> =>
          behindMs.push(await follow(rankings, work.perSecond, work.ms / 3));
        together.push(await shareOfCore(follows));
      }
      const changesAlone = await shareOfCore(() => makeChanges(work.perSecond, work.ms / 3));
      const share = together.map(all => Math.max(0, all - changesAlone));
      // What measures blocks takes a part of a core itself.
      longest.resume();
      longest.leaveOut();
      await follow(rankings, work.perSecond, work.ms / 2);
      const block = longest.take();
      longest.pause();
      return { behindMs, share, changesAlone, ...block };
    },
  },
  () => Promise.resolve(),
);
process.exit(0);
