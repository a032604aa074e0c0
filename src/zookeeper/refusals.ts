import type { ServerAddress } from './connectString.ts';
import type { ConnectFailure } from './errors.ts';
import type { ServerStatus } from './serverStatus.ts';

type Ask = (server: ServerAddress, timeoutMs: number) => Promise<ServerStatus | undefined>;

export interface Verdict {
  failure: Extract<ConnectFailure, 'read-only' | 'behind'>;
  detail: string;
}

/**
 * Remembers, for one outage, why servers hung up on the handshake. A server without quorum and one that knows less than
 * the client has seen both refuse without a word (faults.md: D27, D28, F6, F22).
 */
export class Refusals {
  private readonly verdicts = new Map<string, Verdict | undefined>();
  private readonly ask: Ask;

  constructor(ask: Ask) {
    this.ask = ask;
  }

  /** There is a connection again. */
  clear(): void {
    this.verdicts.clear();
  }

  wasAsked({ host, port }: ServerAddress): boolean {
    return this.verdicts.has(`${host}:${port}`);
  }

  /**
   * Asks a server what it is.
   *
   * @param seenZxid the last transaction that the session has seen
   * @returns `undefined` if the answer explains nothing
   */
  async judge(server: ServerAddress, seenZxid: bigint, timeoutMs: number): Promise<Verdict | undefined> {
    const status = await this.ask(server, timeoutMs);
    const verdict = status === undefined ? undefined : explain(server, status, seenZxid);
    this.verdicts.set(`${server.host}:${server.port}`, verdict);
    return verdict;
  }

  /** Whether every one of `servers` was found behind the session: the cluster was wiped, or restored from a backup. */
  areAllBehind(servers: readonly ServerAddress[]): boolean {
    return servers.every(({ host, port }) => this.verdicts.get(`${host}:${port}`)?.failure === 'behind');
  }
}

function explain({ host, port }: ServerAddress, { mode, zxid }: ServerStatus, seenZxid: bigint): Verdict | undefined {
  if (mode === 'read-only') {
    return { failure: 'read-only', detail: `${host}:${port} has lost its quorum and is read-only` };
  }
  if (zxid >= seenZxid) return undefined;
  const [known, seen] = [zxid, seenZxid].map(id => `0x${BigInt.asUintN(64, id).toString(16)}`);
  return {
    failure: 'behind',
    detail: `${host}:${port} knows transactions up to ${known}, we have seen ${seen}: it was wiped or restored`,
  };
}
