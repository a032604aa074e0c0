import { l10n } from 'vscode';
import type { SeenCycle } from '../../app/clusters/cycleAges.ts';
import type { Deadlock, DeadlockReport } from '../../inspector/findDeadlocks.ts';
import type { MutualWait, ReadersBehindWriters } from '../../inspector/queueRisks.ts';
import type { WaitEdge } from '../../inspector/waitForGraph.ts';
import type { Contender, LockQueue } from '../../locks/lockQueue.ts';
import { ageText, listed, lockText, type Clean } from './language.ts';
import { deadlockCaveat, hazardText } from './markText.ts';
import { sessionText } from '../../base/sessionText.ts';

/** What a scan for deadlocks found. */
export interface DeadlockFindings {
  cluster: string;
  /** Epoch ms. */
  readAt: number;
  queues: readonly LockQueue[];
  report: DeadlockReport;
  /** How long a cycle has been seen. */
  cycleOf(edges: readonly WaitEdge[]): SeenCycle;
  mutualWaits: readonly MutualWait[];
  behindWriters: readonly ReadersBehindWriters[];
  /** What was not seen, ready for the screen. */
  gaps: readonly string[];
}

function who({ identifier, ownerSession, name, isUnread }: Contender, clean: Clean): string {
  if (isUnread === true) return `${clean(name)} (${l10n.t('may not be read')})`;
  const session = ownerSession === 0n ? l10n.t('no session') : l10n.t('session {0}', sessionText(ownerSession));
  return `${clean(identifier === '' ? name : identifier)} (${session})`;
}

function edgeLine({ waiter, blocker, lock }: WaitEdge, clean: Clean): string {
  return `    ${l10n.t('{0} waits at {1} for {2}', who(waiter, clean), lockText(lock, clean), who(blocker, clean))}`;
}

/** A deadlock and its cycles as they were seen. */
interface SeenDeadlock extends Deadlock {
  seen: SeenCycle[];
}

function isLasting({ seen }: SeenDeadlock): boolean {
  return seen.some(cycle => cycle.isLasting);
}

function deadlockLines(deadlocks: readonly SeenDeadlock[], waitingBehind: readonly string[], clean: Clean): string[] {
  const lines = deadlocks.flatMap((deadlock, index) => {
    const { members, locks } = deadlock;
    const title = isLasting(deadlock)
      ? l10n.t('Deadlock {0}: {1} sessions, {2} locks', index + 1, members.length, locks.length)
      : l10n.t('Possible deadlock {0}: {1} sessions, {2} locks', index + 1, members.length, locks.length);
    return ['', title, ...memberLines(deadlock, clean), ...deadlock.seen.flatMap(cycle => cycleLines(cycle, clean))];
  });
  if (deadlocks.some(isLasting)) {
    lines.push(
      '',
      l10n.t('It ends when one of them gives up, is stopped, or is force deleted from one of the queues.'),
    );
  }
  if (!deadlocks.every(isLasting)) {
    lines.push(
      '',
      l10n.t(
        'What is possible may end by itself: look again later, and see whether the same nodes still wait for each other.',
      ),
    );
  }
  if (deadlocks.length > 0) lines.push(deadlockCaveat());
  if (waitingBehind.length > 0) {
    lines.push(
      '',
      l10n.t('Waiting behind a deadlock, without being part of it: {0}', waitingBehind.map(clean).join(', ')),
    );
  }
  return lines;
}

function memberLines({ members, locks }: Deadlock, clean: Clean): string[] {
  return [
    l10n.t('  Sessions: {0}', members.map(clean).join(', ')),
    l10n.t('  Locks: {0}', locks.map(lock => lockText(lock, clean)).join(', ')),
  ];
}

function cycleLines({ edges, ageMs }: SeenCycle, clean: Clean): string[] {
  const title =
    ageMs < 1_000 ? l10n.t('  Cycle, seen for the first time:') : l10n.t('  Cycle, seen for {0}:', ageText(ageMs));
  return [title, ...edges.map(edge => edgeLine(edge, clean))];
}

/** Circles within one lock, which stay possible however long they last. */
function withinLockLines(possible: readonly Deadlock[], clean: Clean): string[] {
  if (possible.length === 0) return [];
  const lines = possible.flatMap(({ cycles: [cycle = []], ...deadlock }, index) => [
    l10n.t('Possible deadlock within one lock {0}: {1} sessions', index + 1, deadlock.members.length),
    ...memberLines({ ...deadlock, cycles: [] }, clean),
    ...cycle.map(edge => edgeLine(edge, clean)),
  ]);
  return [
    '',
    ...lines,
    l10n.t(
      'Every session that holds these locks waits for more of them. Programs with several threads look the same and go on; a single thread that holds and waits does not.',
    ),
  ];
}

function riskLines({ mutualWaits, behindWriters, queues }: DeadlockFindings, clean: Clean): string[] {
  const mutual = mutualWaits.map(({ queue, reader, writer }) =>
    l10n.t(
      '{0}: reader {1} and writer {2} wait for each other (kazoo 2.8.0)',
      clean(queue.path),
      who(reader, clean),
      who(writer, clean),
    ),
  );
  const behind = behindWriters.map(({ queue, readers, writers }) =>
    l10n.t(
      '{0}: readers wait behind a continuous line of writers (readers: {1}, writers: {2})',
      clean(queue.path),
      readers,
      writers,
    ),
  );
  const hazards = queues.flatMap(queue =>
    queue.hazards.map(({ kind, names }) => `${clean(queue.path)}: ${hazardText(kind)} (${String(names.length)})`),
  );
  const risks = [...mutual, ...behind, ...hazards];
  return risks.length === 0 ? [] : ['', l10n.t('Other reasons to look:'), ...risks.map(risk => `  ${risk}`)];
}

function resultLine(deadlocks: readonly SeenDeadlock[], withinLock: number, locks: number): string {
  const lasting = deadlocks.filter(isLasting).length;
  const possible = deadlocks.length - lasting + withinLock;
  if (lasting + possible === 0) {
    return locks === 1
      ? l10n.t('No deadlock found among 1 lock.')
      : l10n.t('No deadlock found among {0} locks.', locks);
  }
  const found = [
    lasting === 0 ? '' : lasting === 1 ? l10n.t('1 deadlock') : l10n.t('{0} deadlocks', lasting),
    possible === 0 ? '' : possible === 1 ? l10n.t('1 possible deadlock') : l10n.t('{0} possible deadlocks', possible),
  ];
  const text = listed(found.filter(each => each !== ''));
  return locks === 1 ? l10n.t('{0} found in 1 lock.', text) : l10n.t('{0} found among {1} locks.', text, locks);
}

/** The report of *Explain Deadlocks*: every cycle with its locks and sessions, then what else is suspicious. */
export function deadlockText(findings: DeadlockFindings, clean: Clean): string {
  const { cluster, readAt, queues, report, gaps } = findings;
  const deadlocks = report.deadlocks.map(deadlock => ({
    ...deadlock,
    seen: deadlock.cycles.map(cycle => findings.cycleOf(cycle)),
  }));
  return [
    l10n.t('Deadlocks on {0}, read at {1}', clean(cluster), new Date(readAt).toISOString()),
    resultLine(deadlocks, report.possible.length, queues.length),
    ...deadlockLines(deadlocks, report.waitingBehind, clean),
    ...withinLockLines(report.possible, clean),
    ...riskLines(findings, clean),
    ...(gaps.length === 0 ? [] : ['', l10n.t('Not seen:'), ...gaps.map(gap => `  ${gap}`)]),
    '',
  ].join('\n');
}
