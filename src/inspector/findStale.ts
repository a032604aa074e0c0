import { isLeaseOver, type Contender, type LockQueue } from '../locks/lockQueue.ts';
import { ownerStatus, type OwnerStatus } from './owners/ownerFacts.ts';
import { confidences, staleSigns, type Confidence, type StaleFacts, type StaleSign } from './staleSigns.ts';

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

/** Finds contenders that probably no client uses any more, the most certain first. A lock that is held for long is not stale. */
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

/** Whether a contender holds and was created more than `longHeldMs` ago. A lock may rightly be held for a year. */
export function isLongHeld(contender: Contender, now: number, longHeldMs: number): boolean {
  const { role, createdAt } = contender;
  return role === 'holder' && now - createdAt > longHeldMs && !isLeaseOver(contender, now);
}
