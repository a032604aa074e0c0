import { fileURLToPath } from 'node:url';
import type { LockSpec } from '../../src/recipes/createLock.ts';
import { eventually } from '../support/eventually.ts';
import { JsonLines } from '../support/jsonLines.ts';
import { startObserver, type ObservedNode, type Observer } from '../support/observer.ts';
import { seededRandom } from '../support/seededRandom.ts';
import { startTcpProxy } from '../support/tcpProxy.ts';
import { startTestServer, type TestServer } from '../support/testServer.ts';
import { doHarm, type FaultName, type Victim } from './lockFaults.ts';
import type { HeldInterval, LockCounts, LockPlay, LockPlayed } from './lockPlay.ts';

export interface LockChaosReport {
  runs: number;
  counts: LockCounts;
  faults: Map<FaultName, number>;
  /** Leases held at the same time that exclude each other, orphans, stuck waiters, unexplained failures: must be empty. */
  violations: string[];
  longestRunMs: number;
}

export interface LockChaosOptions {
  runs: number;
  seed: number;
  /** Every n-th run restarts the server. Default 25. */
  restartEvery?: number;
  onRun?: (report: LockChaosReport) => void;
}

/** Short ones are lost by most faults, long ones by none. */
const sessionTimeouts = [300, 600, 1_200, 4_000] as const;
const stuckAfterMs = 20_000;

/** What the contenders of a run ask for. All of one run exclude each other, readers and `maxLeases` apart. */
const games: readonly LockSpec[][] = [
  [{ recipe: 'mutex', dialect: 'curator' }],
  [{ recipe: 'mutex', dialect: 'kazoo' }],
  [{ recipe: 'mutex', dialect: 'zk-ruby' }],
  [{ recipe: 'mutex', dialect: 'zookeeper-writelock' }],
  [{ recipe: 'exclusive' }],
  [
    { recipe: 'write', dialect: 'curator' },
    { recipe: 'read', dialect: 'curator' },
  ],
  [
    { recipe: 'write', dialect: 'rw-letters' },
    { recipe: 'read', dialect: 'rw-letters' },
  ],
  [{ recipe: 'semaphore', dialect: 'curator', maxLeases: 1 }],
  [{ recipe: 'semaphore', dialect: 'curator', maxLeases: 2 }],
  [{ recipe: 'semaphore', dialect: 'kazoo', maxLeases: 1 }],
  [{ recipe: 'semaphore', dialect: 'kazoo', maxLeases: 2 }],
  [{ recipe: 'semaphore', dialect: 'distributedlock-net', maxLeases: 1 }],
  [{ recipe: 'semaphore', dialect: 'distributedlock-net', maxLeases: 2 }],
  [{ recipe: 'semaphore', dialect: 'zk-ruby', maxLeases: 2 }],
];

interface Stage {
  server: TestServer;
  victims: readonly Victim[];
}

/**
 * Lets several contenders, each a program of its own, take a lock while network, programs and server fail at random, and
 * checks after each run: never more holders than allowed, by the machine's own clock; no node left of a session that still
 * lives; every attempt has ended; the lock can be taken.
 */
export async function runLockChaos(options: LockChaosOptions): Promise<LockChaosReport> {
  const report: LockChaosReport = {
    runs: 0,
    counts: { acquired: 0, timedOut: 0, cancelled: 0, sessionsLost: 0 },
    faults: new Map(),
    violations: [],
    longestRunMs: 0,
  };
  const server = await startTestServer();
  const worker = fileURLToPath(new URL('lockWorker.ts', import.meta.url));
  const victims: Victim[] = [];
  try {
    for (let number = 0; number < 3; number++) {
      const program = new JsonLines(`contender ${number}`, process.execPath, [worker]);
      victims.push({ program, proxy: await startTcpProxy(server.port) });
    }
    for (let run = 0; run < options.runs; run++) {
      const start = performance.now();
      await playOnce({ server, victims }, options, run, report);
      report.runs++;
      report.longestRunMs = Math.max(report.longestRunMs, performance.now() - start);
      options.onRun?.(report);
    }
  } finally {
    await Promise.all(victims.flatMap(({ program, proxy }) => [program.kill(), proxy.close()]));
    await server.stop();
  }
  return report;
}

async function playOnce(stage: Stage, options: LockChaosOptions, run: number, report: LockChaosReport): Promise<void> {
  const { server, victims } = stage;
  const random = seededRandom(options.seed + run);
  const specs = games[run % games.length]!;
  const lockPath = `/chaos-${run}/lock`;
  const title = `seed ${options.seed + run}, ${specs.map(({ recipe, dialect }) => `${recipe} ${dialect ?? ''}`).join('/')}`;
  const durationMs = 300 + random.below(500);
  const sessionTimeoutMs = random.pick(sessionTimeouts);
  const playing = victims.map(({ program, proxy }) => {
    const play: LockPlay = {
      connectString: proxy.connectString,
      lockPath,
      specs,
      // Six contenders in three programs: behind the holders of a semaphore, waiters must stand who do not see them.
      hands: 2,
      seed: random.below(2 ** 31),
      durationMs,
      sessionTimeoutMs,
    };
    return program.request('play', { play }) as Promise<LockPlayed>;
  });
  const { restartEvery = 25 } = options;
  const isRestart = run % restartEvery === restartEvery - 1;
  for (const fault of await doHarm(victims, random, durationMs, isRestart ? server.restart : undefined)) {
    report.faults.set(fault, (report.faults.get(fault) ?? 0) + 1);
  }
  const played = await within(Promise.all(playing), stuckAfterMs);
  if (played === undefined) {
    report.violations.push(`${title}: a contender is stuck`);
    return;
  }
  addCounts(report.counts, played);
  // A new one for each run: the server it looks at may have been restarted.
  const observer = await startObserver(server.connectString);
  const found = [
    ...played.flatMap(({ failures }) => failures),
    ...overlaps(played, specs[0]?.maxLeases ?? 1),
    ...(await orphans(observer, `/chaos-${run}`, sessionTimeoutMs)),
  ];
  report.violations.push(...found.map(text => `${title}: ${text}`));
  await Promise.all(victims.map(({ program }) => program.request('end')));
  await observer.delete(`/chaos-${run}`, { recursive: true });
  await observer.stop();
}

function addCounts(sum: LockCounts, played: readonly LockPlayed[]): void {
  for (const { counts } of played) {
    for (const key of Object.keys(counts) as (keyof LockCounts)[]) sum[key] += counts[key];
  }
}

export async function within<T>(work: Promise<T>, limitMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<undefined>(resolve => (timer = setTimeout(() => resolve(undefined), limitMs)));
  const outcome = await Promise.race([work, limit]);
  clearTimeout(timer);
  return outcome;
}

/** Moments at which more held than may. Readers share; other holders count against the limit. */
export function overlaps(played: readonly Pick<LockPlayed, 'held'>[], limit: number): string[] {
  const all = played.flatMap(({ held }, contender) => held.map(interval => ({ ...interval, contender })));
  return all.flatMap(one => {
    const others = all.filter(other => other.contender !== one.contender && isInside(one.from, other));
    const excluding = one.recipe === 'read' ? others.filter(({ recipe }) => recipe !== 'read') : others;
    if (excluding.length < limit) return [];
    return [`${excluding.length + 1} hold at ${one.from}: ${[one, ...excluding].map(describe).join(', ')}`];
  });
}

function isInside(moment: number, { from, until }: HeldInterval): boolean {
  return from <= moment && moment <= until;
}

function describe({ recipe, from, until, contender }: HeldInterval & { contender: number }): string {
  return `contender ${contender} ${recipe} ${from}-${until}`;
}

/** Nodes that are there one timeout after the last attempt has ended, while the sessions are still open. */
export async function orphans(observer: Observer, path: string, timeoutMs: number): Promise<string[]> {
  try {
    await eventually(async () => {
      const left = await ephemerals(observer, path);
      if (left.length > 0)
        throw new Error(left.map(node => `left: ${node.path} of session ${node.ephemeralOwner}`).join());
      // The server looks for the end of sessions once per tick; a loaded machine adds its own.
    }, timeoutMs + 5_000);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

async function ephemerals(observer: Observer, path: string): Promise<ObservedNode[]> {
  const children = await observer.ls(path).catch(() => []);
  const deeper = await Promise.all(children.map(child => ephemerals(observer, child.path)));
  return [...children.filter(({ ephemeralOwner }) => ephemeralOwner !== 0n), ...deeper.flat()];
}
