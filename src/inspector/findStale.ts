import { isLeaseOver, type Contender, type LockQueue } from '../locks/lockQueue.ts';
import { ownerStatus, type OwnerStatus } from './owners/ownerFacts.ts';
import { confidences, staleSigns, type Confidence, type StaleFacts, type StaleSign } from './staleSigns.ts';

/** One contender that may be stale, with everything that speaks for it. */
export interface StaleFinding {
  queue: LockQueue;
  contender: Contender;
  /** The surest first. */
  reasons: readonly StaleSign[];
  /** The highest of its reasons. */
  confidence: Confidence;
  owner: OwnerStatus;
}

/** Finds contenders that nobody may be behind, the most certain first. Long-held locks are not stale: see `findLongHeld`. */
export function findStale(queues: readonly LockQueue[], facts: StaleFacts): StaleFinding[] {
  const findings: StaleFinding[] = [];
  for (const queue of queues) {
    const signsOf = staleSigns(queue, facts);
    for (const contender of queue.contenders) {
      const reasons = signsOf(contender);
      const [surest] = reasons;
      if (surest === undefined) continue;
      const owner = ownerStatus(contender.ownerSession, facts.owners);
      findings.push({ queue, contender, reasons, confidence: surest.confidence, owner });
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
        .filter(contender => isLongHeld(contender, now, longHeldMs))
        .map(contender => ({ queue, contender, heldAtMostMs: now - contender.createdAt })),
    )
    .sort((a, b) => b.heldAtMostMs - a.heldAtMostMs);
}

/** Whether a contender holds, and is older than a limit in ms. */
export function isLongHeld(contender: Contender, now: number, longHeldMs: number): boolean {
  const { role, createdAt } = contender;
  return role === 'holder' && now - createdAt > longHeldMs && !isLeaseOver(contender, now);
}
