import { l10n } from 'vscode';
import type { DeadlockReport } from '../../inspector/findDeadlocks.ts';
import type { MutualWait, ReadersBehindWriters } from '../../inspector/queueRisks.ts';
import type { WaitEdge } from '../../inspector/waitForGraph.ts';
import type { Contender, LockQueue } from '../../locks/lockQueue.ts';
import { lockText, type Clean } from './language.ts';
import { deadlockCaveat, hazardText } from './markText.ts';
import { sessionText } from '../../base/sessionText.ts';

/** What a scan for deadlocks found. */
export interface DeadlockFindings {
  cluster: string;
  /** Epoch ms. */
  readAt: number;
  queues: readonly LockQueue[];
  report: DeadlockReport;
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

function deadlockLines({ deadlocks, waitingBehind }: DeadlockReport, clean: Clean): string[] {
  const lines = deadlocks.flatMap((deadlock, index) => [
    '',
    l10n.t('Deadlock {0}: {1} sessions, {2} locks', index + 1, deadlock.members.length, deadlock.locks.length),
    l10n.t('  Sessions: {0}', deadlock.members.map(clean).join(', ')),
    l10n.t('  Locks: {0}', deadlock.locks.map(lock => lockText(lock, clean)).join(', ')),
    ...deadlock.cycles.flatMap(cycle => [l10n.t('  Cycle:'), ...cycle.map(edge => edgeLine(edge, clean))]),
  ]);
  if (deadlocks.length > 0) {
    lines.push(
      '',
      l10n.t('It ends when one of them gives up, is stopped, or is force deleted from one of the queues.'),
    );
    lines.push(deadlockCaveat());
  }
  if (waitingBehind.length > 0) {
    lines.push(
      '',
      l10n.t('Waiting behind a deadlock, without being part of it: {0}', waitingBehind.map(clean).join(', ')),
    );
  }
  return lines;
}

function riskLines({ mutualWaits, behindWriters, queues }: DeadlockFindings, clean: Clean): string[] {
  const mutual = mutualWaits.map(({ queue, reader, writer }) =>
    l10n.t(
      '{0}: reader {1} and writer {2} may wait for each other (kazoo 2.8.0)',
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

/** The report of *Explain Deadlocks*: every cycle with its locks and sessions, then what else is suspicious. */
export function deadlockText(findings: DeadlockFindings, clean: Clean): string {
  const { cluster, readAt, queues, report, gaps } = findings;
  const count = report.deadlocks.length;
  const result =
    count === 0
      ? queues.length === 1
        ? l10n.t('No deadlock found among 1 lock.')
        : l10n.t('No deadlock found among {0} locks.', queues.length)
      : l10n.t(
          '{0} found among {1} locks.',
          count === 1 ? l10n.t('1 deadlock') : l10n.t('{0} deadlocks', count),
          queues.length,
        );
  return [
    l10n.t('Deadlocks on {0}, read at {1}', clean(cluster), new Date(readAt).toISOString()),
    result,
    ...deadlockLines(report, clean),
    ...riskLines(findings, clean),
    ...(gaps.length === 0 ? [] : ['', l10n.t('Not seen:'), ...gaps.map(gap => `  ${gap}`)]),
    '',
  ].join('\n');
}
