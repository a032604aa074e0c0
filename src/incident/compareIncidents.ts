import { atOnce, type Interruptible } from '../base/interruptible.ts';
import { isHolderUnknown, type Contender } from '../locks/lockQueue.ts';
import {
  queueKey,
  type CycleStep,
  type DeadlockFact,
  type IncidentFacts,
  type IncidentHeader,
  type IncidentMark,
  type OwnerFact,
  type QueueFact,
} from './incident.ts';
import {
  areNamesHidden,
  contenderKey,
  matchQueues,
  type ComparedIncident,
  type MatchedQueues,
  type QueuePair,
} from './matchQueues.ts';

/** A contender with the marks that came or went. */
export interface MarkChange {
  contender: Contender;
  marks: readonly IncidentMark[];
}

/** One lock in two files. */
export interface LockChange {
  path: string;
  lockName?: string;
  /** `appeared`, `gone`: it is in one file only, and the other one would have it. */
  kind: 'appeared' | 'gone' | 'changed' | 'same';
  /** Holders in either file. */
  before: readonly Contender[];
  after: readonly Contender[];
  /** Whether a node that could not be read may have held. */
  wasHolderUnknown: boolean;
  isHolderUnknown: boolean;
  hasOtherHolders: boolean;
  /** Waiters that queued between the two. */
  came: readonly Contender[];
  /** Waiters that are gone, without those that hold now. */
  left: readonly Contender[];
  /** Waiters that hold now. */
  gotIt: readonly Contender[];
  /** Waiters of both files, as they are in the later one. */
  stillWaiting: readonly Contender[];
  newMarks: readonly MarkChange[];
  solvedMarks: readonly MarkChange[];
}

/** What changed between two incident files. */
export interface Comparison {
  earlier: IncidentHeader;
  later: IncidentHeader;
  /** Locks that are in both, or came or went; those with a change first. */
  locks: readonly LockChange[];
  /** Locks that one of the files says nothing of, and those that cannot be recognised in the other one. */
  notCompared: number;
  /** Cycles of waits through such locks. */
  deadlocksNotCompared: number;
  sessionsEnded: readonly OwnerFact[];
  sessionsNew: readonly OwnerFact[];
  deadlocksNew: readonly DeadlockFact[];
  deadlocksSolved: readonly DeadlockFact[];
  deadlocksLasting: readonly DeadlockFact[];
}

/**
 * Compares two files, in whichever order they are given. Contenders are the same by transaction and session, which are not replaced in
 * redacted files; locks by their paths, and where those may be replaced by their contenders. Nothing is said of what one of the files
 * would not have.
 */
export function compareIncidents(one: ComparedIncident, other: ComparedIncident): Comparison {
  return atOnce(comparingIncidents(one, other));
}

/** As `compareIncidents`, for large files. */
export function* comparingIncidents(one: ComparedIncident, other: ComparedIncident): Interruptible<Comparison> {
  const isInOrder = one.header.span.to.time <= other.header.span.to.time;
  const [earlier, later] = isInOrder ? [one, other] : [other, one];
  const matched = matchQueues(earlier, later);
  yield;
  // Of two names of one lock the one that a person knows.
  const namedFirst = areNamesHidden(later.header);
  return {
    earlier: earlier.header,
    later: later.header,
    locks: (yield* changesOf(matched.pairs, namedFirst)).sort(byWeight),
    notCompared: matched.notCompared,
    ...sessionChanges(earlier.facts, later.facts, matched),
    ...deadlockChanges(earlier.facts, later.facts, matched),
  };
}

function* changesOf(pairs: readonly QueuePair[], namedFirst: boolean): Interruptible<LockChange[]> {
  const changes: LockChange[] = [];
  for (const pair of pairs) {
    changes.push(changeOf(pair, namedFirst));
    yield;
  }
  return changes;
}

function byIdentity(contenders: readonly Contender[]): Map<string, Contender> {
  return new Map(contenders.map(contender => [contenderKey(contender), contender]));
}

function ofRole(fact: QueueFact | undefined, role: Contender['role']): Contender[] {
  return fact?.queue.contenders.filter(contender => contender.role === role) ?? [];
}

function changeOf({ from, to }: QueuePair, namedFirst: boolean): LockChange {
  const [before, after] = [ofRole(from, 'holder'), ofRole(to, 'holder')];
  const waitedBefore = byIdentity(ofRole(from, 'waiter'));
  const allAfter = byIdentity(to?.queue.contenders ?? []);
  const knownBefore = byIdentity(from?.queue.contenders ?? []);
  const waits = ofRole(to, 'waiter');
  const [heldBefore, heldAfter] = [byIdentity(before), byIdentity(after)];
  const gone = [...waitedBefore].flatMap(([key, waiter]) => (allAfter.has(key) ? [] : [waiter]));
  const leases = newLeases(
    gone,
    after.filter(holder => !knownBefore.has(contenderKey(holder))),
  );
  const change = {
    ...nameOf((namedFirst ? from : to) ?? to ?? from),
    before,
    after,
    wasHolderUnknown: mayBeHeld(from),
    isHolderUnknown: mayBeHeld(to),
    hasOtherHolders: heldBefore.size !== heldAfter.size || [...heldBefore.keys()].some(key => !heldAfter.has(key)),
    came: waits.filter(waiter => !knownBefore.has(contenderKey(waiter))),
    left: gone.filter(waiter => !leases.has(waiter)),
    gotIt: [...after.filter(holder => waitedBefore.has(contenderKey(holder))), ...leases.values()],
    stillWaiting: waits.filter(waiter => waitedBefore.has(contenderKey(waiter))),
    newMarks: markChanges(to, from),
    solvedMarks: markChanges(from, to),
  };
  return { ...change, kind: kindOf(from, to, change) };
}

/**
 * Of a semaphore whose places in the queue and leases are nodes of their own (Curator, kazoo): the lease that a waiter got. Only the
 * session says that it is the same client; each lease counts for one place.
 */
function newLeases(gone: readonly Contender[], newHolders: readonly Contender[]): Map<Contender, Contender> {
  const owned = newHolders.filter(({ kind, ownerSession }) => kind === 'lease' && ownerSession !== 0n).toReversed();
  const free = Map.groupBy(owned, ({ ownerSession }) => ownerSession);
  const leases = new Map<Contender, Contender>();
  for (const waiter of gone) {
    const lease = waiter.kind === 'lease' ? free.get(waiter.ownerSession)?.pop() : undefined;
    if (lease !== undefined) leases.set(waiter, lease);
  }
  return leases;
}

function nameOf(fact: QueueFact | undefined): Pick<LockChange, 'path' | 'lockName'> {
  const { path, lockName } = fact?.queue ?? { path: '' };
  return { path, ...(lockName === undefined ? {} : { lockName }) };
}

function mayBeHeld(fact: QueueFact | undefined): boolean {
  return fact !== undefined && isHolderUnknown(fact.queue);
}

function kindOf(
  from: QueueFact | undefined,
  to: QueueFact | undefined,
  change: Omit<LockChange, 'kind' | 'path'>,
): LockChange['kind'] {
  if (from === undefined) return 'appeared';
  if (to === undefined) return 'gone';
  const { hasOtherHolders, came, left, gotIt, newMarks, solvedMarks } = change;
  const isSame = !hasOtherHolders && [came, left, gotIt, newMarks, solvedMarks].every(list => list.length === 0);
  return isSame ? 'same' : 'changed';
}

/** Marks of `one` that `other` has not, by contender. */
function markChanges(one: QueueFact | undefined, other: QueueFact | undefined): MarkChange[] {
  const known = new Map(
    other?.queue.contenders.map(contender => [contenderKey(contender), other.marks.get(contender.path) ?? []]),
  );
  return (one?.queue.contenders ?? []).flatMap(contender => {
    const marks = one?.marks
      .get(contender.path)
      ?.filter(mark => known.get(contenderKey(contender))?.includes(mark) !== true);
    return marks === undefined || marks.length === 0 ? [] : [{ contender, marks }];
  });
}

const kindOrder: readonly LockChange['kind'][] = ['changed', 'appeared', 'gone', 'same'];

/** Trouble first, then what changed most. */
function byWeight(one: LockChange, other: LockChange): number {
  const weight = ({ newMarks, came, left, hasOtherHolders }: LockChange): number =>
    newMarks.length * 1_000 + Number(hasOtherHolders) * 100 + came.length + left.length;
  return kindOrder.indexOf(one.kind) - kindOrder.indexOf(other.kind) || weight(other) - weight(one);
}

/**
 * Sessions are those that own contenders: one without a place in a queue any more may still live, and is new only if it has a place in a
 * lock that the earlier file would have.
 */
function sessionChanges(
  before: IncidentFacts,
  after: IncidentFacts,
  { pairs }: MatchedQueues,
): Pick<Comparison, 'sessionsEnded' | 'sessionsNew'> {
  const isThere = ({ alive }: OwnerFact): boolean => alive !== 'no';
  const queued = new Set(pairs.flatMap(({ to }) => to?.queue.contenders.map(({ ownerSession }) => ownerSession) ?? []));
  const isNew = ({ session }: OwnerFact): boolean => queued.has(session) && !before.owners.has(session);
  return {
    sessionsEnded: [...before.owners.values()].filter(
      owner => isThere(owner) && after.owners.get(owner.session)?.alive === 'no',
    ),
    sessionsNew: [...after.owners.values()].filter(owner => isThere(owner) && isNew(owner)),
  };
}

function cycleKey({ steps }: DeadlockFact): string {
  return steps
    .map(({ waiterSession, blockerSession }) => `${String(waiterSession)} ${String(blockerSession)}`)
    .sort()
    .join('\n');
}

/** A cycle is new or has ended only if both files have all of its locks. */
function deadlockChanges(
  before: IncidentFacts,
  after: IncidentFacts,
  { isComparedBefore, isComparedAfter }: MatchedQueues,
): Pick<Comparison, 'deadlocksNew' | 'deadlocksSolved' | 'deadlocksLasting' | 'deadlocksNotCompared'> {
  const known = new Set(before.deadlocks.map(cycleKey));
  const still = new Set(after.deadlocks.map(cycleKey));
  const came = after.deadlocks.filter(deadlock => !known.has(cycleKey(deadlock)));
  const ended = before.deadlocks.filter(deadlock => !still.has(cycleKey(deadlock)));
  const by =
    (isCompared: (key: string, path: string) => boolean) =>
    ({ steps }: DeadlockFact): boolean =>
      steps.every((step: CycleStep) => isCompared(queueKey(step), step.path));
  const deadlocksNew = came.filter(by(isComparedAfter));
  const deadlocksSolved = ended.filter(by(isComparedBefore));
  return {
    deadlocksNew,
    deadlocksSolved,
    deadlocksLasting: after.deadlocks.filter(deadlock => known.has(cycleKey(deadlock))),
    deadlocksNotCompared: came.length + ended.length - deadlocksNew.length - deadlocksSolved.length,
  };
}
