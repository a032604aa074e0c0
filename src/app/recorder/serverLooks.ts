import { DisposableSlot, type Disposable } from '../../base/disposable.ts';
import { callLater } from '../../base/timer.ts';
import type { JournalEntry, JournalNode } from '../../journal/entry.ts';
import { AddressBook, type ReverseLookup } from './addressBook.ts';
import { Contacts } from './contacts.ts';
import { causeOf, type Deletion, type Evidence, type Verdict } from './endCauses.ts';
import { KnownTransactions } from './knownTransactions.ts';
import { LastOperations } from './lastOperations.ts';
import { QuestionBudget } from './questionBudget.ts';
import { ServerQuestions, type QuestionParts } from './serverQuestions.ts';
import { SessionLists, type ListedEnd } from './sessionLists.ts';

export interface LooksParts extends Omit<QuestionParts, 'budget'> {
  /** Causes, and what becomes known of sessions. */
  onEntries(entries: readonly JournalEntry[]): void;
  /** Resolves when everything was passed on that a server has done until now. */
  settled(): Promise<void>;
  /** Questions to one server in a minute at most; default 1,200. */
  questionsPerMinute?: number;
  reverse?: ReverseLookup;
}

const defaultQuestionsPerMinute = 1_200;
/** Of those of a minute, at once: what happens to locks comes in bursts. The rest is spread over the minute. */
const burstPart = 0.5;
/** So much of its time may a server spend on answers, and so much of it at once. */
const busyPart = 0.1;
const busyAtOnceMs = 500;
/** What an answer is taken to cost a server: for itself, and for each session in it. A measured time would be that of the network. */
const answerMs = 1;
const sessionMs = 0.02;
/** Between two looks that nothing asks for, ms. */
const shortestIntervalMs = 2_000;
const longestIntervalMs = 20_000;
/** A new session has so long until it is asked who it is, with others. ms */
const newcomerMs = 1_000;
/** Of the shortest time-out: a look must come well before it is over. */
const partOfTimeout = 0.3;
const partOfShortestTimeout = 0.6;
/** So many looks a deletion waits for its proof, of which only the first is made for it. */
const looksPerDeletion = 3;
const mostPending = 5_000;

interface Pending {
  deletion: Deletion;
  looks: number;
}

/**
 * Asks the servers why nodes went, and who is behind their sessions.
 *
 * Right after a deletion all servers are asked for their connections: the last operation of one of them may be that deletion. Where the
 * owner has no connection any more, the leader is asked which sessions live and how many it let expire. Besides, there is a look every few
 * seconds, since most proofs compare two. What is not proven after a few looks stays unknown.
 */
export class ServerLooks implements Disposable {
  readonly transactions = new KnownTransactions();
  private readonly parts: LooksParts;
  private readonly budget: QuestionBudget;
  private readonly questions: ServerQuestions;
  private readonly operations = new LastOperations();
  private readonly contacts = new Contacts();
  private readonly lists = new SessionLists();
  private readonly book: AddressBook;
  private readonly timer = new DisposableSlot();
  private pending: Pending[] = [];
  private isRunning = false;
  private isWanted = false;
  private isListWanted = true;
  private isAfterDeletion = false;
  private nextAt = -Infinity;
  private listedAt = -Infinity;
  private busyLeftMs = busyAtOnceMs;
  private busyAt: number;
  /** Answers to questions of before the last restart are of no use. */
  private restarts = 0;

  constructor(parts: LooksParts) {
    this.parts = parts;
    this.busyAt = parts.clock();
    const { questionsPerMinute = defaultQuestionsPerMinute } = parts;
    const burst = burstPart * questionsPerMinute;
    this.budget = new QuestionBudget(questionsPerMinute - burst, burst, parts.clock);
    this.questions = new ServerQuestions({ ...parts, budget: this.budget });
    const { reverse } = parts;
    this.book = new AddressBook({
      onSession: session => {
        parts.onEntries([{ type: 'session', session }]);
      },
      ...(reverse === undefined ? {} : { reverse }),
    });
    this.soon();
  }

  get requestsPerMinute(): number {
    return this.budget.lastMinute;
  }

  /** A node of a lock is there. */
  saw({ owner }: JournalNode): void {
    if (this.book.saw(owner)) this.lookWithin(newcomerMs);
  }

  /** A node with an owner goes. The sooner servers are asked, the more likely that it was the last that its session did. */
  sawDeletion(): void {
    this.isAfterDeletion = true;
    this.soon();
  }

  /** Asks as soon as the budget allows, once for all calls until then. */
  private soon(): void {
    this.isWanted = true;
    if (!this.isRunning) void this.run();
  }

  afterDeletions(deletions: readonly Deletion[]): void {
    const owned = deletions.filter(({ owner }) => owner !== 0n);
    // Those of before wait for the next look: there may be thousands.
    for (const pending of this.unproven(owned.map(deletion => ({ deletion, looks: 0 })))) this.pending.push(pending);
    if (this.pending.length > mostPending) this.pending.splice(0, this.pending.length - mostPending);
    if (this.pending.some(({ looks }) => looks === 0)) this.soon();
  }

  /** The connection was lost, or other servers answer: what was learnt is of before. */
  restart(): void {
    this.restarts++;
    this.pending = [];
    this.operations.clear();
    this.transactions.clear();
    this.contacts.restart();
    this.lists.restart();
    this.questions.restart();
    this.isListWanted = true;
    this.soon();
  }

  dispose(): void {
    this.timer.dispose();
    this.pending = [];
  }

  private get isOver(): boolean {
    return this.parts.signal.aborted;
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    try {
      while (this.isWanted && !this.isOver) {
        await this.pause();
        this.isWanted = false;
        await this.look();
      }
    } finally {
      this.isRunning = false;
    }
    this.lookWithin(this.interval());
  }

  /** The next look comes in so many ms at the latest. */
  private lookWithin(ms: number): void {
    const now = this.parts.clock();
    if (this.isRunning || (this.nextAt > now && this.nextAt <= now + ms)) return;
    this.nextAt = now + ms;
    this.timer.value = callLater(() => this.lookAgain(), ms);
  }

  private lookAgain(): void {
    const now = this.parts.clock();
    this.isListWanted = now - this.listedAt >= this.interval() - 1;
    this.soon();
  }

  private async pause(): Promise<void> {
    const wait = Math.max(this.busyWaitMs, await this.questions.waitMs());
    if (wait > 0) await new Promise<void>(resolve => (this.timer.value = callLater(resolve, wait)));
  }

  /** A server gave an answer. @param sessions in it */
  private spend(sessions: number): void {
    const now = this.parts.clock();
    this.busyLeftMs = Math.min(busyAtOnceMs, this.busyLeftMs + (now - this.busyAt) * busyPart);
    this.busyLeftMs -= answerMs + sessions * sessionMs;
    this.busyAt = now;
  }

  /** Ms until servers may be kept busy again. */
  private get busyWaitMs(): number {
    return Math.max(0, -this.busyLeftMs / busyPart - (this.parts.clock() - this.busyAt));
  }

  /** Ms until the next look, if nothing asks for one before. */
  private interval(): number {
    let shortest = longestIntervalMs / partOfTimeout;
    let owners = 0;
    for (const session of this.book.living()) {
      shortest = Math.min(shortest, this.contacts.timeoutOf(session) ?? Infinity);
      owners++;
    }
    if (owners === 0) return longestIntervalMs;
    const byServers = partOfShortestTimeout * (this.lists.shortestTimeoutMs ?? Infinity);
    return Math.max(shortestIntervalMs, Math.min(longestIntervalMs, partOfTimeout * shortest, byServers));
  }

  private async look(): Promise<void> {
    if (this.isOver) return;
    const startedAt = this.parts.clock();
    const isOpen = ({ deletion }: Pending): boolean => deletion.seenAt <= startedAt;
    // The list is of most use at once: the fewer transactions come before it, the more it proves.
    const isUrgent = this.isListWanted || (this.isAfterDeletion && (await this.questions.isRich()));
    this.isAfterDeletion = false;
    const list = isUrgent ? this.lookAtSessions() : undefined;
    const connected = await this.lookAtConnections();
    this.settle();
    await list;
    const isMissing = this.pending.some(each => isOpen(each) && !connected.has(each.deletion.owner));
    if (isMissing && !isUrgent) await this.lookAtSessions();
    // Where no server answers there is nothing new.
    if (connected.size > 0 && this.pending.some(isOpen)) void this.settleLater();
    this.pending = this.pending.filter(each => !isOpen(each) || ++each.looks <= looksPerDeletion);
    if (this.pending.some(({ looks }) => looks === 0)) this.isWanted = true;
  }

  /** @returns the sessions that have a connection */
  private async lookAtConnections(): Promise<ReadonlySet<bigint>> {
    const connected = new Set<bigint>();
    const { restarts } = this;
    const answers = await this.questions.connections();
    if (restarts !== this.restarts) return connected;
    for (const { server, askedAt, connections } of answers) {
      this.operations.note(connections, this.transactions, this.lists.areKnown);
      this.spend(connections.size);
      this.contacts.note(server, connections, askedAt);
      this.book.note(connections);
      for (const session of connections.keys()) connected.add(session);
    }
    return connected;
  }

  private async lookAtSessions(): Promise<void> {
    const { isListWanted: isCountWanted, restarts } = this;
    this.listedAt = this.parts.clock();
    this.isListWanted = false;
    const list = await this.questions.sessionList({
      isCounted: isCountWanted,
      isMissing: ids => this.lists.hasMore(ids) || this.pending.some(({ deletion }) => !ids.has(deletion.owner)),
    });
    if (restarts !== this.restarts) return;
    this.lists.shortestTimeoutMs = this.questions.shortestTimeoutMs;
    if (list === undefined) this.lists.restart();
    else this.lists.note(list);
    this.spend(list?.ids.size ?? 0);
  }

  /** Passes on what is proven once all is known that the servers did before they answered. */
  private async settleLater(): Promise<void> {
    await this.parts.settled().catch(() => undefined);
    if (!this.isOver) this.settle();
  }

  /** Passes on what is proven by now. */
  private settle(): void {
    this.pending = this.unproven(this.pending);
  }

  /** @returns those of which nothing is proven; the causes of the others are passed on */
  private unproven(pending: readonly Pending[]): Pending[] {
    const entries: JournalEntry[] = [];
    const left = pending.filter(({ deletion }) => {
      const evidence = this.evidenceOf(deletion);
      const verdict = causeOf(deletion, evidence);
      if (verdict === undefined) return true;
      entries.push({ type: 'cause', path: deletion.path, czxid: deletion.czxid, ...verdict });
      this.noteEnd(deletion, verdict);
      return false;
    });
    if (entries.length > 0) this.parts.onEntries(entries);
    return left;
  }

  private noteEnd({ owner, at }: Deletion, { ended }: Verdict): void {
    if (ended === 'session closed') this.book.end(owner, at, 'closed');
    else if (ended === 'session expired') this.book.end(owner, at, 'expired');
    else if (ended === 'session ended') this.book.end(owner, at);
  }

  private evidenceOf(deletion: Deletion): Evidence {
    const { owner, within, seenAt } = deletion;
    const zxid = this.transactions.deletionWithin(within);
    const authors = zxid === undefined ? [] : this.operations.authorsOf(zxid);
    if (authors.length > 0) return { authors };
    let end: Evidence['end'];
    for (const listed of this.lists.endsOf(owner, seenAt, within.first, deletion.czxid)) {
      end = this.endBy(deletion, listed);
      if (end.isThatTransaction) break;
    }
    return end === undefined ? { authors } : { authors, end };
  }

  private endBy(deletion: Deletion, listed: ListedEnd): NonNullable<Evidence['end']> {
    const { owner, within } = deletion;
    const { transactions } = this;
    const how = this.howEnded(deletion, listed);
    const { how: byLists = this.cannotHaveExpired(deletion, listed.server, listed.answeredAt) ? 'closed' : undefined } =
      listed;
    // One that runs out is missing in a list before its end is a transaction.
    const reached = byLists === 'closed' ? listed.zxid : listed.settledZxid;
    const isThatTransaction =
      (reached !== undefined && transactions.isDeletedByEnd(within, reached, owner)) ||
      listed.vanished.some(vanished => vanished.ids.has(owner) && transactions.isDeletedByOneOfEnds(within, vanished));
    return { ...(how === undefined ? {} : { how }), isThatTransaction };
  }

  private howEnded(deletion: Deletion, { how, server, answeredAt }: ListedEnd): ListedEnd['how'] {
    if (how === undefined) return this.cannotHaveExpired(deletion, server, deletion.seenAt) ? 'closed' : undefined;
    if (how === 'closed') return how;
    // One that deletes its node and then stands still runs out a whole time-out later.
    const { owner, seenAt } = deletion;
    return answeredAt - seenAt < (this.contacts.timeoutOf(owner) ?? 0) / 2 ? 'expired' : undefined;
  }

  /** @param at before which it cannot, steady ms */
  private cannotHaveExpired({ owner, czxid }: Deletion, leader: string, at: number): boolean {
    // It was in contact when it created the node. A leader counts no request that comes by a follower.
    const since = czxid === 0n || !this.questions.isLone ? undefined : this.lists.listedBefore(czxid);
    return this.contacts.cannotExpireBefore(owner, at, leader, since, this.lists.shortestTimeoutMs);
  }
}
