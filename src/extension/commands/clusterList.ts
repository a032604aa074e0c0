import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { monotonicNow } from '../../base/deadline.ts';
import type { Logger } from '../../base/logger.ts';
import { onceDone } from '../../base/onceDone.ts';
import { callLater } from '../../base/timer.ts';
import type { Inspector } from '../../app/clusters/clusterBrowser.ts';
import type { ClusterProfile } from '../../app/clusters/clusterProfile.ts';
import { ClusterRegistry } from '../../app/clusters/clusterRegistry.ts';
import type { ClusterStore } from '../../app/clusters/clusterStore.ts';
import { DeferredRecorders } from '../../app/clusters/clusterRecorder.ts';
import { DeferredMarks } from '../../app/clusters/marks.ts';
import type { QueueMarks } from '../../app/clusters/queueMarks.ts';
import type { ViewState } from '../../app/clusters/viewState.ts';
import { OpenRecordings } from '../../app/recordings/openRecordings.ts';
import { SandboxCluster, type SandboxParts } from '../../app/sandbox/sandboxCluster.ts';
import type { SessionOpener } from '../../app/security/sessionOpener.ts';
import type { runSandbox } from '../../app/sandbox/runSandbox.ts';
import { CurrentSettings, readSettings } from '../platform/settings.ts';
import { l10n } from '../words/language.ts';

interface ListParts {
  store: ClusterStore;
  state: ViewState;
  opener: Pick<SessionOpener, 'open'>;
  endLocks: SandboxParts['endLocks'];
  loadFirst: () => Promise<Inspector & { QueueMarks: typeof QueueMarks }>;
  load: () => Promise<{ runSandbox: typeof runSandbox }>;
  logger: Logger;
}

/** The clusters of the list from all their sources: settings, sandbox, recordings. Nothing is connected here. */
export class ClusterList implements Disposable {
  readonly sandbox: SandboxCluster;
  readonly recordings: OpenRecordings;
  readonly marks = new DeferredMarks();
  readonly recorders: DeferredRecorders;
  readonly registry: ClusterRegistry;
  private readonly owned = new DisposableStore();
  private readonly parts: ListParts;

  constructor(parts: ListParts) {
    this.parts = parts;
    const { store, state, loadFirst, load, endLocks, logger } = parts;
    const settings = this.owned.add(new CurrentSettings());
    const run = async (signal: AbortSignal) => (await load()).runSandbox(logger, signal);
    this.sandbox = this.owned.add(new SandboxCluster({ name: l10n.t('Sandbox'), run, endLocks, logger }));
    this.recordings = new OpenRecordings(logger);
    this.recorders = new DeferredRecorders(logger);
    this.registry = new ClusterRegistry([store, this.sandbox, this.recordings], {
      openSession: this.openSession,
      recorded: ({ id }) => this.recordings.get(id),
      recorders: this.recorders,
      loadInspector: onceDone(async () => {
        const loaded = await loadFirst();
        this.marks.follow(new loaded.QueueMarks(() => settings.value, monotonicNow));
        return loaded;
      }),
      maxSearchedNodes: () => readSettings().maxSearchedNodes,
      budget: { used: 0, limit: () => readSettings().maxWatchedLocks },
      filter: () => state.filter,
      schedule: callLater,
      now: monotonicNow,
      wallNow: () => Date.now(),
      logger,
    });
  }

  /** A session with a cluster, or with the past. @throws what `SessionOpener.open` does */
  readonly openSession = async (profile: ClusterProfile, signal: AbortSignal) =>
    this.recordings.get(profile.id)?.openSession() ?? this.parts.opener.open(profile, signal);

  /** Ends what the sessions were with: to be called when they are closed. */
  async close(): Promise<void> {
    await Promise.all([this.sandbox.stop(), this.recordings.closeAll()]);
  }

  dispose(): void {
    this.owned.dispose();
  }
}
