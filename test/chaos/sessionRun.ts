import { monotonicNow } from '../../src/base/deadline.ts';
import { nullLogger } from '../../src/base/logger.ts';
import type { ZooKeeperClient } from '../../src/zookeeper/client.ts';
import { attach } from '../../src/zookeeper/connect.ts';
import { openSocket } from '../../src/zookeeper/openSocket.ts';
import { eventually } from '../support/eventually.ts';
import type { ObservedNode, Observer } from '../support/observer.ts';
import { seededRandom, type SeededRandom } from '../support/seededRandom.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcpProxy.ts';
import { harmNetwork, heal, type NetworkFault } from './sessionFaults.ts';
import { SessionLoad, type WrittenNode } from './sessionLoad.ts';
import { SessionView } from './sessionView.ts';

/** What one run did and found. */
export interface SessionRunReport {
  faults: NetworkFault[];
  ends: Map<string, number>;
  sessionsLost: number;
  reconnects: number;
  pending: number;
  /** Most connections that one client opened in any 3 s. */
  connectionsIn3s: number;
  /** From the last fault until the view showed what the observer saw, ms. */
  convergedAfterMs: number;
  slowestRequestMs: number;
  violations: string[];
}

/** Where a run takes place. */
export interface SessionStage {
  serverPort: number;
  /** Gives the observer of the moment; it sees the run's own part of the tree, which exists and is empty. */
  observe: () => Observer;
  /** Resolves when the server itself is not harmed any more. */
  serverIsBack: Promise<void>;
  /** What the machine may be late, ms. */
  slackMs: number;
}

const convergeWithinMs = 2_000;
const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

/** One client after the other, as a user's tool would: a lost session is followed by a new one. */
class ChaosRun {
  readonly report: SessionRunReport = {
    faults: [],
    ends: new Map(),
    sessionsLost: 0,
    reconnects: 0,
    pending: 0,
    connectionsIn3s: 0,
    convergedAfterMs: 0,
    slowestRequestMs: 0,
    violations: [],
  };
  private readonly stage: SessionStage;
  private readonly proxies: readonly TcpProxy[];
  private readonly random: SeededRandom;
  private readonly load: SessionLoad;
  private readonly timeoutMs: number;
  private client: ZooKeeperClient | undefined;
  private view: SessionView | undefined;
  /** The ephemeral node by which the observer sees whether our session lives. */
  private proof: string | undefined;
  private isOver = false;
  private hasConverged = false;

  constructor(seed: number, stage: SessionStage, proxies: readonly TcpProxy[]) {
    this.random = seededRandom(seed);
    this.stage = stage;
    this.proxies = proxies;
    this.timeoutMs = this.random.pick([600, 900, 1_500]);
    this.load = new SessionLoad(`n${seed}`, this.random);
  }

  async play(): Promise<SessionRunReport> {
    const helpers = [this.keepConnected(), this.keepLooking(), this.keepAsking(), this.keepChanging()];
    const end = performance.now() + 1_200 + this.random.below(1_000);
    while (performance.now() < end) {
      await sleep(this.random.below(250));
      this.report.faults.push(await harmNetwork(this.proxies, this.random));
    }
    await Promise.all([...this.proxies.map(heal), this.stage.serverIsBack]);
    const healedAt = performance.now();
    this.isOver = true;
    await this.converge(healedAt);
    await Promise.all(helpers);
    // A delete under way may be done already and not confirmed yet.
    await this.settle();
    await this.checkWrites();
    await this.client?.close();
    return this.finish();
  }

  private observe(): Observer {
    return this.stage.observe();
  }

  private violate(what: string): void {
    this.report.violations.push(what);
  }

  private async keepConnected(): Promise<void> {
    while (!this.hasConverged) {
      if (this.client === undefined) await this.connectOnce();
      else await sleep(10);
      if (this.client?.state === 'lost') {
        this.report.sessionsLost += 1;
        this.client = undefined;
        this.proof = undefined;
      }
    }
  }

  private async connectOnce(): Promise<void> {
    const connections: number[] = [];
    const options = {
      servers: this.proxies.map(({ port }) => ({ host: '127.0.0.1', port })),
      sessionTimeoutMs: this.timeoutMs,
      handshakeTimeoutMs: 600 / this.proxies.length,
      auth: [],
      tls: undefined,
      openSocket: (...where: Parameters<typeof openSocket>) => {
        const openedAt = performance.now();
        // A port at which nothing listens is no connection.
        return openSocket(...where).once('connect', () => this.noteConnection(connections, openedAt));
      },
      clock: monotonicNow,
      logger: nullLogger,
      replyLimit: 1_000_000,
    };
    try {
      const client = await attach(this.observe().root, options, 600);
      client.onState(({ state }) => {
        if (state === 'connected') this.report.reconnects += 1;
      });
      this.client = client;
      this.view = new SessionView(client);
      void this.view.open();
      const { path } = await client.create('/alive-', { mode: 'ephemeral_sequential' });
      this.proof = path;
    } catch {
      // Faults may last longer than the attempt: the next one follows.
      await sleep(20);
    }
  }

  private noteConnection(connections: number[], openedAt: number): void {
    connections.push(openedAt);
    const recent = connections.filter(at => openedAt - at < 3_000).length;
    this.report.connectionsIn3s = Math.max(this.report.connectionsIn3s, recent);
    if (recent > 10) this.violate(`${recent} connections within 3 s`);
  }

  /** State against truth: while the observer sees that our session's node is gone, we must not say "connected". */
  private async keepLooking(): Promise<void> {
    while (!this.hasConverged) {
      await sleep(60);
      const { proof, client } = this;
      if (proof === undefined || client === undefined) continue;
      try {
        if ((await this.observe().get(proof)) === undefined && this.proof === proof && client.state === 'connected') {
          this.violate(`connected, but ${proof} is gone`);
        }
      } catch {
        // The server itself is away: nothing was seen.
      }
    }
  }

  private async keepAsking(): Promise<void> {
    while (!this.isOver) {
      await sleep(this.random.below(40));
      if (this.client !== undefined) this.load.send(this.client);
    }
  }

  /** Another client changes what the view shows, outages or not. */
  private async keepChanging(): Promise<void> {
    while (!this.isOver) {
      await sleep(100 + this.random.below(200));
      try {
        await this.observe().create('/other-', { sequence: true });
      } catch {
        // The server itself is away.
      }
    }
  }

  private async converge(healedAt: number): Promise<void> {
    try {
      await eventually(async () => {
        const truth = (await this.observe().ls('/')).map(({ name }) => name).sort();
        const shown = this.view?.names ?? [];
        if (truth.join() !== shown.join()) throw new Error(`shown ${shown.length} names, there are ${truth.length}`);
        if (this.client?.state !== 'connected') throw new Error(`state ${String(this.client?.state)}`);
      }, convergeWithinMs + this.stage.slackMs);
    } catch (error) {
      this.violate(`no convergence: ${String(error)}`);
    }
    this.report.convergedAfterMs = performance.now() - healedAt;
    this.hasConverged = true;
  }

  private async checkWrites(): Promise<void> {
    const byToken = new Map<string, ObservedNode[]>();
    for (const node of await eventually(() => this.observe().ls('/'))) {
      const token = node.data.toString();
      byToken.set(token, [...(byToken.get(token) ?? []), node]);
    }
    for (const written of this.load.nodes) this.checkWrite(written, byToken.get(written.token) ?? []);
  }

  private checkWrite({ token, askedAt, end, czxid, mayBeGone }: WrittenNode, found: readonly ObservedNode[]): void {
    const [node] = found;
    if (found.length > 1) this.violate(`${token} was created ${found.length} times`);
    if (node === undefined) {
      if (end === 'ok' && !mayBeGone) this.violate(`${token} was confirmed and is not there`);
      return;
    }
    if (end === 'ok' && node.czxid !== czxid) this.violate(`${token} is another node`);
    if (end !== 'ok' && end !== 'OutcomeUnknownError') this.violate(`${token} ended with ${String(end)} and is there`);
    // A request is given up at T, looked at every T/3.
    const lateMs = node.ctime - askedAt - (this.timeoutMs * 4) / 3;
    if (lateMs > this.stage.slackMs) this.violate(`${token} reached the server ${lateMs} ms after its deadline`);
  }

  /** Requests that were under way at the end have their deadline too. */
  private async settle(): Promise<void> {
    const end = performance.now() + (this.timeoutMs * 4) / 3 + this.stage.slackMs;
    while (this.load.pending > 0 && performance.now() < end) await sleep(10);
  }

  private finish(): SessionRunReport {
    this.report.ends = this.load.ends;
    this.report.pending = this.load.pending;
    this.report.slowestRequestMs = this.load.slowestMs;
    if (this.load.pending > 0) this.violate(`${this.load.pending} requests are pending`);
    if (this.load.slowestMs > (this.timeoutMs * 4) / 3 + this.stage.slackMs) {
      this.violate(`a request took ${Math.round(this.load.slowestMs)} ms at a timeout of ${this.timeoutMs} ms`);
    }
    return this.report;
  }
}

/** Plays one seeded schedule of network faults against one session after the other. */
export async function playSession(seed: number, stage: SessionStage): Promise<SessionRunReport> {
  const count = 1 + (seed % 3);
  const proxies = await Promise.all(Array.from({ length: count }, () => startTcpProxy(stage.serverPort)));
  try {
    return await new ChaosRun(seed, stage, proxies).play();
  } finally {
    await Promise.all(proxies.map(proxy => proxy.close()));
  }
}
