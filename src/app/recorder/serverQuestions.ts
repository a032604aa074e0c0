import type { MonotonicClock } from '../../base/deadline.ts';
import { askServer, type Asked, type AskOptions, type Question } from '../../inspector/owners/askServer.ts';
import { askSessions, dumpQuestion } from '../../inspector/owners/askSessions.ts';
import type { ClusterServer } from '../../inspector/owners/clusterServers.ts';
import type { OwnerConnection, SourceReport } from '../../inspector/owners/ownerFacts.ts';
import { connectionsQuestion } from '../../inspector/owners/readOwners.ts';
import {
  loneQuestion,
  reachedQuestion,
  sessionCountsQuestion,
  shortestTimeoutQuestion,
} from '../../inspector/owners/statistics.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import type { QuestionBudget } from './questionBudget.ts';
import type { SessionList } from './sessionLists.ts';

export interface QuestionParts {
  /** The servers of the cluster, and how they may be asked. */
  servers(): Promise<{ servers: readonly ClusterServer[]; options: AskOptions }>;
  /** A list without its session is of another cluster. */
  client: Pick<ZooKeeperClient, 'sessionId' | 'sync'>;
  budget: QuestionBudget;
  clock: MonotonicClock;
  signal: AbortSignal;
}

/** What one server said of its connections. */
export interface ConnectionAnswer {
  server: string;
  askedAt: number;
  connections: ReadonlyMap<bigint, OwnerConnection>;
}

/** What is of interest in a list of sessions. */
export interface WantedList {
  /** Whether a list lacks sessions whose end is of interest. */
  isMissing: (ids: ReadonlySet<bigint>) => boolean;
  /** Whether it matters in any case how many sessions ran out. */
  isCounted: boolean;
}

type ListNumbers = Pick<SessionList, 'expired' | 'zxid' | 'settledZxid'> & { local?: number };

/** Servers change rarely. ms */
const serversKeptMs = 60_000;
/** A server that refuses a question goes on refusing until it is started again. ms */
const refusedForMs = 300_000;
/** One that does not answer costs time at each question: it is left alone for so long, and for longer each time. ms */
const silentForMs = 1_000;
const longestSilenceMs = 60_000;
/** For a list: the list twice, the last transaction, again after a while, and how many ran out. */
const questionsOfList = 5;

/** The questions of a recorder to the servers, as many as its budget allows. Never throws: what is not answered is absent. */
export class ServerQuestions {
  private readonly parts: QuestionParts;
  private known: Awaited<ReturnType<QuestionParts['servers']>> | undefined;
  private knownAt = -Infinity;
  /** By server and question: not to be asked again before, steady ms; and for how long it was not. */
  private readonly closed = new Map<string, { until: number; forMs: number }>();
  private leader: string | undefined;
  private settingsAskedOf: string | undefined;
  /** Of a time-out that the servers grant, ms. */
  shortestTimeoutMs: number | undefined;
  /** The server that lists the sessions is no member of an ensemble. */
  isLone = false;

  constructor(parts: QuestionParts) {
    this.parts = parts;
  }

  /** Ms until every server may be asked for its connections and for a list. */
  async waitMs(): Promise<number> {
    return this.waitFor(1 + questionsOfList);
  }

  private async waitFor(count: number): Promise<number> {
    const { servers } = await this.servers();
    return Math.max(0, ...servers.map(server => this.parts.budget.waitMs(nameOf(server), count)));
  }

  async connections(): Promise<ConnectionAnswer[]> {
    const { servers } = await this.servers();
    const answers = await Promise.all(
      servers.map(async (server): Promise<ConnectionAnswer[]> => {
        const askedAt = this.parts.clock();
        const connections = await this.ask(server, connectionsQuestion);
        return connections === undefined ? [] : [{ server: nameOf(server), askedAt, connections }];
      }),
    );
    return answers.flat();
  }

  /** Whether there is so much left that a list may be asked for that is not needed perhaps. */
  async isRich(): Promise<boolean> {
    return (await this.waitFor(3 * (1 + questionsOfList))) === 0;
  }

  /**
   * The list of all sessions, by the leader; `undefined`: it does not say.
   *
   * @param wanted what is of interest
   */
  async sessionList(wanted: WantedList): Promise<SessionList | undefined> {
    const { servers } = await this.servers();
    const leader = servers.filter(server => nameOf(server) === this.leader);
    const asked = leader.length > 0 ? leader : servers;
    const lists = await Promise.all(asked.map(server => this.listOf(server, wanted)));
    const list = lists.find(each => each !== undefined);
    this.leader = list?.server;
    return list;
  }

  private async listOf(server: ClusterServer, { isMissing, isCounted }: WantedList): Promise<SessionList | undefined> {
    const { budget, clock } = this.parts;
    const { sessionId } = this.parts.client;
    const name = nameOf(server);
    const question = dumpQuestion(sessionId);
    if (!this.isOpen(name, question) || budget.waitMs(name, questionsOfList) > 0) return undefined;
    const askedAt = clock();
    const spend = (): void => budget.spend(name);
    let sources: readonly SourceReport[] = [];
    const sessions = await this.sending(server, question, async options => {
      const asked = await askSessions(server, sessionId, options, ids => !isMissing(ids), spend);
      ({ sources } = asked);
      return asked;
    });
    if (sessions?.listedBy !== 'leader' || !sessions.ids.has(sessionId)) return undefined;
    const { ids } = sessions;
    const { local, ...numbers } = await this.numbersOf(server, isCounted, isMissing(ids));
    await this.askSettings(server);
    // The word shows no list of all where sessions may be local. An AdminServer mixes them in, and may leave out others for them.
    const isByWord = sources.some(({ by, outcome }) => by === 'four-letter-word' && outcome === 'ok');
    const areGlobal = isByWord || this.isLone || local === 0;
    if (!areGlobal && local !== undefined) return undefined;
    return { server: name, askedAt, answeredAt: clock(), ids, areGlobal, ...numbers };
  }

  /** What belongs to a list that a server gave. */
  private async numbersOf(server: ClusterServer, isCounted: boolean, isOfInterest: boolean): Promise<ListNumbers> {
    const zxid = await this.send(server, reachedQuestion);
    const settledZxid = isOfInterest ? await this.settledZxid(server) : undefined;
    const counts = isCounted || isOfInterest ? await this.send(server, sessionCountsQuestion) : undefined;
    return {
      ...counts,
      ...(zxid === undefined ? {} : { zxid }),
      ...(settledZxid === undefined ? {} : { settledZxid }),
    };
  }

  /**
   * A session that runs out leaves the list before its end is a transaction, which waits for the disks of a quorum: a `sync` comes
   * after it.
   */
  private async settledZxid(server: ClusterServer): Promise<bigint | undefined> {
    const isSettled = await this.parts.client.sync('/').then(
      () => true,
      () => false,
    );
    return isSettled ? this.send(server, reachedQuestion) : undefined;
  }

  private async askSettings(server: ClusterServer): Promise<void> {
    const name = nameOf(server);
    if (this.settingsAskedOf === name) return;
    this.settingsAskedOf = name;
    this.shortestTimeoutMs = await this.ask(server, shortestTimeoutQuestion);
    this.isLone = (await this.ask(server, loneQuestion)) ?? false;
  }

  private async ask<T>(server: ClusterServer, question: Question<T>): Promise<T | undefined> {
    const name = nameOf(server);
    if (this.parts.budget.waitMs(name, 1) > 0) return undefined;
    return this.send(server, question);
  }

  private send<T>(server: ClusterServer, question: Question<T>): Promise<T | undefined> {
    return this.sending(server, question, options => {
      this.parts.budget.spend(nameOf(server));
      return askServer(server, question, options);
    });
  }

  private async sending<T>(
    server: ClusterServer,
    question: Question<T>,
    ask: (options: AskOptions) => Promise<Asked<T>>,
  ): Promise<T | undefined> {
    if (!this.isOpen(nameOf(server), question)) return undefined;
    const { options } = await this.servers();
    const { value, sources } = await ask({ ...options, signal: this.parts.signal });
    const key = keyOf(nameOf(server), question);
    if (value !== undefined) this.closed.delete(key);
    else {
      const isRefused = sources.some(({ outcome }) => outcome === 'not-allowed');
      const before = this.closed.get(key)?.forMs ?? silentForMs / 2;
      const forMs = isRefused ? refusedForMs : Math.min(longestSilenceMs, 2 * before);
      this.closed.set(key, { until: this.parts.clock() + forMs, forMs });
    }
    return value;
  }

  private isOpen<T>(server: string, question: Question<T>): boolean {
    return this.parts.clock() >= (this.closed.get(keyOf(server, question))?.until ?? -Infinity);
  }

  private async servers(): Promise<Awaited<ReturnType<QuestionParts['servers']>>> {
    const now = this.parts.clock();
    if (this.known === undefined || now - this.knownAt > serversKeptMs) {
      this.knownAt = now;
      this.known = await this.parts.servers().catch(() => this.known);
    }
    return this.known ?? { servers: [], options: {} };
  }

  /** The connection was lost: servers may have been started again, with other settings. */
  restart(): void {
    this.closed.clear();
    this.leader = undefined;
    this.settingsAskedOf = undefined;
    this.shortestTimeoutMs = undefined;
    this.isLone = false;
  }
}

function nameOf({ host, port }: ClusterServer): string {
  return `${host}:${port}`;
}

function keyOf<T>(server: string, { word }: Question<T>): string {
  return `${server} ${word}`;
}
