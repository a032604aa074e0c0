import type { SocketOptions } from './openSocket.ts';
import type { ServerAddress } from './connectString.ts';
import type { MonotonicClock } from '../base/deadline.ts';
import type { FailureCause } from './connectFailure.ts';

/** The status that a server reports; `zxid` is its last transaction. `gone`: nothing listens there any more. */
export type ServerStatus = { mode: string; zxid: bigint } | 'not serving' | 'gone';

const largestReport = 4_096;

/**
 * Requests a server's `srvr` report, the only four-letter word that is allowed by default. Fixed request, limited answer
 * (docs/faults.md, 4.13).
 *
 * @param timeoutMs for the whole exchange
 * @returns `undefined` if there is no such report
 */
export function askStatus(
  server: ServerAddress,
  { tls, openSocket }: SocketOptions,
  timeoutMs: number,
): Promise<ServerStatus | undefined> {
  return new Promise(resolve => {
    const socket = openSocket(server, tls);
    let report = '';
    const settle = (status: ServerStatus | undefined): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(status);
    };
    const end = (): void => settle(parseStatus(report));
    const timer = setTimeout(end, timeoutMs);
    socket.on(tls === undefined ? 'connect' : 'secureConnect', () => socket.write('srvr'));
    socket.on('data', (chunk: Buffer) => {
      report += chunk.toString('latin1');
      if (report.length > largestReport) end();
    });
    socket.on('error', error => ('code' in error && error.code === 'ECONNREFUSED' ? settle('gone') : end()));
    socket.on('close', end);
  });
}

/** @returns `undefined` if `report` is not that of a ZooKeeper server, or is incomplete */
export function parseStatus(report: string): ServerStatus | undefined {
  if (report.startsWith('This ZooKeeper instance is not currently serving requests')) return 'not serving';
  const mode = /^Mode: ([\w-]{1,20})$/m.exec(report)?.[1];
  const zxid = /^Zxid: 0x([0-9a-f]{1,16})$/m.exec(report)?.[1];
  return mode === undefined || zxid === undefined ? undefined : { mode, zxid: BigInt.asIntN(64, BigInt(`0x${zxid}`)) };
}

type Ask = (server: ServerAddress, timeoutMs: number) => Promise<ServerStatus | undefined>;

/** One server in one outage. */
interface Refusal {
  firstAt: number;
  /** Since the server was last asked. */
  times: number;
  verdict: FailureCause | undefined;
  askedAt: number;
}

/** How long a server's answer is good for, ms. What it says of itself changes within an election. */
const answerLastsMs = 10_000;
/** Time in which a server is certainly visited once, in the pace of the long run, ms. */
const visitEveryMs = 3_000;

/** For a reason that is not known, or no longer there. */
const hungUp: FailureCause = {
  failure: 'closed',
  reason: 'hung-up',
  detail: 'it closed the connection in the handshake',
};

/**
 * Keeps, for one outage, why servers closed the connection in the handshake. A server without quorum and one that is behind the
 * last transaction of the client both refuse without a reason (docs/faults.md: D27, D28, F6, F22).
 */
export class Refusals {
  private readonly known = new Map<string, Refusal>();
  private readonly ask: Ask;
  private readonly clock: MonotonicClock;

  constructor(ask: Ask, clock: MonotonicClock) {
    this.ask = ask;
    this.clock = clock;
  }

  /** There is a connection again. */
  clear(): void {
    this.known.clear();
  }

  /** `server` closed the connection in the handshake, or before. @returns why, as far as it is known */
  refused(server: ServerAddress): FailureCause {
    const refusal = this.of(server);
    refusal.times += 1;
    return this.valid(refusal) ?? hungUp;
  }

  /**
   * Whether the next visit to `server` is to be a question: it has refused twice since it was asked last, and what it said then
   * is too old. In an election every visit counts, and a question finds out no more than that there is one.
   *
   * @param patienceMs how long it must have refused
   */
  isToBeAsked(server: ServerAddress, patienceMs: number): boolean {
    const refusal = this.known.get(nameOf(server));
    if (refusal === undefined || refusal.times < 2) return false;
    return this.clock() - refusal.firstAt >= patienceMs && this.valid(refusal) === undefined;
  }

  /**
   * Finds out why a server refused the handshake.
   *
   * @param seenZxid the last transaction that the session has seen
   * @returns `isNews`: it is certain enough to be shown during an outage, and differs from what this server said before
   */
  async judge(
    server: ServerAddress,
    seenZxid: bigint,
    timeoutMs: number,
  ): Promise<{ cause: FailureCause; isNews: boolean }> {
    const refusal = this.of(server);
    const askedAt = this.clock();
    const cause = explain(await this.ask(server, timeoutMs), seenZxid);
    const isNews = isCertain(cause) && cause.detail !== refusal.verdict?.detail;
    Object.assign(refusal, { verdict: cause, askedAt, times: 0 });
    return { cause, isNews };
  }

  /**
   * Whether the cluster was wiped, or restored from a backup: lately every one of `servers` said that it is behind the session, and
   * one of them is a lone server or a leader. A follower alone may be behind until the next transaction reaches it.
   */
  showOlderCluster(servers: readonly ServerAddress[]): boolean {
    const lately = this.clock() - Math.max(answerLastsMs, visitEveryMs * servers.length);
    const verdicts = servers.map(server => {
      const { verdict, askedAt } = this.known.get(nameOf(server)) ?? {};
      return askedAt !== undefined && askedAt >= lately ? verdict : undefined;
    });
    return verdicts.every(isBehind) && verdicts.some(verdict => verdict?.failure === 'behind');
  }

  private of(server: ServerAddress): Refusal {
    const name = nameOf(server);
    const refusal = this.known.get(name) ?? { firstAt: this.clock(), times: 0, verdict: undefined, askedAt: 0 };
    this.known.set(name, refusal);
    return refusal;
  }

  private valid({ verdict, askedAt }: Refusal): FailureCause | undefined {
    return this.clock() - askedAt < answerLastsMs ? verdict : undefined;
  }
}

function nameOf({ host, port }: ServerAddress): string {
  return `${host}:${port}`;
}

function isCertain(cause: FailureCause): boolean {
  return cause.failure !== 'closed' || cause.reason === 'not-serving' || cause.reason === 'not-caught-up';
}

function isBehind(cause: FailureCause | undefined): boolean {
  return cause?.failure === 'behind' || (cause?.failure === 'closed' && cause.reason === 'not-caught-up');
}

function explain(status: ServerStatus | undefined, seenZxid: bigint): FailureCause {
  if (status === undefined) {
    const detail = 'it closed the connection in the handshake: it may require TLS, or have too many connections';
    return { failure: 'closed', reason: 'mute', detail };
  }
  if (status === 'not serving') {
    return { failure: 'closed', reason: 'not-serving', detail: 'it is up but serves no requests: no quorum?' };
  }
  if (status === 'gone') return hungUp;
  if (status.mode === 'read-only') {
    return { failure: 'read-only', detail: 'it has lost its quorum and is read-only' };
  }
  if (status.zxid >= seenZxid) return hungUp;
  const [known, seen] = [status.zxid, seenZxid].map(id => `0x${BigInt.asUintN(64, id).toString(16)}`);
  const facts = `its last transaction is ${known}, the session has seen ${seen}`;
  // A leader begins its epoch with a zxid that its followers get only with the next transaction.
  return status.mode === 'leader' || status.mode === 'standalone'
    ? { failure: 'behind', detail: `${facts}: it was wiped or restored` }
    : { failure: 'closed', reason: 'not-caught-up', detail: `${facts}: it has not caught up` };
}
