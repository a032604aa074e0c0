import type { NotSeen } from '../../app/incidents/draftIncident.ts';
import type { JudgedState } from '../../app/incidents/judgeState.ts';
import type { Redaction } from '../../app/incidents/redactState.ts';
import { isoTime } from '../../base/isoTime.ts';
import { foreign, section, type Block, type Item, type Report } from '../../base/report.ts';
import { sessionText } from '../../base/sessionText.ts';
import type {
  DeadlockFact,
  ExplanationFact,
  IncidentFacts,
  IncidentHeader,
  IncidentMark,
  QueueFact,
} from '../../incident/incident.ts';
import { isHolderUnknown, type Contender } from '../../locks/lockQueue.ts';
import type { Problem } from '../../replay/recording.ts';
import { deadlockReport } from './deadlockText.ts';
import { explanationReport } from './explanationText.ts';
import { standingText } from './heldText.ts';
import { gapLines } from './loadText.ts';
import { ageText, joined, l10n, listed, lockText } from './language.ts';
import { headerFacts, notSeenLines, type HeaderLook } from './incidentHeaderText.ts';
import { hazardText, markText } from './markText.ts';
import type { PastMoment } from './pastMoment.ts';
import { momentLine, problemLine } from './recordingText.ts';

type Header = Omit<IncidentHeader, 'version'>;

/** Lines of one list in a file: a report is for a person, and the facts have all. */
const mostLines = 500;
/** Of a summary for a chat. */
const summaryLocks = 8;
const summaryWaiters = 3;

/** What a reader is shown of who and where, for the question. */
export const redactionTexts: Readonly<Record<Redaction, () => { label: string; detail: string }>> = {
  none: () => ({
    label: l10n.t('Keep everything'),
    detail: l10n.t(
      'Identifiers, client addresses and host names stay in the file. Of the data of nodes only what makes a lock and says who holds it is saved.',
    ),
  }),
  who: () => ({
    label: l10n.t('Redact who and where'),
    detail: l10n.t(
      'Identifiers, addresses, host names, data and the name of the cluster are replaced, in names of nodes too. Paths of locks stay readable, as do session ids and times.',
    ),
  }),
  names: () => ({
    label: l10n.t('Redact who, where and the names in paths'),
    detail: l10n.t(
      'The same, and the names in paths of locks are replaced where the library can still be recognised without them.',
    ),
  }),
};

/** What is known of the locks, written for people. @param past the moment of a recording @param notSeen what is not in the file */
export function explanationsOf(
  judged: JudgedState,
  header: Header,
  past: PastMoment | undefined,
  notSeen: NotSeen,
): ExplanationFact[] {
  const gaps = gapLines(notSeen);
  const { deadlockLook, explanations } = judged;
  const about = deadlockReport({ ...deadlockLook, cluster: header.cluster.name, gaps, past });
  const ofLocks = explanations.map(explanation => ({
    path: explanation.queue.path,
    ...(explanation.queue.lockName === undefined ? {} : { lockName: explanation.queue.lockName }),
    report: shortened(explanationReport(explanation, past)),
  }));
  const isWanted = header.scope.kind !== 'lock' || judged.deadlocks.length > 0;
  return isWanted ? [{ report: shortened(about) }, ...ofLocks] : ofLocks;
}

function shortened({ headline, blocks }: Report): Report {
  return {
    headline,
    blocks: blocks.map((block): Block => {
      if (block.kind !== 'list' || block.items.length <= mostLines) return block;
      const more = l10n.t('and {0} more', block.items.length - mostLines);
      return { kind: 'list', items: [...block.items.slice(0, mostLines), more] };
    }),
  };
}

const reportLook: HeaderLook = { text: foreign, moment: momentLine, time: isoTime };

/** What the file is about, as lines of a report. */
function headerLines(header: Header): string[] {
  return [
    ...headerFacts(header, reportLook).map(({ name, value }) => l10n.t('{0}: {1}', name, value)),
    ...(header.redacted ? [l10n.t('Identifiers, addresses and data are replaced by tokens')] : []),
    ...notSeenLines(header, reportLook),
  ];
}

/** *Show Incident Report*: everything that the file says in words. */
export function incidentReport(header: Header, facts: IncidentFacts, problems: readonly Problem[]): Report {
  return {
    headline: incidentHeadline(header, facts),
    blocks: [
      { kind: 'list', items: headerLines(header) },
      ...section(l10n.t('What could not be read'), problems.map(problemLine)),
      ...section(l10n.t('Marks'), facts.queues.flatMap(markLines).slice(0, mostLines)),
      ...facts.explanations.flatMap(({ report }): Block[] => [
        { kind: 'heading', text: report.headline },
        ...report.blocks.flatMap(flattened),
      ]),
    ],
  };
}

/** A heading within an explanation would look like the next one. */
function flattened(block: Block): Block[] {
  return block.kind === 'heading' ? [{ kind: 'paragraph', text: block.text }] : [block];
}

/** When, where, and what is wrong. */
function incidentHeadline({ cluster, span }: Header, facts: IncidentFacts): string {
  const trouble = troubleText(facts);
  const what = trouble === '' ? l10n.t('no lock is in trouble, {0} locks were read', facts.queues.length) : trouble;
  return l10n.t('{0}, {1}: {2}', foreign(cluster.name), isoTime(span.to.time), what);
}

function troubleText({ queues, deadlocks }: IncidentFacts): string {
  const count = (wanted: (mark: IncidentMark) => boolean): number =>
    queues.filter(({ marks }) => [...marks.values()].flat().some(wanted)).length;
  const lasting = deadlocks.filter(({ isLasting }) => isLasting).length;
  const stale = count(mark => mark === 'stale' || mark === 'looksStale');
  const long = count(mark => mark === 'longHeld');
  return listed([
    ...(lasting === 0 ? [] : [l10n.t('deadlocks: {0}', lasting)]),
    ...(lasting === deadlocks.length ? [] : [l10n.t('possible deadlocks: {0}', deadlocks.length - lasting)]),
    ...(stale === 0 ? [] : [l10n.t('locks with stale nodes: {0}', stale)]),
    ...(long === 0 ? [] : [l10n.t('locks held for long: {0}', long)]),
  ]);
}

/** Who, short: the identifier, else the name of the node. */
export function whoOf({ identifier, name }: Contender): string {
  return foreign(identifier === '' ? name : identifier);
}

/** Marks in words. */
export function marksText(marks: readonly IncidentMark[]): string {
  return listed(marks.map(markText));
}

function markLines({ queue, marks }: QueueFact): string[] {
  return queue.contenders.flatMap(contender => {
    const own = marks.get(contender.path);
    return own === undefined
      ? []
      : [l10n.t('{0}: {1} is marked: {2}', lockText(queue, foreign), whoOf(contender), marksText(own))];
  });
}

/** A short answer for the channel of an incident: what, when, who holds since when, who waits, what is marked. */
export function incidentSummary(header: Header, facts: IncidentFacts): Report {
  const ranked = facts.queues
    .filter(({ queue }) => queue.contenders.length > 0 || facts.queues.length === 1)
    .map(fact => ({ fact, rank: fact.marks.size * 100_000 + fact.queue.contenders.length }))
    .sort((one, other) => other.rank - one.rank)
    .map(({ fact }) => fact);
  const shown = ranked.slice(0, summaryLocks);
  const more = ranked.length - shown.length;
  return {
    headline: incidentHeadline(header, facts),
    blocks: [
      { kind: 'list', items: summaryHeader(header) },
      ...section(
        l10n.t('Deadlocks'),
        facts.deadlocks.slice(0, summaryLocks).map(fact => cycleItem(fact, facts)),
      ),
      ...shown.flatMap(fact => queueSection(fact, facts, header)),
      ...(more > 0 ? [{ kind: 'paragraph' as const, text: l10n.t('and {0} more locks', more) }] : []),
    ],
  };
}

function summaryHeader({ span, changing, redacted, source }: Header): string[] {
  return [
    l10n.t('As it was at {0}', momentLine(span.to)),
    ...(source === 'live' ? [] : [l10n.t('With the past from {0} on', isoTime(span.from.time))]),
    ...(redacted ? [l10n.t('Identifiers, addresses and data are replaced by tokens')] : []),
    ...(changing.length === 0 ? [] : [l10n.t('Locks that changed while they were read: {0}', changing.length)]),
  ];
}

function cycleItem({ isLasting, ageMs, steps }: DeadlockFact, { queues }: IncidentFacts): Item {
  const contenders = new Map(
    queues.flatMap(({ queue }) => queue.contenders.map(contender => [contender.path, contender] as const)),
  );
  const who = (path: string, session: bigint): string => {
    const contender = contenders.get(path);
    return contender === undefined ? l10n.t('session {0}', sessionText(session)) : whoOf(contender);
  };
  const age = ageText(ageMs);
  return {
    text: isLasting ? l10n.t('Deadlock, seen for {0}:', age) : l10n.t('Possible deadlock, seen for {0}:', age),
    below: steps.map(step =>
      l10n.t(
        '{0} waits at {1} for {2}',
        who(step.waiter, step.waiterSession),
        lockText(step, foreign),
        who(step.blocker, step.blockerSession),
      ),
    ),
  };
}

function queueSection({ queue, marks }: QueueFact, { owners }: IncidentFacts, { span }: Header): Block[] {
  const now = span.to.time;
  const line = (contender: Contender): string => {
    const address = owners.get(contender.ownerSession)?.address;
    const own = marks.get(contender.path);
    return listed([
      whoOf(contender),
      standingText(contender, now),
      ...sinceTexts(contender),
      ...(address === undefined ? [] : [l10n.t('from {0}', foreign(address))]),
      ...(own === undefined ? [] : [joined(['⚠', marksText(own)], ' ')]),
    ]);
  };
  const holders = queue.contenders.filter(({ role }) => role === 'holder');
  const waiters = queue.contenders.filter(({ role }) => role === 'waiter');
  const items: Item[] = [
    ...(holders.length === 0 ? [isHolderUnknown(queue) ? l10n.t('Holder unknown') : l10n.t('No holder')] : []),
    ...holders.slice(0, summaryWaiters).map(line),
    ...(holders.length > summaryWaiters ? [l10n.t('{0} hold in all', holders.length)] : []),
    waiters.length === 0
      ? l10n.t('no client waits')
      : { text: l10n.t('{0} waiting', waiters.length), below: waiters.slice(0, summaryWaiters).map(line) },
    ...queue.hazards.map(({ kind }) => l10n.t('Note: {0}', hazardText(kind))),
  ];
  return section(lockText(queue, foreign), items);
}

function sinceTexts({ role, createdAt, heldSince }: Contender): string[] {
  const since = role === 'waiter' ? createdAt : heldSince?.latest;
  return since === undefined ? [] : [l10n.t('since {0}', isoTime(since))];
}
