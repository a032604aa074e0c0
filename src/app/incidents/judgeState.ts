import { inTurns, type Interruptible } from '../../base/interruptible.ts';
import {
  type DeadlockFact,
  type IncidentFacts,
  type IncidentMark,
  type OwnerFact,
  type QueueFact,
  type StaleFact,
} from '../../incident/incident.ts';
import { explainLock, type LockExplanation } from '../../inspector/explainLock.ts';
import { findDeadlocks, type DeadlockReport } from '../../inspector/findDeadlocks.ts';
import { findStale, isLongHeld, staleSigns } from '../../inspector/findStale.ts';
import { ownerOf } from '../../inspector/owners/ownerFacts.ts';
import { findMutualWaits, findReadersBehindWriters } from '../../inspector/queueRisks.ts';
import type { WaitEdge } from '../../inspector/waitForGraph.ts';
import type { ServerFacts } from '../../inspector/waitWatches.ts';
import type { LockQueue } from '../../locks/lockQueue.ts';
import type { ClusterNode } from '../clusters/clusterModel.ts';
import type { SeenCycle } from '../clusters/cycleAges.ts';
import { markNames, type CycleSource, type DeadlockMark } from '../clusters/marks.ts';
import type { DeadlockLook } from '../diagnosis/lookForDeadlocks.ts';
import type { CollectedState } from './collectState.ts';

/** What follows from a state; the interface writes the explanations. */
export interface JudgedState extends Omit<IncidentFacts, 'explanations'> {
  explanations: readonly LockExplanation[];
  deadlockLook: Omit<DeadlockLook, 'loaded'>;
}

export interface JudgeOptions {
  /** As it is called in the file. */
  clusterName: string;
  longHeldMs: number;
  /** For how long a cycle was seen, by the nodes of the cluster itself. */
  cycleOf: (edges: readonly WaitEdge[]) => SeenCycle;
}

/** Of more locks those that are in trouble, and the longest queues. */
const mostExplained = 200;

/** The age of a cycle that the window knows, for one whose texts were replaced: czxids stay. */
export function cycleAges(
  state: CollectedState,
  marks: CycleSource,
  cluster: ClusterNode,
): (edges: readonly WaitEdge[]) => SeenCycle {
  const known = new Map<string, SeenCycle>();
  const { deadlocks, possible } = findDeadlocks(state.queues);
  for (const edges of [...deadlocks, ...possible].flatMap(({ cycles }) => cycles)) {
    known.set(czxidsOf(edges), marks.cycleOf(cluster, edges));
  }
  return edges => {
    const { ageMs = 0, isLasting = false } = known.get(czxidsOf(edges)) ?? {};
    return { edges, key: czxidsOf(edges), ageMs, isLasting };
  };
}

function czxidsOf(edges: readonly WaitEdge[]): string {
  return [...new Set(edges.flatMap(({ waiter, blocker }) => [waiter.czxid, blocker.czxid]))].sort().join(' ');
}

/** Marks, owners, stale signs, deadlocks and explanations of a state, in turns of the event loop. */
export async function judgeState(state: CollectedState, options: JudgeOptions): Promise<JudgedState> {
  const { queues, moment } = state;
  const report = findDeadlocks(queues);
  const deadlocks = [
    ...report.deadlocks.flatMap(({ cycles }) => cycles).map(edges => options.cycleOf(edges)),
    ...report.possible
      .flatMap(({ cycles }) => cycles)
      .map((edges): SeenCycle => ({ ...options.cycleOf(edges), isLasting: false })),
  ];
  const facts = serverFacts(state);
  const marked = markedContenders(deadlocks, report);
  const judged: QueueFact[] = [];
  await inTurns(
    eachOf(queues, queue => {
      judged.push({ queue, marks: marksOf(queue, facts, marked, options.longHeldMs, state.stayed) });
    }),
    () => true,
  );
  const explanations: LockExplanation[] = [];
  await inTurns(
    eachOf(explained(judged), queue => {
      explanations.push(explanationOf(queue, state, report, options));
    }),
    () => true,
  );
  return {
    queues: judged,
    owners: ownersOf(state),
    stale: staleOf(state, facts),
    deadlocks: deadlocks.map(deadlockFact),
    explanations,
    deadlockLook: {
      readAt: moment.time,
      queues,
      report,
      cycleOf: options.cycleOf,
      mutualWaits: state.watches === undefined ? [] : findMutualWaits(queues, state.watches),
      behindWriters: findReadersBehindWriters(queues),
    },
  };
}

/** A call may take long: after each others may get their turn. */
function* eachOf<T>(all: readonly T[], call: (each: T) => void): Interruptible<void> {
  for (const each of all) {
    call(each);
    yield;
  }
}

function serverFacts({ owners, watches, readAt, moment }: CollectedState): ServerFacts {
  return { queuesReadAt: readAt, owners, ...(watches === undefined ? {} : { watches }), now: moment.time };
}

/** By path of the contender. */
function markedContenders(deadlocks: readonly SeenCycle[], { deadlocks: found }: DeadlockReport) {
  const marks = new Map<string, DeadlockMark>();
  for (const { path } of found.flatMap(({ places }) => [...places])) marks.set(path, 'possible');
  for (const { waiter, blocker } of deadlocks.filter(({ isLasting }) => isLasting).flatMap(({ edges }) => edges)) {
    marks.set(waiter.path, 'lasting').set(blocker.path, 'lasting');
  }
  return marks;
}

function marksOf(
  queue: LockQueue,
  facts: ServerFacts,
  deadlocks: ReadonlyMap<string, DeadlockMark>,
  longHeldMs: number,
  stayed: ReadonlySet<string>,
): Map<string, readonly IncidentMark[]> {
  const signsOf = staleSigns(queue, facts);
  const marks = new Map<string, readonly IncidentMark[]>();
  for (const contender of queue.contenders) {
    const deadlock = deadlocks.get(contender.path);
    const names = markNames({
      stale: stayed.has(contender.path) ? signsOf(contender) : [],
      longHeld: isLongHeld(contender, facts.now, longHeldMs),
      ...(deadlock === undefined ? {} : { deadlock }),
    });
    if (names.length > 0) marks.set(contender.path, names);
  }
  return marks;
}

/** Those in trouble first, then the longest queues; free locks need no explanation unless they are all there is. */
function explained(judged: readonly QueueFact[]): LockQueue[] {
  const weight = ({ queue: { contenders, hazards }, marks }: QueueFact): number =>
    (marks.size > 0 ? 2_000_000 : 0) + (hazards.length > 0 ? 1_000_000 : 0) + Math.min(contenders.length, 999_999);
  return judged
    .filter(fact => judged.length === 1 || weight(fact) > 0)
    .sort((one, other) => weight(other) - weight(one))
    .slice(0, mostExplained)
    .map(({ queue }) => queue);
}

function explanationOf(
  queue: LockQueue,
  { owners, watches, readAt, moment, stayed }: CollectedState,
  deadlocks: DeadlockReport,
  { clusterName, cycleOf }: JudgeOptions,
): LockExplanation {
  return explainLock(queue, {
    owners,
    ...(watches === undefined ? {} : { watches }),
    later: queue.contenders.filter(({ path }) => stayed.has(path)),
    deadlocks,
    isLasting: edges => cycleOf(edges).isLasting,
    cluster: clusterName,
    readAt,
    now: moment.time,
  });
}

function ownersOf({ queues, owners }: CollectedState): Map<bigint, OwnerFact> {
  const found = new Map<bigint, OwnerFact>();
  for (const contender of queues.flatMap(({ contenders }) => contenders)) {
    const { session, alive, connection, recorded } = ownerOf(contender, owners);
    if (session === 0n || alive === 'no-owner' || found.has(session)) continue;
    found.set(session, {
      session,
      alive,
      ...(connection === undefined
        ? recorded && { address: recorded.address }
        : { address: connection.address, server: connection.server }),
      ...(connection?.timeoutMs === undefined ? {} : { timeoutMs: connection.timeoutMs }),
    });
  }
  return found;
}

function staleOf({ queues, stayed }: CollectedState, facts: ServerFacts): StaleFact[] {
  return findStale(queues, facts)
    .filter(({ contender }) => stayed.has(contender.path))
    .map(({ queue: { path, lockName }, contender, confidence, reasons }) => ({
      path,
      ...(lockName === undefined ? {} : { lockName }),
      node: contender.path,
      czxid: contender.czxid,
      confidence,
      reasons: reasons.map(({ reason }) => reason),
    }));
}

function deadlockFact({ edges, ageMs, isLasting }: SeenCycle): DeadlockFact {
  return {
    isLasting,
    ageMs: Math.round(ageMs),
    steps: edges.map(({ lock, waiter, blocker }) => ({
      path: lock.path,
      ...(lock.lockName === undefined ? {} : { lockName: lock.lockName }),
      waiter: waiter.path,
      blocker: blocker.path,
      waiterSession: waiter.ownerSession,
      blockerSession: blocker.ownerSession,
    })),
  };
}
