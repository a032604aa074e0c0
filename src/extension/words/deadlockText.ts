import type { SeenCycle } from '../../app/clusters/cycleAges.ts';
import type { DeadlockLook } from '../../app/diagnosis/lookForDeadlocks.ts';
import type { Deadlock } from '../../inspector/findDeadlocks.ts';
import type { WaitEdge } from '../../inspector/waitForGraph.ts';
import type { Contender } from '../../locks/lockQueue.ts';
import { foreign, section, type Block, type Item, type Report } from '../../base/report.ts';
import { ageText, l10n, listed, lockText } from './language.ts';
import { deadlockCaveat, hazardText } from './markText.ts';
import { isoTime } from '../../base/isoTime.ts';
import { pastHeadline, type PastMoment } from './pastMoment.ts';
import { sessionText } from '../../base/sessionText.ts';

/** What a scan for deadlocks found, and where. */
export interface DeadlockFindings extends Omit<DeadlockLook, 'loaded'> {
  cluster: string;
  /** What was not seen, ready for the screen. */
  gaps: readonly string[];
  /** Of a recording; left out: the present. */
  past?: PastMoment | undefined;
}

function who({ identifier, ownerSession, name, isUnread }: Contender): string {
  if (isUnread === true) return `${foreign(name)} (${l10n.t('may not be read')})`;
  const session = ownerSession === 0n ? l10n.t('no session') : l10n.t('session {0}', sessionText(ownerSession));
  return `${foreign(identifier === '' ? name : identifier)} (${session})`;
}

function edgeLine({ waiter, blocker, lock }: WaitEdge): string {
  return l10n.t('{0} waits at {1} for {2}', who(waiter), lockText(lock, foreign), who(blocker));
}

/** A deadlock and its cycles as they were seen. */
interface SeenDeadlock extends Deadlock {
  seen: SeenCycle[];
}

function isLasting({ seen }: SeenDeadlock): boolean {
  return seen.some(cycle => cycle.isLasting);
}

/** What holds for all of them, before what one can do about it. */
function adviceLines(deadlocks: readonly SeenDeadlock[]): string[] {
  if (deadlocks.length === 0) return [];
  const ends = l10n.t('It ends when one of them gives up, is stopped, or is force deleted from one of the queues.');
  const again = l10n.t(
    'What is possible may end by itself: look again later, and see whether the same nodes still wait for each other.',
  );
  return [
    deadlockCaveat(),
    ...(deadlocks.every(isLasting) ? [] : [again]),
    ...(deadlocks.some(isLasting) ? [ends] : []),
  ];
}

function deadlockBlocks(deadlocks: readonly SeenDeadlock[]): Block[] {
  return deadlocks.flatMap((deadlock, index) => {
    const { members, locks, seen } = deadlock;
    const title = isLasting(deadlock)
      ? l10n.t('Deadlock {0}: {1} sessions, {2} locks', index + 1, members.length, locks.length)
      : l10n.t('Possible deadlock {0}: {1} sessions, {2} locks', index + 1, members.length, locks.length);
    return section(title, [...memberLines(deadlock), ...seen.map(cycleItem)]);
  });
}

function memberLines({ members, locks }: Deadlock): string[] {
  return [
    l10n.t('Sessions: {0}', members.map(foreign).join(', ')),
    l10n.t('Locks: {0}', locks.map(lock => lockText(lock, foreign)).join(', ')),
  ];
}

function cycleItem({ edges, ageMs }: SeenCycle): Item {
  const text =
    ageMs < 1_000 ? l10n.t('Cycle, seen for the first time:') : l10n.t('Cycle, seen for {0}:', ageText(ageMs));
  return { text, below: edges.map(edgeLine) };
}

/** Circles within one lock, which stay possible however long they last. */
function withinLockBlocks(possible: readonly Deadlock[]): Block[] {
  if (possible.length === 0) return [];
  const text = l10n.t(
    'Every session that holds these locks waits for more of them. Programs with several threads look the same and go on; a single thread that holds and waits does not.',
  );
  const blocks = possible.flatMap(({ cycles: [cycle = []], ...deadlock }, index) =>
    section(l10n.t('Possible deadlock within one lock {0}: {1} sessions', index + 1, deadlock.members.length), [
      ...memberLines({ ...deadlock, cycles: [] }),
      ...cycle.map(edgeLine),
    ]),
  );
  return [...blocks, { kind: 'paragraph', text }];
}

function riskLines({ mutualWaits, behindWriters, queues }: DeadlockFindings): string[] {
  const mutual = mutualWaits.map(({ queue, reader, writer }) =>
    l10n.t(
      '{0}: reader {1} and writer {2} wait for each other (kazoo 2.8.0)',
      foreign(queue.path),
      who(reader),
      who(writer),
    ),
  );
  const behind = behindWriters.map(({ queue, readers, writers }) =>
    l10n.t(
      '{0}: readers wait behind a continuous line of writers (readers: {1}, writers: {2})',
      foreign(queue.path),
      readers,
      writers,
    ),
  );
  const hazards = queues.flatMap(queue =>
    queue.hazards.map(({ kind, names }) => `${foreign(queue.path)}: ${hazardText(kind)} (${String(names.length)})`),
  );
  return [...mutual, ...behind, ...hazards];
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

/** The report of *Explain Deadlocks*: what was found, what to make of it, every cycle, then what else is suspicious. */
export function deadlockReport(findings: DeadlockFindings): Report {
  const { cluster, readAt, queues, report, gaps, past } = findings;
  const { possible, waitingBehind } = report;
  const deadlocks = report.deadlocks.map(deadlock => ({
    ...deadlock,
    seen: deadlock.cycles.map(cycle => findings.cycleOf(cycle)),
  }));
  const behind =
    waitingBehind.length === 0
      ? []
      : [l10n.t('Waiting behind a deadlock, without being part of it: {0}', waitingBehind.map(foreign).join(', '))];
  return {
    headline: pastHeadline(resultLine(deadlocks, possible.length, queues.length), past),
    blocks: [
      {
        kind: 'paragraph',
        text:
          past === undefined
            ? l10n.t('Deadlocks on {0}, read at {1}', foreign(cluster), isoTime(readAt))
            : l10n.t('Recording {0}', foreign(cluster)),
      },
      ...section(l10n.t('Not seen'), gaps),
      ...section(l10n.t('Keep in mind'), adviceLines(deadlocks)),
      ...deadlockBlocks(deadlocks),
      ...behind.map(text => ({ kind: 'paragraph' as const, text })),
      ...withinLockBlocks(possible),
      ...section(l10n.t('Other reasons to look'), riskLines(findings)),
    ],
  };
}
