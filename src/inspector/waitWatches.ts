import { parentPath } from '../base/paths.ts';
import type { Contender, LockQueue } from '../locks/lockQueue.ts';
import type { OwnerFacts } from './owners/ownerFacts.ts';
import type { WatchFacts } from './owners/readWatchers.ts';

/** What servers were asked after queues had been read. */
export interface ServerFacts {
  /** Epoch ms of this machine's clock when the queues were read: older facts do not count. */
  queuesReadAt: number;
  owners?: OwnerFacts;
  watches?: WatchFacts;
  /** Epoch ms of the server's clock. */
  now: number;
}

/** A client lists the queue after it has created its node, and only then sets its watch, ms. */
const settledMs = 5_000;

/** The watches on the nodes of one directory, by the session that set them. */
type SessionWatches = ReadonlyMap<bigint, readonly string[]>;

/** What the registered watches say about the waiters of queues. */
export class WaitWatches {
  private readonly connected: OwnerFacts['connections'];
  private readonly byDirectory: ReadonlyMap<string, SessionWatches>;
  private readonly now: number;

  private constructor(connected: OwnerFacts['connections'], { watchers }: WatchFacts, now: number) {
    this.connected = connected;
    this.byDirectory = watchesByDirectory(watchers);
    this.now = now;
  }

  /** @returns undefined unless every server listed its watches and connections after the queues were read */
  static from({ owners, watches, queuesReadAt, now }: ServerFacts): WaitWatches | undefined {
    if (owners === undefined || watches?.isComplete !== true) return undefined;
    if (watches.askedAt < queuesReadAt || owners.askedAt < queuesReadAt) return undefined;
    return new WaitWatches(owners.connections, watches, now);
  }

  /**
   * Whether no event about another node of its directory can wake a contender. Not said of nodes that were just created, nor of
   * sessions without a connection, whose watches are registered again once they have one.
   */
  watchesNothing(contender: Contender): boolean {
    return this.isSettled(contender) && this.watchedBy(contender).every(watched => watched === contender.path);
  }

  /** Whether a contender that waits for a node has set its watch by now. */
  isSettled({ ownerSession, createdAt }: Contender): boolean {
    return this.connected.has(ownerSession) && this.now - createdAt >= settledMs;
  }

  /**
   * Whether the watches of a queue prove that only one contender may hold at once. With a limit of n a waiter has set its watch on the
   * node n places before its own (Curator's InterProcessSemaphore, whose names are those of a mutex). Nodes between the two may
   * have left since, their numbers have not: no number between the two proves a limit of one. Of a session with several places it
   * is not known for which of them it watches.
   */
  proveMutex({ contenders }: LockQueue): boolean {
    const places = Map.groupBy(contenders, ({ ownerSession }) => ownerSession);
    return contenders.some((waiter, at) => {
      const before = contenders[at - 1];
      if (before === undefined || places.get(waiter.ownerSession)?.length !== 1) return false;
      return isNextNumber(before, waiter) && this.watchedBy(waiter).includes(before.path);
    });
  }

  /** The nodes of its directory that the session of a contender watches. */
  watchedBy({ path, ownerSession }: Pick<Contender, 'path' | 'ownerSession'>): readonly string[] {
    return this.byDirectory.get(parentPath(path))?.get(ownerSession) ?? [];
  }
}

function isNextNumber({ sequence: before }: Contender, { sequence }: Contender): boolean {
  return before !== undefined && sequence === before + 1;
}

function watchesByDirectory(watchers: WatchFacts['watchers']): Map<string, SessionWatches> {
  const directories = new Map<string, Map<bigint, string[]>>();
  for (const [path, sessions] of watchers) {
    const directory = parentPath(path);
    const known = directories.get(directory) ?? new Map<bigint, string[]>();
    directories.set(directory, known);
    for (const session of sessions) {
      const paths = known.get(session);
      if (paths === undefined) known.set(session, [path]);
      else paths.push(path);
    }
  }
  return directories;
}

/**
 * The readers that hold behind a writer, as far as the watches show it: up to Curator 5.4 a read lock taken below the own write lock
 * gets a number of its own, and holds at once and after the write lock is released, even while another writer holds (CURATOR-621;
 * InterProcessReadWriteLock.java). A reader that waits watches the first writer. A node that is left over looks the same.
 */
export function downgradedReaders(queue: LockQueue, watches: WaitWatches | undefined): Contender[] {
  return watches === undefined ? [] : waitingReaders(queue).filter(reader => watches.watchesNothing(reader));
}

/** The readers of Curator that wait by their names: some of them may hold (`downgradedReaders`). */
export function waitingReaders({ dialect, contenders }: LockQueue): Contender[] {
  return dialect === 'curator' ? contenders.filter(({ kind, role }) => kind === 'read' && role === 'waiter') : [];
}

/**
 * Whether a contender is as it was after the servers were asked: one that has moved up, or left, was about to when they answered.
 *
 * @param now the contender of that path as read afterwards; undefined if there is none
 */
export function isUnchanged({ czxid, role, waitsFor }: Contender, now: Contender | undefined): boolean {
  return now?.czxid === czxid && now.role === role && now.waitsFor === waitsFor;
}

/** The queue with these waiters as holders since they came. */
export function withHolders(queue: LockQueue, holders: readonly Contender[]): LockQueue {
  if (holders.length === 0) return queue;
  const paths = new Set(holders.map(({ path }) => path));
  const contenders = queue.contenders.map((contender): Contender => {
    if (!paths.has(contender.path)) return contender;
    const { createdAt } = contender;
    const holder: Contender = { ...contender, role: 'holder', heldSince: { earliest: createdAt, latest: createdAt } };
    delete holder.waitsFor;
    delete holder.mayHold;
    return holder;
  });
  return { ...queue, contenders };
}
