import { basename } from 'node:path';
import { displayText } from '../../base/displayText.ts';
import { partsOf, type Report } from '../../base/report.ts';
import { lastSegment } from '../../base/paths.ts';
import { forEachInParts, type Interruptible } from '../../base/interruptible.ts';
import { sortedInParts } from '../../base/sortedInParts.ts';
import {
  queueKey,
  type ExplanationFact,
  type Incident,
  type IncidentHeader,
  type QueueFact,
} from '../../incident/incident.ts';
import { lockLimit } from '../../incidentProtocol.ts';
import type {
  IncidentState,
  IncidentTexts,
  IncidentView,
  ShownLock,
  ShownReport,
  ShownText,
} from '../../incidentProtocol.ts';
import { dialectText } from '../words/contenderText.ts';
import { dateTimeText, instantText, joined, l10n } from '../words/language.ts';
import { headerFacts, notSeenLines, type HeaderLook } from '../words/incidentHeaderText.ts';
import { markText } from '../words/markText.ts';
import { queueText } from '../words/queueText.ts';
import { problemLine } from '../words/recordingText.ts';

const pageLook: HeaderLook = {
  text: text => displayText(text),
  moment: ({ time }) => instantText(time),
  time: dateTimeText,
};
/** Reports of all locks that the page shows; the command has all. */
const reportsAtMost = 20;

/** Every fixed text of the page of an incident file. */
export function incidentTexts(): IncidentTexts {
  return {
    reading: l10n.t('Reading the incident file.'),
    openAgain: l10n.t('Open again'),
    production: l10n.t('Production'),
    redacted: l10n.t('redacted'),
    problems: l10n.t('What could not be read'),
    locks: l10n.t('Locks'),
    filter: l10n.t('Filter by path'),
    more: l10n.t('Show more'),
    noLocks: l10n.t('There was no lock in what was saved.'),
    noMatch: l10n.t('No lock matches the filter.'),
    showQueue: l10n.t('Show its queue at this moment'),
    explanation: l10n.t('Explanation'),
    report: l10n.t('Show incident report'),
    compare: l10n.t('Compare…'),
    copy: l10n.t('Copy as Markdown'),
  };
}

/** What the page is called after. @param path of the file */
export function incidentTitle(path: string): string {
  return joined([l10n.t('Incident'), displayText(basename(path), 100)]);
}

/** A lock of a file, and its place there. */
interface ListedLock {
  fact: QueueFact;
  id: number;
  /** Lower case. */
  name: string;
  /** The larger, the more urgent. */
  rank: readonly [marked: number, contenders: number];
}

/** What does not change while a file is open, made once: those with marks first, then those for which many wait. */
export interface PreparedIncident {
  incident: Incident;
  locks: readonly ListedLock[];
  reports: ReadonlyMap<string, Report>;
}

/** Sorts the locks of a file, of which there may be many. */
export function* preparingIncident(incident: Incident): Interruptible<PreparedIncident> {
  const { queues, explanations } = incident.facts;
  const locks: ListedLock[] = [];
  yield* forEachInParts(queues, (fact, id) => {
    const { queue, marks } = fact;
    const rank = [marks.size > 0 ? 1 : 0, queue.contenders.length] as const;
    locks.push({ fact, id, name: lockName(queue).toLowerCase(), rank });
  });
  const reports = new Map<string, Report>();
  yield* forEachInParts(explanations, explanation => {
    reports.set(explanationKey(explanation), explanation.report);
  });
  return { incident, locks: yield* sortedInParts(locks, byUrgency), reports };
}

function byUrgency(one: ListedLock, other: ListedLock): number {
  const [marked, contenders] = [other.rank[0] - one.rank[0], other.rank[1] - one.rank[1]];
  return marked || contenders || (one.name < other.name ? -1 : Number(one.name > other.name));
}

/** What the page of an opened incident file shows. @param path of the file */
export function openIncidentState({ incident, ...prepared }: PreparedIncident, path: string, view: IncidentView) {
  const { header, facts, problems } = incident;
  const filter = view.filter.toLowerCase();
  const locks = prepared.locks.filter(({ name }) => name.includes(filter));
  const isOnlyOne = facts.queues.length === 1;
  const shown = locks.slice(0, view.shown).map(({ fact, id }) => {
    const report = isOnlyOne ? undefined : prepared.reports.get(queueKey(fact.queue));
    const lock = shownLock(fact, id, header);
    return report === undefined ? lock : { ...lock, report: shownReport(report) };
  });
  return {
    state: 'open',
    title: incidentTitle(path),
    isProduction: header.cluster.environment === 'production',
    isRedacted: header.redacted,
    facts: headerFacts(header, pageLook),
    problems: [...problems.map(problemLine), ...notSeenLines(header, pageLook)],
    locks: shown,
    count: shown.length === locks.length ? String(locks.length) : l10n.t('{0} of {1}', shown.length, locks.length),
    hasMore: shown.length < locks.length && view.shown < lockLimit,
    isEmpty: facts.queues.length === 0,
    reports: facts.explanations
      .filter(({ path: about }) => isOnlyOne || about === undefined)
      .slice(0, reportsAtMost)
      .map(({ report }) => shownReport(report)),
  } satisfies IncidentState;
}

/** Of the lock that it is about; of all locks none has. */
function explanationKey({ path = '', lockName: name }: ExplanationFact): string {
  return queueKey({ path, lockName: name });
}

function lockName({ path, lockName: name }: QueueFact['queue']): string {
  return joined([path, name], ' ');
}

function shownLock({ queue, marks }: QueueFact, id: number, { span }: IncidentHeader): ShownLock {
  const words = [...new Set([...marks.values()].flat())];
  return {
    id,
    name: displayText(queue.lockName ?? lastSegment(queue.path)),
    path: displayText(queue.path, 1_000),
    dialect: dialectText(queue.dialect),
    standing: queueText(queue, span.to.time),
    marks: words.map(mark => ({ text: markText(mark), isProven: mark === 'deadlocked' || mark === 'stale' })),
  };
}

function shownReport({ headline, blocks }: Report): ShownReport {
  return {
    headline: shownText(headline),
    blocks: blocks.map(block =>
      block.kind === 'list'
        ? {
            kind: 'list',
            items: block.items.map(item =>
              typeof item === 'string'
                ? { text: shownText(item), below: [] }
                : { text: shownText(item.text), below: item.below.map(shownText) },
            ),
          }
        : { kind: block.kind, text: shownText(block.text) },
    ),
  };
}

function shownText(text: string): ShownText {
  return partsOf(text);
}
