import { sessionText, zxidText } from '../base/sessionText.ts';
import type { Contender, LockQueue } from '../locks/lockQueue.ts';
import type {
  CycleStep,
  DeadlockFact,
  ExplanationFact,
  IncidentFacts,
  IncidentMark,
  OwnerFact,
  QueueFact,
  StaleFact,
} from './incident.ts';
import { mostNames } from './incidentLimits.ts';
import { storedReport } from './storedReport.ts';

/** The lines of the facts, each without its end, in the order of the file (docs/incident-file.md). */
export function* factLines(facts: IncidentFacts): Generator<string> {
  for (const queue of facts.queues) yield* queueLines(queue);
  for (const owner of facts.owners.values()) yield ownerLine(owner);
  for (const stale of facts.stale) yield staleLine(stale);
  for (const deadlock of facts.deadlocks) yield deadlockLine(deadlock);
  for (const explanation of facts.explanations) yield explanationLine(explanation);
}

function named({ path, lockName }: { path: string; lockName?: string }): { path: string; lockName?: string } {
  return { path, ...(lockName === undefined ? {} : { lockName }) };
}

/** The queue, then its contenders in grant order. */
function* queueLines({ queue, marks }: QueueFact): Generator<string> {
  const { dialect, maxLeases, contenders, strangers, hazards } = queue;
  yield JSON.stringify({
    type: 'queue',
    ...named(queue),
    dialect,
    ...(maxLeases === undefined ? {} : { maxLeases }),
    contenders: contenders.length,
    strangers: strangers.slice(0, mostNames),
    ...(strangers.length > mostNames ? { moreStrangers: strangers.length - mostNames } : {}),
    hazards: hazards.map(({ kind, names }: LockQueue['hazards'][number]) => ({
      kind,
      names: names.slice(0, mostNames),
    })),
  });
  for (const contender of contenders) yield contenderLine(contender, marks.get(contender.path));
}

function contenderLine(contender: Contender, marks: readonly IncidentMark[] | undefined): string {
  const { name, path, kind, role, waitsFor, mayHold, sequence, ownerSession, czxid, createdAt } = contender;
  const { heldSince, identifier, details, leaseEndsAt, isUnread } = contender;
  return JSON.stringify({
    type: 'contender',
    name,
    path,
    kind,
    role,
    waitsFor,
    mayHold,
    sequence,
    session: sessionText(ownerSession),
    czxid: zxidText(czxid),
    createdAt,
    heldSince,
    identifier,
    details,
    leaseEndsAt,
    isUnread,
    marks,
  });
}

function ownerLine({ session, alive, address, server, timeoutMs }: OwnerFact): string {
  return JSON.stringify({ type: 'owner', session: sessionText(session), alive, address, server, timeoutMs });
}

function staleLine(stale: StaleFact): string {
  const { node, czxid, confidence, reasons } = stale;
  return JSON.stringify({ type: 'stale', ...named(stale), node, czxid: zxidText(czxid), confidence, reasons });
}

function deadlockLine({ isLasting, ageMs, steps }: DeadlockFact): string {
  const stored = steps.map((step: CycleStep) => ({
    ...named(step),
    waiter: step.waiter,
    blocker: step.blocker,
    waiterSession: sessionText(step.waiterSession),
    blockerSession: sessionText(step.blockerSession),
  }));
  return JSON.stringify({ type: 'deadlock', isLasting, ageMs, steps: stored });
}

function explanationLine({ path, lockName, report }: ExplanationFact): string {
  return JSON.stringify({ type: 'explanation', path, lockName, ...storedReport(report) });
}

/** The last line. @param lines how many stand before it, the header included */
export function endLine(lines: number): string {
  return JSON.stringify({ type: 'end', lines });
}
