import { traitsOf } from '../locks/libraries/registry.ts';
import { isHolderUnknown, isLeaseOver, type Contender, type LockQueue } from '../locks/lockQueue.ts';
import { ownerOf, type OwnerFacts, type OwnerStatus } from './owners/ownerFacts.ts';
import type { WatchFacts } from './owners/readWatchers.ts';
import { isLoneNode, isSemaphore } from './turnsWithout.ts';

/**
 * `not-ephemeral`: no session keeps the node alive, as most libraries require. `lease-expired`: the lease time in its data is over.
 * `owner-unknown`: the server's list of sessions lacks its owner. `same-session`: a later node of the same session waits; this one is
 * an orphan of a lost reply, or belongs to another thread. `never-woken`: a waiter that nothing will wake.
 */
export type StaleReason = 'not-ephemeral' | 'lease-expired' | 'owner-unknown' | 'same-session' | 'never-woken';

/** `certain`: no client uses the node. `likely`: check its owner once before a delete. `possible`: correct programs look the same. */
export type Confidence = 'certain' | 'likely' | 'possible';

/** One reason to call a contender stale. */
export interface StaleSign {
  reason: StaleReason;
  confidence: Confidence;
}

/** Facts besides the queues. */
export interface StaleFacts {
  /** Epoch ms of this machine's clock when the queues were read: older facts about sessions do not count. */
  queuesReadAt: number;
  owners?: OwnerFacts;
  watches?: WatchFacts;
  /** Epoch ms. */
  now: number;
}

/** The signs of a contender, the most certain first. Called for every contender after every change, so it creates few arrays. */
export type SignsOf = (contender: Contender) => readonly StaleSign[];

const none: readonly StaleSign[] = [];
const persistent = sign('not-ephemeral', 'likely');
/** In libraries that may create persistent nodes on purpose. */
const perhapsIntended = sign('not-ephemeral', 'possible');
const orphan = sign('same-session', 'possible');
const expired = sign('lease-expired', 'certain');
const unheld = sign('never-woken', 'possible');
const unwatched = sign('never-woken', 'likely');
const unknownToLeader = sign('owner-unknown', 'certain');
const unknownToFollower = sign('owner-unknown', 'possible');

/** The most certain first. */
const confidences = ['certain', 'likely', 'possible'] as const satisfies readonly Confidence[];

/** One contender that may be stale, with its signs. */
export interface StaleFinding {
  queue: LockQueue;
  contender: Contender;
  /** The most certain first. */
  reasons: readonly StaleSign[];
  /** The highest of its reasons. */
  confidence: Confidence;
  owner: OwnerStatus;
}

/** Finds contenders that probably no client uses any more, the most certain first. A lock is not stale because it is held for long. */
export function findStale(queues: readonly LockQueue[], facts: StaleFacts): StaleFinding[] {
  const findings: StaleFinding[] = [];
  for (const queue of queues) {
    const signsOf = staleSigns(queue, facts);
    for (const contender of queue.contenders) {
      const reasons = signsOf(contender);
      const [surest] = reasons;
      if (surest === undefined) continue;
      const owner = ownerOf(contender, facts.owners);
      findings.push({ queue, contender, reasons, confidence: surest.confidence, owner });
    }
  }
  return confidences.flatMap(confidence => findings.filter(finding => finding.confidence === confidence));
}

/** Prepares the checks for one queue; checks that cannot apply to it are left out. */
export function staleSigns(queue: LockQueue, facts: StaleFacts): SignsOf {
  const checks = [
    orphanSigns(queue),
    persistentSigns(queue),
    leaseSigns(queue, facts),
    ownerSigns(facts),
    unheldSigns(queue),
    watchSigns(queue, facts),
  ].filter(check => check !== undefined);
  return contender => {
    let found = none;
    // Nothing is known of it.
    if (contender.isUnread === true) return found;
    for (const check of checks) {
      const signs = check(contender);
      if (signs.length > 0) found = found.length === 0 ? signs : [...found, ...signs].sort(byConfidence);
    }
    return found;
  };
}

function sign(reason: StaleReason, confidence: Confidence): readonly StaleSign[] {
  return [{ reason, confidence }];
}

function byConfidence(one: StaleSign, other: StaleSign): number {
  return confidences.indexOf(one.confidence) - confidences.indexOf(other.confidence);
}

function persistentSigns(queue: LockQueue): SignsOf | undefined {
  const names = new Set(queue.hazards.filter(({ kind }) => kind === 'not-ephemeral').flatMap(hazard => hazard.names));
  if (names.size === 0) return undefined;
  const found = traitsOf(queue.dialect).mayBePersistent === true ? perhapsIntended : persistent;
  return ({ ownerSession, name }) => (ownerSession === 0n && names.has(name) ? found : none);
}

/**
 * All nodes of one session but the last: a client waits with the node that it created last. Shared reads are no sign, nor are
 * leases (a session may hold several), nor a write lock whose owner also reads.
 */
function orphanSigns(queue: LockQueue): SignsOf | undefined {
  if (!queue.hazards.some(({ kind }) => kind === 'same-session-twice')) return undefined;
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

function leaseSigns({ contenders, dialect }: LockQueue, { now }: StaleFacts): SignsOf | undefined {
  if (traitsOf(dialect).reusesNode === true) return undefined;
  const hasEnds = contenders.some(({ leaseEndsAt }) => leaseEndsAt !== undefined);
  return hasEnds ? contender => (isLeaseOver(contender, now) ? expired : none) : undefined;
}

/** Facts older than the queue lack the sessions that began in between. */
function ownerSigns({ owners, queuesReadAt }: StaleFacts): SignsOf | undefined {
  if (owners?.live === undefined || owners.askedAt < queuesReadAt) return undefined;
  const { live, connections } = owners;
  const unknown = live.listedBy === 'leader' ? unknownToLeader : unknownToFollower;
  return ({ ownerSession }) => {
    const isKnown = ownerSession === 0n || live.ids.has(ownerSession) || connections.has(ownerSession);
    return isKnown ? none : unknown;
  };
}

/** The head of a queue without a holder waits for no node. Without the watches, nothing more can be said. */
function unheldSigns(queue: LockQueue): SignsOf | undefined {
  const [head] = queue.contenders;
  if (head?.role !== 'waiter' || head.waitsFor !== undefined || isHolderUnknown(queue)) return undefined;
  // Where the nodes' data marks the holder, it may stand anywhere in the queue, or be elected later.
  if (queue.contenders.some(({ role }) => role === 'holder') || traitsOf(queue.dialect).isElectedByData === true)
    return undefined;
  if (isLoneNode(queue) || isSemaphore(queue)) return undefined;
  return contender => (contender === head ? unheld : none);
}

/**
 * A waiter whose session watches no node of the queue. Left out: waiters that watch a directory or poll (they name no node), a
 * reader behind the write lock of its own session, which may hold (Curator up to 5.4), and all waiters unless every server listed
 * its watches after the queue was read.
 */
function watchSigns(queue: LockQueue, { watches, queuesReadAt }: StaleFacts): SignsOf | undefined {
  if (watches?.isComplete !== true || watches.askedAt < queuesReadAt) return undefined;
  const writing = queue.contenders.filter(({ kind, role }) => kind === 'write' && role === 'holder');
  const writers = new Set(writing.map(({ ownerSession }) => ownerSession));
  return contender => {
    const { role, waitsFor, ownerSession, kind } = contender;
    if (role !== 'waiter' || waitsFor === undefined || ownerSession === 0n) return none;
    if (kind === 'read' && writers.has(ownerSession)) return none;
    return watchesAny(queue, contender, watches) ? none : unwatched;
  };
}

function watchesAny(queue: LockQueue, contender: Contender, { watchers }: WatchFacts): boolean {
  const isWatched = (path: string): boolean => watchers.get(path)?.has(contender.ownerSession) === true;
  const directory = contender.path.slice(0, -contender.name.length);
  // Some versions of the libraries watch another contender than their rule says.
  return (
    isWatched(directory + (contender.waitsFor ?? '')) ||
    queue.contenders.some(other => other !== contender && isWatched(other.path))
  );
}

/** Whether a contender holds and was created more than `longHeldMs` ago. A lock may rightly be held for a year. */
export function isLongHeld(contender: Contender, now: number, longHeldMs: number): boolean {
  const { role, createdAt, isUnread } = contender;
  return role === 'holder' && isUnread !== true && now - createdAt > longHeldMs && !isLeaseOver(contender, now);
}
