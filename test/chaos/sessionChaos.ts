import { startObserver, type Observer } from '../support/observer.ts';
import { seededRandom, type SeededRandom } from '../support/seededRandom.ts';
import { startTestServer, type TestServer } from '../support/testServer.ts';
import type { NetworkFault } from './sessionFaults.ts';
import { playSession, type SessionRunReport } from './sessionRun.ts';

type ServerFault = 'restart' | 'freeze';

/** Sums over all runs; times in ms. */
export interface SessionChaosReport {
  runs: number;
  faults: Map<NetworkFault | ServerFault, number>;
  ends: Map<string, number>;
  sessionsLost: number;
  reconnects: number;
  pending: number;
  uncaught: number;
  connectionsIn3s: number;
  slowestConvergenceMs: number;
  slowestRequestMs: number;
  /** With the seed of the run. Must be empty. */
  violations: string[];
}

export interface SessionChaosOptions {
  runs: number;
  seed: number;
  /** Runs that share the server at the same time. Default 12. */
  atOnce?: number;
  /** What the machine may be late, ms. Default 700. */
  slackMs?: number;
  onBatch?: (report: SessionChaosReport) => void;
}

const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

/**
 * Plays seeded runs, several at once on one server, each behind faulty networks of its own; in some batches the server
 * itself is restarted or frozen. Checks what must hold in every run (docs/reliability.md).
 */
export async function runSessionChaos(options: SessionChaosOptions): Promise<SessionChaosReport> {
  const { runs, seed, atOnce = 12, slackMs = 700, onBatch } = options;
  const report: SessionChaosReport = {
    runs: 0,
    faults: new Map(),
    ends: new Map(),
    sessionsLost: 0,
    reconnects: 0,
    pending: 0,
    uncaught: 0,
    connectionsIn3s: 0,
    slowestConvergenceMs: 0,
    slowestRequestMs: 0,
    violations: [],
  };
  const note = (error: unknown): void => {
    report.uncaught += 1;
    report.violations.push(`uncaught: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  };
  process.on('uncaughtException', note);
  process.on('unhandledRejection', note);
  const server = await startTestServer();
  const eye = new Eye(server.connectString);
  await eye.open();
  try {
    for (let first = 0; first < runs; first += atOnce) {
      const seeds = Array.from({ length: Math.min(atOnce, runs - first) }, (_, index) => seed + first + index);
      const random = seededRandom(seed + first);
      const harm = () => harmServer(server, eye, random, report);
      const reports = await playBatch(seeds, { server, eye, harm, slackMs });
      for (const [index, each] of reports.entries()) add(report, each, seeds[index]!);
      onBatch?.(report);
    }
  } finally {
    process.off('uncaughtException', note);
    process.off('unhandledRejection', note);
    await eye.current.stop();
    await server.stop();
  }
  return report;
}

/** The observer of all runs. After a restart of the server kazoo may wait for its whole session timeout: it is replaced. */
class Eye {
  private observer: Observer | undefined;
  private readonly connectString: string;

  constructor(connectString: string) {
    this.connectString = connectString;
  }

  get current(): Observer {
    if (this.observer === undefined) throw new Error('The observer was not started.');
    return this.observer;
  }

  async open(): Promise<void> {
    const former = this.observer;
    this.observer = await startObserver(this.connectString);
    await former?.kill();
  }
}

interface Batch {
  server: TestServer;
  eye: Eye;
  /** Does to the server what this batch does to it. */
  harm: () => Promise<void>;
  slackMs: number;
}

async function playBatch(seeds: readonly number[], { server, eye, harm, slackMs }: Batch): Promise<SessionRunReport[]> {
  const root = (seed: number): string => `/chaos-${seed}`;
  for (const seed of seeds) await eye.current.ensure(root(seed));
  const serverIsBack = harm();
  const play = (seed: number): Promise<SessionRunReport> =>
    playSession(seed, {
      serverPort: server.port,
      observe: () => eye.current.within(root(seed)),
      serverIsBack,
      slackMs,
    });
  const [reports] = await Promise.all([Promise.all(seeds.map(play)), serverIsBack]);
  for (const seed of seeds) await eye.current.delete(root(seed), { recursive: true });
  return reports;
}

/** In one batch of four, while the networks fail too. */
async function harmServer(
  server: TestServer,
  eye: Eye,
  random: SeededRandom,
  report: SessionChaosReport,
): Promise<void> {
  if (random.below(4) > 0) return;
  await sleep(200 + random.below(300));
  const { restart } = server;
  const fault: ServerFault = restart === undefined ? 'freeze' : random.pick(['restart', 'freeze']);
  if (fault === 'restart') {
    await restart?.();
    await eye.open();
  } else {
    server.pause();
    await sleep(100 + random.below(500));
    server.resume();
  }
  report.faults.set(fault, (report.faults.get(fault) ?? 0) + 1);
}

function add(sum: SessionChaosReport, run: SessionRunReport, seed: number): void {
  sum.runs += 1;
  for (const fault of run.faults) sum.faults.set(fault, (sum.faults.get(fault) ?? 0) + 1);
  for (const [end, count] of run.ends) sum.ends.set(end, (sum.ends.get(end) ?? 0) + count);
  sum.sessionsLost += run.sessionsLost;
  sum.reconnects += run.reconnects;
  sum.pending += run.pending;
  sum.connectionsIn3s = Math.max(sum.connectionsIn3s, run.connectionsIn3s);
  sum.slowestConvergenceMs = Math.max(sum.slowestConvergenceMs, run.convergedAfterMs);
  sum.slowestRequestMs = Math.max(sum.slowestRequestMs, run.slowestRequestMs);
  for (const violation of run.violations) sum.violations.push(`seed ${seed}: ${violation}`);
}

/** The figures of a report, one per line. */
export function describeSessionChaos(report: SessionChaosReport): string {
  const table = (counts: ReadonlyMap<string, number>): string =>
    [...counts]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([name, count]) => `${name} ${count}`)
      .join(', ');
  const faults = [...report.faults.values()].reduce((sum, count) => sum + count, 0);
  return [
    `runs: ${report.runs}`,
    `faults: ${faults} (${table(report.faults)})`,
    `requests by end: ${table(report.ends)}`,
    `reconnects: ${report.reconnects}`,
    `sessions lost: ${report.sessionsLost}`,
    `pending promises: ${report.pending}`,
    `uncaught exceptions: ${report.uncaught}`,
    `most connections in 3 s: ${report.connectionsIn3s}`,
    `slowest convergence: ${Math.round(report.slowestConvergenceMs)} ms`,
    `slowest request: ${Math.round(report.slowestRequestMs)} ms`,
    `violations: ${report.violations.length}`,
    ...report.violations,
  ].join('\n');
}
