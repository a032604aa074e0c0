import type { SocketOptions } from './openSocket.ts';
import type { ServerAddress } from './connectString.ts';
import type { MonotonicClock } from '../base/deadline.ts';
import type { ClosedReason } from './connectFailure.ts';

/** The status that a server reports; `zxid` is its last transaction. */
export type ServerStatus = { mode: string; zxid: bigint } | 'not serving';

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
    const end = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(parseStatus(report));
    };
    const timer = setTimeout(end, timeoutMs);
    socket.on(tls === undefined ? 'connect' : 'secureConnect', () => socket.write('srvr'));
    socket.on('data', (chunk: Buffer) => {
      report += chunk.toString('latin1');
      if (report.length > largestReport) end();
    });
    socket.on('error', end);
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

export type Verdict = ({ failure: 'read-only' | 'behind' } | { failure: 'closed'; reason: ClosedReason }) & {
  detail: string;
  /** Certain enough to show the user during an outage. */
  isCertain: boolean;
};

/** A server without a status, or one that is still starting, is queried again after this, ms. */
const askAgainMs = 3_000;

/**
 * Keeps, for one outage, why servers closed the connection in the handshake. A server without quorum and one that is behind the
 * last transaction of the client both refuse without a reason (docs/faults.md: D27, D28, F6, F22).
 */
export class Refusals {
  private readonly verdicts = new Map<string, { verdict: Verdict; askedAt: number }>();
  private readonly ask: Ask;
  private readonly clock: MonotonicClock;

  constructor(ask: Ask, clock: MonotonicClock) {
    this.ask = ask;
    this.clock = clock;
  }

  /** There is a connection again. */
  clear(): void {
    this.verdicts.clear();
  }

  /** Whether there is a verdict that still holds. */
  isJudged(server: ServerAddress): boolean {
    const known = this.verdicts.get(nameOf(server));
    if (known === undefined) return false;
    return known.verdict.failure !== 'closed' || this.clock() - known.askedAt < askAgainMs;
  }

  /**
   * Finds out why a server refused the handshake.
   *
   * @param seenZxid the last transaction that the session has seen
   */
  async judge(server: ServerAddress, seenZxid: bigint, timeoutMs: number): Promise<Verdict> {
    const askedAt = this.clock();
    const verdict = explain(await this.ask(server, timeoutMs), seenZxid);
    this.verdicts.set(nameOf(server), { verdict, askedAt });
    return verdict;
  }

  /** Whether every one of `servers` was found behind the session: the cluster was wiped, or restored from a backup. */
  areAllBehind(servers: readonly ServerAddress[]): boolean {
    return servers.every(server => this.verdicts.get(nameOf(server))?.verdict.failure === 'behind');
  }
}

function nameOf({ host, port }: ServerAddress): string {
  return `${host}:${port}`;
}

function explain(status: ServerStatus | undefined, seenZxid: bigint): Verdict {
  if (status === undefined) {
    const detail = 'it closed the connection in the handshake: it may require TLS, or have too many connections';
    return { failure: 'closed', reason: 'mute', detail, isCertain: false };
  }
  if (status === 'not serving') {
    const detail = 'it is up but serves no requests: no quorum?';
    return { failure: 'closed', reason: 'not-serving', detail, isCertain: true };
  }
  if (status.mode === 'read-only') {
    return { failure: 'read-only', detail: 'it has lost its quorum and is read-only', isCertain: true };
  }
  if (status.zxid >= seenZxid) {
    const detail = 'it closed the connection in the handshake';
    return { failure: 'closed', reason: 'hung-up', detail, isCertain: false };
  }
  const [known, seen] = [status.zxid, seenZxid].map(id => `0x${BigInt.asUintN(64, id).toString(16)}`);
  return {
    failure: 'behind',
    detail: `its last transaction is ${known}, the session has seen ${seen}: it was wiped or restored`,
    isCertain: true,
  };
}
