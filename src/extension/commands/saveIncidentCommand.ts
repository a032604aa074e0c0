import { resolve } from 'node:path';
import { displayText } from '../../base/displayText.ts';
import { fileNamePart } from '../../base/fileNamePart.ts';
import type { ClusterBrowser } from '../../app/clusters/clusterBrowser.ts';
import { clusterOf, nameOfLock, type ClusterNode, type LockNode } from '../../app/clusters/clusterModel.ts';
import { collectState } from '../../app/incidents/collectState.ts';
import { draftIncident, factsOf, type DraftRequest, type Search } from '../../app/incidents/draftIncident.ts';
import { openPast, type OpenPast } from '../../app/incidents/incidentPast.ts';
import type { Redaction } from '../../app/incidents/redactState.ts';
import type { Moment } from '../../history/hold.ts';
import type { IncidentFacts, IncidentHeader, ScopeKind } from '../../incident/incident.ts';
import { IncidentError } from '../../incident/incidentError.ts';
import { incidentEnding } from '../../incident/incidentLimits.ts';
import { writeIncident, type WrittenIncident } from '../../incident/writeIncident.ts';
import { CancelledError } from '../../zookeeper/errors.ts';
import { askChoice, valueOf, type Choice } from '../dialogs/quickInput.ts';
import { askPlace } from '../dialogs/saveText.ts';
import { NothingToDo } from '../platform/errorReporting.ts';
import { readSettings } from '../platform/settings.ts';
import { withProgress } from '../platform/withProgress.ts';
import { explanationsOf, redactionTexts } from '../words/incidentText.ts';
import { instantText, joined, l10n } from '../words/language.ts';
import { loadProgressText } from '../words/loadText.ts';
import { ownerQueryOptions } from './ownerQuery.ts';
import type { IncidentParts } from './registerIncidents.ts';
import { requireStill, stillMoment } from './stillMoment.ts';

const minuteMs = 60_000;

interface Target {
  browser: ClusterBrowser;
  lock: LockNode | undefined;
}

interface Scope {
  kind: ScopeKind;
  /** Of the locks; empty for a cluster, whose locks are searched. */
  paths: readonly string[];
}

/** What was read for a file or a summary. */
interface Collected {
  browser: ClusterBrowser;
  request: Omit<DraftRequest, 'past' | 'redaction' | 'signal'>;
}

/**
 * *Save Incident…*: the locks are read at once, since what is wrong may end while questions are open; then it is asked how much of the past
 * goes into the file, what is redacted, and where it is saved.
 */
export async function saveIncident(parts: IncidentParts, argument: unknown): Promise<void> {
  const title = l10n.t('Save Incident');
  const collected = await collect(parts, argument, title);
  const { request } = collected;
  const past = await withProgress(l10n.t('Reading what was recorded'), signal =>
    openPast(request.cluster, parts, signal),
  );
  try {
    await saveSomewhere(parts, request, past, title);
  } finally {
    await past?.close();
  }
}

/** Asks again after a failure: what was read may not be there any more. @throws CancelledError */
async function saveSomewhere(
  { reporter }: IncidentParts,
  request: Collected['request'],
  past: OpenPast | undefined,
  title: string,
): Promise<void> {
  let redaction: Redaction | undefined;
  for (;;) {
    try {
      const from = await askSpan(title, past, request.state.moment);
      redaction ??= await askRedaction(title);
      const path = await askFile(title, request, redaction);
      const { bytes } = await write(path, { ...request, redaction }, from && past && { ...past, from });
      const kilobytes = Math.ceil(bytes / 1024);
      reporter.inform(l10n.t('The incident was saved to {0} ({1} KB).', displayText(path, 300), kilobytes));
      return;
    } catch (error) {
      if (!(error instanceof IncidentError || error instanceof NothingToDo)) throw error;
      reporter.report(error);
    }
  }
}

/** The facts of a live cluster or a recording as they are now. @throws CancelledError; NothingToDo; what reading throws */
export async function presentFacts(
  parts: IncidentParts,
  argument: unknown,
  title: string,
): Promise<{ header: Omit<IncidentHeader, 'version'>; facts: IncidentFacts }> {
  const { request } = await collect(parts, argument, title);
  return withProgress(title, signal => factsOf({ ...request, signal }));
}

async function collect(parts: IncidentParts, argument: unknown, title: string): Promise<Collected> {
  const { targets, marks, version } = parts;
  const target = await targetOf(parts, argument, title);
  const { browser } = target;
  const cluster = browser.node;
  const past = stillMoment(cluster.time);
  const wanted = await askScope(parts, target, title);
  const client = await targets.client(browser);
  const about = l10n.t('Reading the locks of {0}', displayText(cluster.profile.name));
  const { scope, state, search } = await withProgress(about, async (signal, report) => {
    const found = await pathsOf(browser, wanted, signal, report);
    const read = await collectState(cluster, client, found.paths, {
      ownerQuery: ownerQueryOptions(parts),
      moment: past?.moment,
      signal,
      onProgress: (done, total) => report(loadProgressText({ step: 'read', done, total })),
    });
    return { ...found, state: read };
  });
  requireStill(past);
  if (state.readings.length === 0) throw new NothingToDo(l10n.t('There is no lock to be saved.'));
  return {
    browser,
    request: {
      cluster,
      scope,
      search,
      state,
      savedBy: `zookeeper-lock-inspector ${version}`,
      longHeldMs: readSettings().longHeldMs,
      marks,
      explain: (judged, header, notSeen) => explanationsOf(judged, header, past, notSeen),
    },
  };
}

/** The lock of the row or panel, else a cluster. @throws NoClusterError; CancelledError; RowGone */
async function targetOf({ targets }: IncidentParts, argument: unknown, title: string): Promise<Target> {
  const row = targets.lockInFront(argument) ?? targets.rowOrSelected(argument);
  if (row === undefined) return { browser: await targets.browser(undefined, title), lock: undefined };
  const lock = row.type === 'lock' ? row : 'lock' in row ? row.lock : undefined;
  return { browser: targets.browserOf(clusterOf(row)), lock };
}

/** Asked only where there is a choice. @throws CancelledError */
async function askScope({ marks }: IncidentParts, { browser, lock }: Target, title: string): Promise<Scope> {
  const { node } = browser;
  const whole: Scope = { kind: 'cluster', paths: [] };
  const deadlock = deadlockScope(node, lock === undefined ? [...node.locks.values()] : [lock], each =>
    marks.of(each, Date.now()).cycles.flatMap(({ edges }) => edges.map(edge => edge.lock.path)),
  );
  const choices: Choice<Scope>[] = [
    ...(deadlock === undefined
      ? []
      : [
          {
            label: l10n.t('The locks of its deadlock'),
            description: displayText(deadlock.paths.join(', ')),
            value: deadlock,
          },
        ]),
    ...(lock === undefined
      ? []
      : [
          {
            label: l10n.t('This lock'),
            description: displayText(lock.path),
            value: { kind: 'lock', paths: [lock.path] } satisfies Scope,
          },
        ]),
    { label: l10n.t('All locks of the cluster'), description: displayText(node.profile.name), value: whole },
  ];
  if (choices.length === 1) return whole;
  return valueOf(await askChoice({ title, placeholder: l10n.t('Which locks?'), choices }));
}

/** The paths by which the locks of the cycles are read. */
function deadlockScope(
  { locks }: ClusterNode,
  about: readonly LockNode[],
  queuesOf: (lock: LockNode) => readonly string[],
): Scope | undefined {
  const queues = new Set(about.flatMap(queuesOf));
  if (queues.size === 0) return undefined;
  const rows = new Map([...locks.values()].map(row => [row.queue?.path ?? row.path, row.path]));
  return { kind: 'deadlock', paths: [...new Set([...queues].map(path => rows.get(path) ?? path))] };
}

/** The locks to read. Of a cluster they are searched. @throws CancelledError; what the search throws */
async function pathsOf(
  browser: ClusterBrowser,
  wanted: Scope,
  signal: AbortSignal,
  report: (message: string) => void,
): Promise<{ paths: readonly string[]; scope: Scope; search: Search }> {
  if (wanted.kind !== 'cluster')
    return { paths: wanted.paths, scope: wanted, search: { truncated: false, denied: [] } };
  const { truncated, denied } = await browser.findBelowRoots(signal, progress =>
    report(loadProgressText({ step: 'search', ...progress })),
  );
  const { locks, profile } = browser.node;
  return {
    paths: [...new Set([...locks.values()].map(({ path }) => path))],
    scope: { kind: 'cluster', paths: profile.lockRoots },
    search: { truncated, denied },
  };
}

/** Where the span begins; `undefined`: only the moment. Asked where there is a past. @throws CancelledError */
async function askSpan(title: string, past: OpenPast | undefined, moment: Moment): Promise<Moment | undefined> {
  if (past === undefined || past.recording.from.time >= moment.time) return undefined;
  const { recording } = past;
  const first = recording.from.time;
  const span = (label: string, ms: number): Choice<number | undefined>[] => {
    const begins = Math.max(first, moment.time - ms);
    // Longer ones are the whole recording.
    return moment.time - ms <= first ? [] : [{ label, description: instantText(begins), value: begins }];
  };
  const hour = span(l10n.t('The last hour'), 60 * minuteMs);
  const choices: Choice<number | undefined>[] = [
    ...hour,
    ...span(l10n.t('The last 10 minutes'), 10 * minuteMs),
    ...span(l10n.t('The last day'), 24 * 60 * minuteMs),
    { label: l10n.t('All that was recorded'), description: instantText(first), value: first },
    { label: l10n.t('Only this moment'), description: instantText(moment.time), value: undefined },
  ];
  const begins = valueOf(
    await askChoice({ title, placeholder: l10n.t('How much of the past goes into the file?'), choices }),
  );
  return begins === undefined ? undefined : recording.momentAt({ time: begins });
}

async function askRedaction(title: string): Promise<Redaction> {
  const choices = (['none', 'who', 'names'] as const).map(value => ({
    ...redactionTexts[value](),
    description: '',
    value,
  }));
  return valueOf(await askChoice<Redaction>({ title, placeholder: l10n.t('Who will read the file?'), choices }));
}

/** @throws CancelledError; NothingToDo */
async function askFile(
  title: string,
  request: Pick<DraftRequest, 'cluster' | 'scope' | 'state'>,
  redaction: Redaction,
): Promise<string> {
  const place = await askPlace({
    title,
    saveLabel: l10n.t('Save'),
    fileName: proposedName(request, redaction),
    isOnDisk: true,
    filters: { [l10n.t('Incident file')]: [incidentEnding.slice(1)] },
  });
  if (place === undefined) throw new CancelledError(title);
  if (place.scheme === 'file') return resolve(place.fsPath);
  throw new NothingToDo(l10n.t('An incident can be saved on the disk only. Choose a folder there.'));
}

/** Of a redacted file it says when, but neither where nor what. */
function proposedName(
  { cluster, scope, state }: Pick<DraftRequest, 'cluster' | 'scope' | 'state'>,
  redaction: Redaction,
): string {
  const when = `${new Date(state.moment.time).toISOString().slice(0, 19).replaceAll(':', '')}Z`;
  if (redaction !== 'none') return `incident-${when}${incidentEnding}`;
  const [path = ''] = scope.paths;
  const about = scope.kind === 'lock' ? nameOfLock({ path, lockName: undefined }) : '';
  const kind = scope.kind === 'deadlock' ? 'deadlock' : about;
  const name = joined([fileNamePart(cluster.profile.name), kind && fileNamePart(kind), when], '-');
  return `incident-${name}${incidentEnding}`;
}

function write(
  path: string,
  request: Omit<DraftRequest, 'past' | 'signal'>,
  past: (OpenPast & { from: Moment }) | undefined,
): Promise<WrittenIncident> {
  return withProgress(l10n.t('Saving {0}', displayText(path, 300)), async (signal, report) => {
    // A recorder writes some time after it sees: when the locks were read, the last moments before that were not in its files yet.
    await past?.readMore(signal);
    const draft = await draftIncident({ ...request, past, signal });
    return writeIncident(path, draft, {
      signal,
      onProgress: lines => report(l10n.t('Lines written: {0}', lines)),
    });
  });
}
