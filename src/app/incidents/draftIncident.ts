import type { Moment } from '../../history/hold.ts';
import type { IncidentDraft } from '../../incident/writeIncident.ts';
import type {
  ExplanationFact,
  IncidentFacts,
  IncidentHeader,
  IncidentSource,
  ScopeKind,
} from '../../incident/incident.ts';
import type { Redactor } from '../../incident/redactor.ts';
import type { JournalEntry } from '../../journal/entry.ts';
import { entriesOf } from '../../journal/journalRecording.ts';
import type { Recording } from '../../replay/recording.ts';
import { parseConnectString } from '../../zookeeper/connectString.ts';
import { CancelledError } from '../../zookeeper/errors.ts';
import type { ClusterNode } from '../clusters/clusterModel.ts';
import type { CycleSource } from '../clusters/marks.ts';
import type { CollectedState } from './collectState.ts';
import { momentEntries, pastEntries, sessionEntries, withoutData } from './incidentEntries.ts';
import { cycleAges, judgeState, type JudgedState } from './judgeState.ts';
import { redactorFor, redactState, type Redaction } from './redactState.ts';

/** The past that goes into a file, besides the moment. */
export interface IncidentPast {
  recording: Recording;
  source: Exclude<IncidentSource, 'live'>;
  /** Where the span begins. */
  from: Moment;
}

/** How far the search for the locks came. */
export interface Search {
  /** It ended at its limit. */
  truncated: boolean;
  /** Paths that may not be listed. */
  denied: readonly string[];
}

/** What of the cluster is not in the file. */
export interface NotSeen extends Search {
  /** Paths of locks that could not be read. */
  unread: readonly string[];
}

export interface DraftRequest {
  cluster: ClusterNode;
  scope: { kind: ScopeKind; paths: readonly string[] };
  search: Search;
  state: CollectedState;
  past: IncidentPast | undefined;
  redaction: Redaction;
  /** Name and version of this program. */
  savedBy: string;
  longHeldMs: number;
  marks: CycleSource;
  /** Writes what is known for people. @param notSeen as it may stand in the file */
  explain: (judged: JudgedState, header: DraftHeader, notSeen: NotSeen) => readonly ExplanationFact[];
  signal: AbortSignal;
}

type DraftHeader = Omit<IncidentHeader, 'version'>;

/** The facts of a state for this window: a file has them, and a summary is made of them. */
export async function factsOf(
  request: Omit<DraftRequest, 'past' | 'redaction'>,
): Promise<{ header: DraftHeader; facts: IncidentFacts }> {
  return judged({ ...request, past: undefined, redaction: 'none' }, request.state, undefined);
}

/** Puts everything of a file together; its entries are read when it is written. @throws CancelledError; what reading throws */
export async function draftIncident(request: DraftRequest): Promise<IncidentDraft> {
  const { cluster, state, redaction, signal } = request;
  const past = (): AsyncIterable<JournalEntry> | undefined => pastOf(request);
  if (redaction === 'none') {
    return { ...(await judged(request, state, undefined)), entries: entriesFor(request, past()) };
  }
  const entries = cancellable(past(), signal);
  const redactor = await redactorFor(redaction, state, { servers: serversOf(cluster) }, entries, signal);
  const redacted = await redactState(state, redactor, signal);
  const raw = entriesFor(request, past());
  return { ...(await judged(request, redacted, redactor)), entries: redactedEntries(raw, redactor) };
}

async function judged(
  request: DraftRequest,
  state: CollectedState,
  redactor: Redactor | undefined,
): Promise<{ header: DraftHeader; facts: IncidentFacts }> {
  const { cluster, marks, longHeldMs, explain, signal } = request;
  const header = headerOf(request, state, redactor);
  const found = await judgeState(state, {
    clusterName: header.cluster.name,
    longHeldMs,
    // Cycles are known by the nodes of the cluster itself.
    cycleOf: cycleAges(request.state, marks, cluster),
  });
  if (signal.aborted) throw new CancelledError('Save Incident');
  const { queues, owners, stale, deadlocks } = found;
  const explanations = explain(found, header, notSeenOf(request, state, redactor));
  return { header, facts: { queues, owners, stale, deadlocks, explanations } };
}

function headerOf(request: DraftRequest, state: CollectedState, redactor: Redactor | undefined): DraftHeader {
  const { cluster, scope, past, redaction, savedBy } = request;
  const { moment, changing } = state;
  const { name, environment } = cluster.profile.recorded ?? cluster.profile;
  return {
    savedAt: Date.now(),
    savedBy,
    cluster: { name: redactor?.token(name) ?? name, environment },
    scope: { kind: scope.kind, paths: scope.paths.map(path => redactor?.path(path) ?? path) },
    span: { from: past?.from ?? moment, to: moment },
    source: past?.source ?? 'live',
    redacted: redaction !== 'none',
    ...(redaction === 'none' ? {} : { redaction }),
    ...notSeenFields(notSeenOf(request, state, redactor)),
    changing,
  };
}

function notSeenFields({ unread, truncated, denied }: NotSeen): Partial<DraftHeader> {
  return {
    ...(unread.length === 0 ? {} : { notRead: unread }),
    ...(denied.length === 0 ? {} : { notSearched: denied }),
    ...(truncated ? { isSearchCut: true } : {}),
  };
}

/** @param state whose texts are replaced already */
function notSeenOf(
  { search: { truncated, denied } }: DraftRequest,
  { unread }: CollectedState,
  redactor: Redactor | undefined,
): NotSeen {
  return { unread, truncated, denied: denied.map(path => redactor?.path(path) ?? path) };
}

function pastOf({ past, scope, state }: DraftRequest): AsyncIterable<JournalEntry> | undefined {
  if (past === undefined) return undefined;
  const span = { from: past.from, to: state.moment };
  return withoutData(entriesOf(past.recording, span, scope.kind === 'cluster' ? undefined : scope.paths));
}

function entriesFor(
  { state }: DraftRequest,
  past: AsyncIterable<JournalEntry> | undefined,
): AsyncIterable<JournalEntry> | Iterable<JournalEntry> {
  const { readings, queues, owners, moment: at } = state;
  const contenders = queues.flatMap(queue => queue.contenders);
  const sessions = sessionEntries(owners, new Set(contenders.map(({ ownerSession }) => ownerSession)));
  if (past === undefined) return momentEntries(readings, at, sessions);
  const known = new Map(contenders.map(({ path, czxid }) => [path, czxid]));
  return pastEntries(past, { readings, contenders: known, sessions, at });
}

async function* redactedEntries(
  entries: AsyncIterable<JournalEntry> | Iterable<JournalEntry>,
  redactor: Redactor,
): AsyncGenerator<JournalEntry> {
  for await (const entry of entries) yield redactor.entry(entry);
}

function cancellable(
  entries: AsyncIterable<JournalEntry> | undefined,
  signal: AbortSignal,
): AsyncIterable<JournalEntry> | undefined {
  return entries && untilAborted(entries, signal);
}

async function* untilAborted(entries: AsyncIterable<JournalEntry>, signal: AbortSignal): AsyncGenerator<JournalEntry> {
  for await (const entry of entries) {
    if (signal.aborted) throw new CancelledError('Save Incident');
    yield entry;
  }
}

/** Of a recording none. */
function serversOf({ profile: { connectString } }: ClusterNode): string[] {
  if (connectString === '') return [];
  return parseConnectString(connectString).servers.map(({ host, port }) => `${host}:${String(port)}`);
}
