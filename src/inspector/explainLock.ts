import type { Contender, Hazard, LockQueue } from '../locks/lockQueue.ts';
import { deleteConsequences, type ConsequenceFacts } from './deleteConsequences.ts';
import type { DeadlockReport } from './findDeadlocks.ts';
import { findStale, type StaleReason } from './findStale.ts';
import { ownerOf, type OwnerStatus, type SourceReport } from './owners/ownerFacts.ts';
import { herdOf, type Herd } from './queueRisks.ts';
import { listensForRevoke, type Listening } from './requestRevoke.ts';
import type { Succession } from './turnsWithout.ts';
import { waiterId, type WaitEdge } from './waitForGraph.ts';

/** A contender with what is known of it. */
export interface ExplainedContender {
  contender: Contender;
  /** 1 is the head of the queue. */
  position: number;
  ageMs: number;
  owner: OwnerStatus;
  staleReasons: StaleReason[];
}

/** All facts about one lock; the interface writes the text. */
export interface LockExplanation {
  cluster: string;
  queue: LockQueue;
  /** Epoch ms of this machine's clock when the queue was read. */
  readAt: number;
  holders: ExplainedContender[];
  /** In grant order, the first 20. */
  waiters: ExplainedContender[];
  moreWaiters: number;
  herd: Herd;
  /** What happens when the first holder releases; `undefined` without a holder. */
  onRelease: { succession: Succession; next: Contender[] } | undefined;
  /** Whether the first holder listens for Curator's revoke request. */
  listening: Listening;
  hazards: Hazard[];
  /** Cycles that this lock is part of. */
  cycles: WaitEdge[][];
  /** Sources that did not answer: their facts are missing. */
  silent: SourceReport[];
}

/** Facts besides the queue. */
interface ExplainFacts extends ConsequenceFacts {
  cluster: string;
  readAt: number;
  deadlocks?: DeadlockReport;
}

const maxShownWaiters = 20;

/** Collects who holds a lock, since when and from where, who waits, and what a release changes. Pure. */
export function explainLock(queue: LockQueue, facts: ExplainFacts): LockExplanation {
  const stale = new Map(
    findStale([queue], { ...facts, queuesReadAt: facts.readAt }).map(({ contender, reasons }) => [
      contender.path,
      reasons.filter(({ confidence }) => confidence !== 'possible').map(({ reason }) => reason),
    ]),
  );
  const explained = queue.contenders.map((contender, at): ExplainedContender => ({
    contender,
    position: at + 1,
    ageMs: Math.max(0, facts.now - contender.createdAt),
    owner: ownerOf(contender, facts.owners),
    staleReasons: stale.get(contender.path) ?? [],
  }));
  const holders = explained.filter(({ contender }) => contender.role === 'holder');
  const waiters = explained.filter(({ contender }) => contender.role === 'waiter');
  return {
    cluster: facts.cluster,
    queue,
    readAt: facts.readAt,
    holders,
    waiters: waiters.slice(0, maxShownWaiters),
    moreWaiters: Math.max(0, waiters.length - maxShownWaiters),
    herd: herdOf(queue, facts.watches),
    onRelease: onRelease(queue, holders[0]?.contender, facts),
    listening: holders[0] === undefined ? 'no' : listensForRevoke(queue, holders[0].contender, facts.watches),
    hazards: queue.hazards,
    cycles: cyclesAt(queue, facts.deadlocks),
    silent: [...(facts.owners?.sources ?? []), ...(facts.watches?.sources ?? [])].filter(
      ({ outcome }) => outcome !== 'ok',
    ),
  };
}

function onRelease(queue: LockQueue, holder: Contender | undefined, facts: ExplainFacts): LockExplanation['onRelease'] {
  const consequences = holder && deleteConsequences(queue, holder.path, facts);
  return consequences && { succession: consequences.succession, next: consequences.nextHolders };
}

function cyclesAt(queue: LockQueue, report: DeadlockReport | undefined): WaitEdge[][] {
  const ids = new Set(queue.contenders.map(waiterId));
  return (report?.deadlocks ?? [])
    .flatMap(({ cycles }) => cycles)
    .filter(cycle => cycle.some(({ from, lock }) => lock.path === queue.path && ids.has(from)));
}
