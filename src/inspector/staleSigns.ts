import { traitsOf } from '../locks/libraries/registry.ts';
import { isHolderUnknown, isLeaseOver, type Contender, type LockQueue } from '../locks/lockQueue.ts';
import type { OwnerFacts } from './owners/ownerFacts.ts';
import type { WatchFacts } from './owners/readWatchers.ts';
import { isLoneNode, isSemaphore } from './turnsWithout.ts';

/**
 * `not-ephemeral`: no session keeps it alive, as most libraries have it. `lease-expired`: its own data say that
 * its time is over. `owner-unknown`: the leader does not list its session. `same-session`: a later node of its own session
 * waits for it: an orphan of a lost reply, or two threads of one program. `waits-for-nobody`: it is no holder, and nothing will
 * wake it.
 */
export type StaleReason = 'not-ephemeral' | 'lease-expired' | 'owner-unknown' | 'same-session' | 'waits-for-nobody';

/** `certain`: nobody can be behind it. `likely`: one look at the owner should confirm it. `possible`: normal programs look alike. */
export type Confidence = 'certain' | 'likely' | 'possible';

/** One thing that speaks for a contender's being stale, and how much. */
export interface StaleSign {
  reason: StaleReason;
  confidence: Confidence;
}

/** What is known beside the queues. */
export interface StaleFacts {
  /** Epoch ms of this machine's clock when the queues were read: facts about sessions must be younger. */
  queuesReadAt: number;
  owners?: OwnerFacts;
  watches?: WatchFacts;
  /** Epoch ms. */
  now: number;
}

/** The highest first. */
export const confidences = ['certain', 'likely', 'possible'] as const satisfies readonly Confidence[];
const rank: Readonly<Record<Confidence, number>> = { certain: 0, likely: 1, possible: 2 };

/** What speaks for it, the surest first; empty if nothing does. Asked of every contender after every change: no new list for each. */
export type SignsOf = (contender: Contender) => readonly StaleSign[];

const none: readonly StaleSign[] = [];
const persistent = sign('not-ephemeral', 'likely');
const maybeMeant = sign('not-ephemeral', 'possible');
const orphan = sign('same-session', 'possible');
const expired = sign('lease-expired', 'certain');
const unheld = sign('waits-for-nobody', 'possible');
const unwatched = sign('waits-for-nobody', 'likely');
const unknownToLeader = sign('owner-unknown', 'certain');
const unknownToServer = sign('owner-unknown', 'possible');

/** Looks for signs in one queue. What cannot be a sign in it is not looked for in its contenders. */
export function staleSigns(queue: LockQueue, facts: StaleFacts): SignsOf {
  const looks = [
    orphanSigns(queue),
    persistentSigns(queue),
    leaseSigns(queue, facts),
    ownerSigns(facts),
    unheldSigns(queue),
    watchSigns(queue, facts),
  ].filter(look => look !== undefined);
  return contender => {
    let found = none;
    for (const look of looks) {
      const signs = look(contender);
      if (signs.length > 0) found = found.length === 0 ? signs : [...found, ...signs].sort(bySurest);
    }
    return found;
  };
}

function sign(reason: StaleReason, confidence: Confidence): readonly StaleSign[] {
  return [{ reason, confidence }];
}

function bySurest(one: StaleSign, other: StaleSign): number {
  return rank[one.confidence] - rank[other.confidence];
}

function isNamed(queue: LockQueue, kind: LockQueue['hazards'][number]['kind']): boolean {
  return queue.hazards.some(hazard => hazard.kind === kind);
}

function persistentSigns(queue: LockQueue): SignsOf | undefined {
  if (!isNamed(queue, 'not-ephemeral')) return undefined;
  const found = traitsOf(queue.dialect).mayBePersistent === true ? maybeMeant : persistent;
  const names = new Set(queue.hazards.filter(({ kind }) => kind === 'not-ephemeral').flatMap(hazard => hazard.names));
  return ({ ownerSession, name }) => (ownerSession === 0n && names.has(name) ? found : none);
}

/**
 * Of several nodes of one session, all but the last: a client that waits knows its last one. Shared reads are no sign, nor are
 * leases, of which a session may hold several (as the hazard `same-session-twice` has it), nor is a write lock whose owner reads
 * as well.
 */
function orphanSigns(queue: LockQueue): SignsOf | undefined {
  if (!isNamed(queue, 'same-session-twice')) return undefined;
  const last = new Map<bigint, Contender>();
  for (const contender of queue.contenders) {
    if (contender.ownerSession !== 0n && contender.kind !== 'lease') last.set(contender.ownerSession, contender);
  }
  return contender => {
    const latest = contender.kind === 'lease' ? undefined : last.get(contender.ownerSession);
    if (latest === undefined || latest === contender || latest.role !== 'waiter') return none;
    return contender.kind === 'write' && latest.kind === 'read' ? none : orphan;
  };
}

function leaseSigns({ contenders }: LockQueue, { now }: StaleFacts): SignsOf | undefined {
  const hasEnds = contenders.some(({ leaseEndsAt }) => leaseEndsAt !== undefined);
  return hasEnds ? contender => (isLeaseOver(contender, now) ? expired : none) : undefined;
}

/** Facts from before the queue was read cannot know the sessions that began in between. */
function ownerSigns({ owners, queuesReadAt }: StaleFacts): SignsOf | undefined {
  if (owners?.live === undefined || owners.askedAt < queuesReadAt) return undefined;
  const { live, connections } = owners;
  const unknown = live.toldBy === 'leader' ? unknownToLeader : unknownToServer;
  return ({ ownerSession }) => {
    const isKnown = ownerSession === 0n || live.ids.has(ownerSession) || connections.has(ownerSession);
    return isKnown ? none : unknown;
  };
}

/** A queue of waiters that nobody holds: all that can be seen without the watches. */
function unheldSigns(queue: LockQueue): SignsOf | undefined {
  const [head] = queue.contenders;
  if (head?.role !== 'waiter' || head.waitsFor !== undefined || isHolderUnknown(queue)) return undefined;
  if (isLoneNode(queue) || isSemaphore(queue)) return undefined;
  return contender => (contender === head ? unheld : none);
}

/**
 * A waiter whose session watches nothing that it waits for. Libraries that watch a directory, or poll, name no node and are
 * passed over; so is every waiter unless all servers told their watches after the queue was read, and a reader behind the write
 * lock of its own session, which may hold (Curator up to 5.4).
 */
function watchSigns(queue: LockQueue, { watches, queuesReadAt }: StaleFacts): SignsOf | undefined {
  if (watches?.isComplete !== true || watches.askedAt < queuesReadAt) return undefined;
  const writers = new Set(queue.contenders.filter(isWriting).map(({ ownerSession }) => ownerSession));
  return contender => {
    const { role, waitsFor, ownerSession, kind } = contender;
    if (role !== 'waiter' || waitsFor === undefined || ownerSession === 0n) return none;
    if (kind === 'read' && writers.has(ownerSession)) return none;
    return watchesAny(queue, contender, watches) ? none : unwatched;
  };
}

function isWriting({ kind, role }: Contender): boolean {
  return kind === 'write' && role === 'holder';
}

function watchesAny(queue: LockQueue, contender: Contender, { watchers }: WatchFacts): boolean {
  const isWatched = (path: string): boolean => watchers.get(path)?.has(contender.ownerSession) === true;
  const directory = contender.path.slice(0, -contender.name.length);
  // Some versions watch another contender than the rule says.
  return (
    isWatched(directory + (contender.waitsFor ?? '')) ||
    queue.contenders.some(other => other !== contender && isWatched(other.path))
  );
}
