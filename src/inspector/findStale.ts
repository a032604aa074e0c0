import { heldFor } from '../locks/heldSince.ts';
import { isHandWritten, mayBeAbandoned, traitsOf } from '../locks/libraries/registry.ts';
import { isLeaseOver, isPersistent, type Contender, type Hazard, type LockQueue } from '../locks/lockQueue.ts';
import { ownerOf, type OwnerStatus } from './owners/ownerFacts.ts';
import { WaitWatches, type ServerFacts } from './waitWatches.ts';

/**
 * `not-ephemeral`: no session keeps the node alive, though its library makes only ephemeral ones. `lease-expired`: the lease time in
 * its data is over. `owner-unknown`: the leader's list of sessions lacks its owner. `never-woken`: a waiter that nothing will wake.
 */
export type StaleReason = 'not-ephemeral' | 'lease-expired' | 'owner-unknown' | 'never-woken';

/** `certain`: no client uses the node. `likely`: check its owner once before a delete. `possible`: there is no proof. */
export type Confidence = 'certain' | 'likely' | 'possible';

/** One reason to call a contender stale. */
export interface StaleSign {
  reason: StaleReason;
  confidence: Confidence;
}

/** The signs of a contender, the most certain first. Called for every contender after every change, so it creates few arrays. */
export type SignsOf = (contender: Contender) => readonly StaleSign[];

const none: readonly StaleSign[] = [];
/** Of a queue in which no contender can have a sign. */
export const noSigns: SignsOf = () => none;
const persistent = sign('not-ephemeral', 'possible');
/** The clocks of its owner and of this machine may differ, and its owner may renew it. */
const expired = sign('lease-expired', 'possible');
const unwatched = sign('never-woken', 'likely');
const unknownToLeader = sign('owner-unknown', 'certain');

/** Hazards whose contenders may hold, whatever their role. */
const doubts: readonly Hazard['kind'][] = ['duplicate-sequence', 'sight-unknown'];

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

/**
 * Finds contenders that no client seems to use any more, the most certain first, and leases that have ended. A lock is not stale
 * because it is held for long, nor because no session owns its node, nor because its session has other places in the queue:
 * those are threads of one program.
 */
export function findStale(queues: readonly LockQueue[], facts: ServerFacts): StaleFinding[] {
  const watches = WaitWatches.from(facts);
  const findings: StaleFinding[] = [];
  for (const queue of queues) {
    const signsOf = allSigns(queue, facts, watches, [leaseSigns(queue, facts)]);
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

/**
 * The contenders that no session owns, in layouts whose live programs make such nodes, too: nothing shows whether their programs
 * live, so they are offered for deletes, and not marked.
 */
export function findOwnerless(queues: readonly LockQueue[]): StaleFinding[] {
  return queues.flatMap(queue => {
    if (!mayBeAbandoned(queue.dialect)) return [];
    const signsOf = persistentSigns(queue);
    return queue.contenders
      .filter(contender => isPersistent(contender) && (signsOf?.(contender) ?? none).length === 0)
      .map((contender): StaleFinding => {
        const owner = ownerOf(contender, undefined);
        return { queue, contender, reasons: persistent, confidence: 'possible', owner };
      });
  });
}

/**
 * Prepares the checks for one queue; checks that cannot apply to it are left out. A lease that has ended is no sign of trouble: it
 * blocks no client, and nodes of leases stay.
 */
export function staleSigns(queue: LockQueue, facts: ServerFacts): SignsOf {
  return allSigns(queue, facts, WaitWatches.from(facts), []);
}

function allSigns(
  queue: LockQueue,
  facts: ServerFacts,
  watches: WaitWatches | undefined,
  more: readonly (SignsOf | undefined)[],
): SignsOf {
  const checks = [persistentSigns(queue), ownerSigns(facts), watchSigns(queue, watches), ...more].filter(
    check => check !== undefined,
  );
  if (checks.length === 0) return noSigns;
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

/** Only where the library makes no such nodes; who made it may still be alive. */
function persistentSigns(queue: LockQueue): SignsOf | undefined {
  const names = new Set(queue.hazards.filter(({ kind }) => kind === 'not-ephemeral').flatMap(hazard => hazard.names));
  if (names.size === 0) return undefined;
  return ({ ownerSession, name }) => (ownerSession === 0n && names.has(name) ? persistent : none);
}

function leaseSigns({ contenders, dialect }: LockQueue, { now }: ServerFacts): SignsOf | undefined {
  if (traitsOf(dialect).reusesNode === true) return undefined;
  const hasEnds = contenders.some(({ leaseEndsAt }) => leaseEndsAt !== undefined);
  return hasEnds ? contender => (isLeaseOver(contender, now) ? expired : none) : undefined;
}

/** Facts older than the queue lack the sessions that began in between, and a follower's list those that it has not heard of yet. */
function ownerSigns({ owners, queuesReadAt }: ServerFacts): SignsOf | undefined {
  if (owners?.live?.listedBy !== 'leader' || owners.askedAt < queuesReadAt) return undefined;
  const { live, connections } = owners;
  return ({ ownerSession }) => {
    const isKnown = ownerSession === 0n || live.ids.has(ownerSession) || connections.has(ownerSession);
    return isKnown ? none : unknownToLeader;
  };
}

/**
 * A waiter whose session watches no node beside it. One watch of the session disproves it, since which of its threads set it is not
 * known. Left out, since healthy clients look the same: waiters that watch a directory or poll (they name no node, or have
 * names that hand-written recipes have, too); readers of Curator, which may hold (`downgradedReaders`); contenders that hazards
 * say may hold; and Curator's mutexes until the watches of others show that it is no semaphore.
 */
function watchSigns(queue: LockQueue, watches: WaitWatches | undefined): SignsOf | undefined {
  if (watches === undefined || isHandWritten(queue.dialect)) return undefined;
  if (queue.hazards.some(({ kind }) => kind === 'limit-unknown')) return undefined;
  const isCurator = queue.dialect === 'curator';
  const mayHold = new Set(queue.hazards.flatMap(({ kind, names }) => (doubts.includes(kind) ? names : [])));
  const isLeftOut = ({ name, kind }: Contender): boolean => mayHold.has(name) || (isCurator && kind === 'read');
  let isMutex: boolean | undefined;
  return contender => {
    const { role, waitsFor, kind } = contender;
    if (role !== 'waiter' || waitsFor === undefined || isLeftOut(contender)) return none;
    if (!watches.watchesNothing(contender)) return none;
    if (isCurator && kind === 'exclusive') isMutex ??= watches.proveMutex(queue);
    return isMutex === false ? none : unwatched;
  };
}

/**
 * Whether a contender has certainly held for more than `longHeldMs`: even if its turn came as late as it can have come. A lock may
 * rightly be held for a year.
 *
 * @param now epoch ms of the server's clock
 */
export function isLongHeld(contender: Contender, now: number, longHeldMs: number): boolean {
  return contender.role === 'holder' && heldFor(contender, now).least > longHeldMs && !isLeaseOver(contender, now);
}
