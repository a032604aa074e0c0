import { isLeaseOver, type Contender, type Hazard, type LockQueue } from '../locks/lockQueue.ts';
import { deleteConsequences, type ConsequenceFacts } from './deleteConsequences.ts';
import type { Deadlock, DeadlockReport } from './findDeadlocks.ts';
import { staleSigns, type StaleReason } from './findStale.ts';
import { ownerOf, type OwnerStatus, type SourceReport } from './owners/ownerFacts.ts';
import { findMutualWaits, herdOf, type Herd, type MutualWait } from './queueRisks.ts';
import { listensForRevoke, type Listening } from './requestRevoke.ts';
import type { Succession } from './turnsWithout.ts';
import type { WaitEdge } from './waitForGraph.ts';
import { mayBeSemaphore, queueByWatches } from './queueByWatches.ts';
import { downgradedReaders, isUnchanged, waitingReaders, WaitWatches, withHolders } from './waitWatches.ts';

/** A contender with what is known of it. */
export interface ExplainedContender {
  contender: Contender;
  /** 1 is the head of the queue. */
  position: number;
  owner: OwnerStatus;
  staleReasons: StaleReason[];
  isLeaseOver: boolean;
}

/** A cycle of waits. Only one that has lasted is called a deadlock. */
export interface ExplainedCycle {
  edges: readonly WaitEdge[];
  isLasting: boolean;
}

/** What happens when the first holder releases. */
interface Release {
  succession: Succession;
  next: Contender[];
  /** Those of `next` that no event will wake: they do not notice that their turn has come (docs/faults.md, L1 and L37). */
  unwoken: Contender[];
}

/** All facts about one lock; the interface writes the text. */
export interface LockExplanation {
  cluster: string;
  queue: LockQueue;
  /** Epoch ms of this machine's clock when the queue was read. */
  readAt: number;
  /** Epoch ms of the server's clock. */
  now: number;
  holders: ExplainedContender[];
  /** In grant order, the first 20. */
  waiters: ExplainedContender[];
  moreWaiters: number;
  herd: Herd;
  /** `undefined` without a holder. */
  onRelease: Release | undefined;
  /** Whether the first holder listens for Curator's revoke request. */
  listening: Listening;
  hazards: Hazard[];
  /** Cycles of waits that this lock is part of. */
  cycles: ExplainedCycle[];
  /** Readers that wait for a later writer, by their watches. */
  mutualWaits: MutualWait[];
  /** Sessions with several places of which one waits, the first in the queue first. */
  sharedSessions: SharedSession[];
  /** Holders that stand behind a writer, by the watches of their sessions (`downgradedReaders`). */
  downgraded: Contender[];
  /** Waiters that may be such holders: no watches show it. */
  mayBeDowngraded: number;
  /** Whether the names are also those of a semaphore, and no watches show which it is. */
  mayBeSemaphore: boolean;
  /** Sources that did not answer: their facts are missing. */
  silent: SourceReport[];
}

/** A session with several places in one queue: threads of one program, or a program that waits for itself (docs/faults.md, L2). */
export interface SharedSession {
  session: bigint;
  places: number;
}

/** Facts besides the queue. */
interface ExplainFacts extends ConsequenceFacts {
  cluster: string;
  readAt: number;
  /** The contenders as read after the servers were asked: what those said counts for contenders that stayed as they were. */
  later?: readonly Contender[];
  deadlocks?: DeadlockReport;
  /** Whether a cycle has lasted long enough to be called a deadlock; default: it is not known. */
  isLasting?: (edges: readonly WaitEdge[]) => boolean;
}

const maxShownWaiters = 20;

/** Collects who holds a lock, since when and from where, who waits, and what a release changes. Pure. */
export function explainLock(asRead: LockQueue, facts: ExplainFacts): LockExplanation {
  const known = { ...facts, queuesReadAt: facts.readAt };
  const stayed = stayedTest(facts);
  const watches = WaitWatches.from(known);
  const byWatches = asRead.contenders.every(stayed) ? queueByWatches(asRead, watches) : asRead;
  const downgraded = downgradedReaders(byWatches, watches).filter(stayed);
  const queue = withHolders(byWatches, downgraded);
  const signsOf = staleSigns(asRead, known);
  const reasonsOf = (contender: Contender): StaleReason[] => {
    const signs = signsOf(contender).filter(({ confidence }) => confidence !== 'possible');
    return signs.length > 0 && stayed(contender) ? signs.map(({ reason }) => reason) : [];
  };
  const explained = queue.contenders.map((contender, at): ExplainedContender => ({
    contender,
    position: at + 1,
    owner: ownerOf(contender, facts.owners),
    staleReasons: reasonsOf(asRead.contenders[at] ?? contender),
    isLeaseOver: isLeaseOver(contender, facts.now),
  }));
  const holders = explained.filter(({ contender }) => contender.role === 'holder');
  const waiters = explained.filter(({ contender }) => contender.role === 'waiter');
  return {
    cluster: facts.cluster,
    queue,
    readAt: facts.readAt,
    now: facts.now,
    holders,
    waiters: waiters.slice(0, maxShownWaiters),
    moreWaiters: Math.max(0, waiters.length - maxShownWaiters),
    herd: herdOf(queue, facts.watches),
    onRelease: onRelease(queue, holders[0]?.contender, facts, waiters),
    listening: holders[0] === undefined ? 'no' : listensForRevoke(queue, holders[0].contender, facts.watches),
    hazards: queue.hazards,
    cycles: cyclesAt(queue, facts),
    mutualWaits: facts.watches === undefined ? [] : findMutualWaits([queue], facts.watches),
    sharedSessions: sharedSessions(queue),
    downgraded,
    mayBeDowngraded: watches === undefined ? waitingReaders(asRead).length : 0,
    mayBeSemaphore: mayBeSemaphore(asRead, watches),
    silent: [...(facts.owners?.sources ?? []), ...(facts.watches?.sources ?? [])].filter(
      ({ outcome }) => outcome !== 'ok',
    ),
  };
}

/** Whether a contender stayed as it was while the servers were asked; without a later reading all count as such. */
function stayedTest({ later }: ExplainFacts): (contender: Contender) => boolean {
  if (later === undefined) return () => true;
  const byPath = new Map(later.map(contender => [contender.path, contender]));
  return contender => isUnchanged(contender, byPath.get(contender.path));
}

function sharedSessions({ contenders }: LockQueue): SharedSession[] {
  // Leases of one session are several on purpose.
  const owned = contenders.filter(({ ownerSession, kind }) => ownerSession !== 0n && kind !== 'lease');
  return [...Map.groupBy(owned, ({ ownerSession }) => ownerSession)]
    .filter(([, places]) => places.length > 1 && places.some(({ role }) => role === 'waiter'))
    .map(([session, places]) => ({ session, places: places.length }));
}

function onRelease(
  queue: LockQueue,
  holder: Contender | undefined,
  facts: ExplainFacts,
  waiters: readonly ExplainedContender[],
): Release | undefined {
  const consequences = holder && deleteConsequences(queue, holder.path, facts);
  if (consequences === undefined) return undefined;
  const { succession, nextHolders: next } = consequences;
  const isUnwoken = ({ staleReasons }: ExplainedContender): boolean => staleReasons.includes('never-woken');
  const unwoken = new Set(waiters.filter(isUnwoken).map(({ contender }) => contender));
  return { succession, next, unwoken: next.filter(contender => unwoken.has(contender)) };
}

function cyclesAt(queue: LockQueue, { deadlocks: report, isLasting }: ExplainFacts): ExplainedCycle[] {
  const isHere = ({ lock }: WaitEdge): boolean => lock.path === queue.path && lock.lockName === queue.lockName;
  const cyclesOf = (deadlocks: readonly Deadlock[] = []): WaitEdge[][] =>
    deadlocks.flatMap(({ cycles }) => cycles).filter(cycle => cycle.some(isHere));
  return [
    ...cyclesOf(report?.deadlocks).map(edges => ({ edges, isLasting: isLasting?.(edges) === true })),
    ...cyclesOf(report?.possible).map(edges => ({ edges, isLasting: false })),
  ];
}
