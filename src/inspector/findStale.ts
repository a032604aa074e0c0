import type { Contender, LockQueue } from '../locks/lockQueue.ts';
import { ownerStatus, type OwnerFacts, type OwnerStatus } from './owners/ownerFacts.ts';
import type { WatchFacts } from './owners/readWatchers.ts';
import { isLoneNode, isSemaphore } from './turnsWithout.ts';

/**
 * `not-ephemeral`: no session keeps it alive, while its library makes ephemeral nodes. `lease-expired`: its own data say that
 * its time is over. `owner-unknown`: the leader does not know its session. `same-session`: a later node of its own session
 * waits for it: an orphan of a lost reply, or two threads of one program. `waits-for-nobody`: it is no holder, and nothing will
 * wake it.
 */
export type StaleReason = 'not-ephemeral' | 'lease-expired' | 'owner-unknown' | 'same-session' | 'waits-for-nobody';

/** `certain`: nobody can be behind it. `likely`: one look at the owner should confirm it. `possible`: normal programs look alike. */
export type Confidence = 'certain' | 'likely' | 'possible';

/** One contender that may be stale, with everything that speaks for it. */
export interface StaleFinding {
  queue: LockQueue;
  contender: Contender;
  reasons: { reason: StaleReason; confidence: Confidence }[];
  /** The highest of its reasons. */
  confidence: Confidence;
  owner: OwnerStatus;
}

/** What is known beside the queues. */
export interface StaleFacts {
  /** Epoch ms of this machine's clock when the queues were read: facts about sessions must be younger. */
  queuesReadAt: number;
  owners?: OwnerFacts;
  watches?: WatchFacts;
  /** Ends of leases that say so, epoch ms by path (`readLeaseEnds`). */
  leaseEnds?: ReadonlyMap<string, number>;
  /** Epoch ms. */
  now: number;
}

const confidences = ['certain', 'likely', 'possible'] as const satisfies readonly Confidence[];
const rank: Readonly<Record<Confidence, number>> = { certain: 0, likely: 1, possible: 2 };
/** Clocks of machines differ: a lease is over only when that cannot be the reason. */
const clockToleranceMs = 60_000;

/** Finds contenders that nobody may be behind, the most certain first. Long-held locks are not stale: see `findLongHeld`. */
export function findStale(queues: readonly LockQueue[], facts: StaleFacts): StaleFinding[] {
  const findings: StaleFinding[] = [];
  for (const queue of queues) {
    const reasons = reasonsIn(queue, facts);
    for (const contender of queue.contenders) {
      const found = reasons.get(contender.path);
      if (found === undefined) continue;
      // Judged after every change of a queue, however long it is: nearly all have one reason.
      if (found.length > 1) found.sort((a, b) => rank[a.confidence] - rank[b.confidence]);
      const owner = ownerStatus(contender.ownerSession, facts.owners);
      findings.push({ queue, contender, reasons: found, confidence: found[0]?.confidence ?? 'possible', owner });
    }
  }
  return confidences.flatMap(confidence => findings.filter(finding => finding.confidence === confidence));
}

/** Holders older than a limit, oldest first. A lock may rightly be held for a year; age alone proves nothing. */
export function findLongHeld(
  queues: readonly LockQueue[],
  now: number,
  longHeldMs = 3_600_000,
): { queue: LockQueue; contender: Contender; heldAtMostMs: number }[] {
  return queues
    .flatMap(queue =>
      queue.contenders
        .filter(({ role }) => role === 'holder')
        .map(contender => ({ queue, contender, heldAtMostMs: now - contender.createdAt })),
    )
    .filter(({ heldAtMostMs }) => heldAtMostMs > longHeldMs)
    .sort((a, b) => b.heldAtMostMs - a.heldAtMostMs);
}

type Reasons = Map<string, StaleFinding['reasons']>;

function reasonsIn(queue: LockQueue, facts: StaleFacts): Reasons {
  const reasons: Reasons = new Map();
  const add = (contender: Contender, reason: StaleReason, confidence: Confidence): void => {
    const found = reasons.get(contender.path) ?? [];
    found.push({ reason, confidence });
    reasons.set(contender.path, found);
  };
  for (const contender of orphansOf(queue)) add(contender, 'same-session', 'possible');
  for (const contender of notEphemeral(queue)) add(contender, 'not-ephemeral', 'likely');
  for (const contender of worthALook(queue, facts)) {
    const end = facts.leaseEnds?.get(contender.path);
    if (end !== undefined && end + clockToleranceMs < facts.now) add(contender, 'lease-expired', 'certain');
    const unknown = ownerUnknown(contender, facts);
    if (unknown !== undefined) add(contender, 'owner-unknown', unknown);
    const lonely = waitsForNobody(queue, contender, facts);
    if (lonely !== undefined) add(contender, 'waits-for-nobody', lonely);
  }
  return reasons;
}

/** Whoever judges by nothing but the queue, as the tree does, sees no fault in a waiter that waits for somebody. */
function worthALook({ contenders }: LockQueue, { leaseEnds, owners, watches }: StaleFacts): readonly Contender[] {
  const hasFacts = leaseEnds !== undefined || owners !== undefined || watches !== undefined;
  return hasFacts ? contenders : contenders.filter(({ waitsFor }) => waitsFor === undefined);
}

/** The model knows which dialects make persistent nodes on purpose. */
function notEphemeral(queue: LockQueue): Contender[] {
  const names = new Set(queue.hazards.filter(({ kind }) => kind === 'not-ephemeral').flatMap(hazard => hazard.names));
  return queue.contenders.filter(contender => contender.ownerSession === 0n && names.has(contender.name));
}

/** Of several nodes of one session, all but the last: a client that waits knows its last one. Shared reads are no sign. */
function orphansOf(queue: LockQueue): Contender[] {
  const named = new Set(
    queue.hazards.filter(({ kind }) => kind === 'same-session-twice').flatMap(({ names }) => names),
  );
  if (named.size === 0) return [];
  const bySession = new Map<bigint, Contender[]>();
  for (const contender of queue.contenders) {
    if (!named.has(contender.name)) continue;
    const same = bySession.get(contender.ownerSession) ?? [];
    same.push(contender);
    bySession.set(contender.ownerSession, same);
  }
  return [...bySession.values()].flatMap(same => (same.at(-1)?.role === 'waiter' ? same.slice(0, -1) : []));
}

/** Facts from before the queue was read cannot know the sessions that began in between. */
function ownerUnknown(contender: Contender, facts: StaleFacts): Confidence | undefined {
  const { owners } = facts;
  if (owners?.live === undefined || owners.askedAt < facts.queuesReadAt || contender.ownerSession === 0n)
    return undefined;
  if (owners.live.ids.has(contender.ownerSession) || owners.connections.has(contender.ownerSession)) return undefined;
  return owners.live.toldBy === 'leader' ? 'certain' : 'possible';
}

/**
 * A waiter whose session watches nothing that it waits for. Libraries that watch a directory, or poll, name no node and are
 * passed over; so is every waiter unless all servers told their watches after the queue was read. Without that, a queue of
 * waiters that nobody holds is all that can be seen.
 */
function waitsForNobody(queue: LockQueue, contender: Contender, facts: StaleFacts): Confidence | undefined {
  if (contender.role !== 'waiter') return undefined;
  if (contender.waitsFor === undefined) return isUnheldHead(queue, contender) ? 'possible' : undefined;
  const { watches } = facts;
  if (watches?.isComplete !== true || watches.askedAt < facts.queuesReadAt) return undefined;
  return contender.ownerSession === 0n || watchesAny(queue, contender, watches) ? undefined : 'likely';
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

function isUnheldHead(queue: LockQueue, contender: Contender): boolean {
  if (isLoneNode(queue) || isSemaphore(queue)) return false;
  return queue.contenders[0] === contender;
}
