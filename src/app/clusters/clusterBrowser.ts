import { DisposableStore, toDisposable, type Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import type { SearchProgress } from '../../inspector/findLocks.ts';
import type { FoundLocks } from '../../inspector/lockSearch.ts';
import type { LockQueue } from '../../locks/lockQueue.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import { CancelledError, NotConnectedError } from '../../zookeeper/errors.ts';
import { type ClusterNode, type LockNode, locksPerPage, shownLocks } from './clusterModel.ts';
import type { ClusterConnection } from './clusterConnection.ts';
import type { ClusterProfile } from './clusterProfile.ts';
import { applyFound, applyOpened, applyQueues, locksAt, type CatalogueChange } from './lockCatalogue.ts';
import { LockPins, type PinnedLock, LockWatches, type LockWatchesParts, type WatchBudget } from './lockWatches.ts';

/** Whether the rows of the cluster can be seen and are to be live. */
export interface Attention {
  expanded: boolean;
  visible: boolean;
  paused: boolean;
}

/** What the inspector offers, so that tests can stand in for it. */
export interface Inspection {
  find(
    client: ZooKeeperClient,
    root: string,
    options: { signal: AbortSignal; onProgress: (progress: SearchProgress) => void },
  ): Promise<FoundLocks>;
  read(client: ZooKeeperClient, path: string): Promise<LockQueue[]>;
  watch: LockWatchesParts['watch'];
}

export interface ClusterBrowserParts {
  profile: ClusterProfile;
  connection: ClusterConnection;
  inspection: Inspection;
  budget: WatchBudget;
  /** The view's filter text. */
  filter(): string;
  logger: Logger;
}

/** Finds, reads and watches the locks of one cluster, as far as somebody looks; its results are the fields of `node`. */
export class ClusterBrowser implements Disposable {
  readonly node: ClusterNode;
  readonly connection: ClusterConnection;
  readonly onChange: Event<ClusterNode | LockNode>;
  private readonly parts: ClusterBrowserParts;
  private readonly owned = new DisposableStore();
  private readonly changed: Emitter<ClusterNode | LockNode>;
  private readonly watches: LockWatches;
  private readonly pins = new LockPins();
  private attention: Attention = { expanded: false, visible: true, paused: false };
  private search: AbortController | undefined;

  constructor(parts: ClusterBrowserParts) {
    this.parts = parts;
    this.connection = parts.connection;
    this.node = {
      type: 'cluster',
      id: parts.profile.id,
      profile: parts.profile,
      connection: parts.connection.state,
      search: { kind: 'none' },
      locks: new Map(),
      lockLimit: locksPerPage,
      watched: 0,
    };
    this.changed = this.owned.add(new Emitter(parts.logger));
    this.onChange = this.changed.event;
    this.watches = this.owned.add(
      new LockWatches({
        watch: (...call) => parts.inspection.watch(...call),
        onQueues: (path, queues) => this.announce(applyQueues(this.node, path, queues)),
        onFailure: (path, error) => this.noteFailure(path, error),
        onChange: () => this.noteWatches(),
        budget: parts.budget,
      }),
    );
    this.owned.add(parts.connection.onState(state => this.followConnection(state)));
  }

  /** Whether somebody looks at the cluster, so that a lost session is worth replacing. */
  get isWanted(): boolean {
    return this.attention.expanded || !this.pins.isEmpty;
  }

  /** Whether a lock path has one of the watches that the cap allows. */
  isWatched(path: string): boolean {
    return this.watches.has(path);
  }

  /** Opens a session if there is none. Never rejects: failures become rows. */
  async connect(): Promise<void> {
    await this.connection.connect();
  }

  async disconnect(): Promise<void> {
    this.search?.abort();
    this.watches.setTarget(undefined, []);
    this.node.locks.clear();
    this.node.search = { kind: 'none' };
    this.node.lockLimit = locksPerPage;
    await this.connection.disconnect();
  }

  setAttention(attention: Attention): void {
    this.attention = attention;
    if (attention.expanded && this.connection.state.kind === 'lost') void this.connection.connect();
    this.updateWatches();
  }

  /** Watches a lock, before all others, whether or not its row can be seen; until the result is disposed. */
  pin(lock: PinnedLock): Disposable {
    const pin = this.pins.add(lock);
    if (this.connection.state.kind === 'lost') void this.connection.connect();
    this.updateWatches();
    return toDisposable(() => {
      pin.dispose();
      this.updateWatches();
    });
  }

  /** Watches what is shown now: to be called when pages, the filter or the set of rows changed. */
  updateWatches(): void {
    const { expanded, visible, paused } = this.attention;
    const client = paused ? undefined : this.connection.client;
    if (client !== undefined) this.watches.forget(this.pins.ensureRows(this.node));
    const shown = expanded && visible ? shownLocks(this.node, this.parts.filter()).map(lock => lock.path) : [];
    this.watches.setTarget(client, shown, this.pins.paths);
  }

  showMoreLocks(): void {
    this.node.lockLimit += locksPerPage;
    this.updateWatches();
    this.changed.fire(this.node);
  }

  /** Searches all lock roots; the outcome is `node.search`. Never rejects. */
  async searchRoots(): Promise<void> {
    this.search?.abort();
    const abort = new AbortController();
    this.search = abort;
    const done = { kind: 'done' as const, visited: 0, truncated: false, denied: [] as string[] };
    try {
      for (const root of this.node.profile.lockRoots) {
        const found = await this.find(root, abort.signal, ({ visited, found: locks }) => {
          if (!abort.signal.aborted) this.noteProgress(done.visited + visited, locks);
        });
        done.visited += found.visited;
        done.truncated ||= found.truncated;
        done.denied.push(...found.denied);
      }
      if (!abort.signal.aborted) this.node.search = done;
    } catch (error) {
      if (abort.signal.aborted) return;
      this.node.search = { kind: 'failed', error };
    }
    this.changed.fire(this.node);
  }

  /** Searches below `root` and adds what it finds. Rejects with the cause, `CancelledError` included. */
  async find(root: string, signal: AbortSignal, onProgress: (progress: SearchProgress) => void): Promise<FoundLocks> {
    const client = this.requireClient('findLocks', root);
    onProgress({ visited: 0, found: 0 });
    const found = await this.parts.inspection.find(client, root, { signal, onProgress });
    if (signal.aborted) throw new CancelledError('Looking for locks');
    this.announce(applyFound(this.node, found.locks));
    return found;
  }

  /** Reads the locks at `path` now and adds rows for them, a free one if there is none. Rejects with the cause. */
  async open(path: string): Promise<LockNode | undefined> {
    const queues = await this.parts.inspection.read(this.requireClient('readQueues', path), path);
    this.announce(applyOpened(this.node, path, queues));
    this.updateWatches();
    return locksAt(this.node, path)[0];
  }

  /** Reads one path again; failures become the row's text. Never rejects. */
  async refresh(path: string): Promise<void> {
    try {
      const client = this.requireClient('readQueues', path);
      this.announce(applyQueues(this.node, path, await this.parts.inspection.read(client, path)));
    } catch (error) {
      this.noteFailure(path, error);
    }
    this.updateWatches();
  }

  /** Searches anew and reads every shown lock that is not live. Never rejects. */
  async refreshAll(): Promise<void> {
    if (this.connection.client === undefined) return;
    await this.searchRoots();
    const paths = new Set(shownLocks(this.node, this.parts.filter()).map(lock => lock.path));
    for (const path of paths) {
      if (!this.watches.isLive(path)) await this.refresh(path);
    }
  }

  dispose(): void {
    this.search?.abort();
    this.owned.dispose();
  }

  private requireClient(operation: string, path: string): ZooKeeperClient {
    const { client } = this.connection;
    if (client === undefined) throw new NotConnectedError(operation, path, 'there is no session');
    return client;
  }

  private followConnection(state: ClusterNode['connection']): void {
    this.node.connection = state;
    this.updateWatches();
    if (state.kind === 'connected' && this.node.search.kind !== 'done') void this.searchRoots();
    this.changed.fire(this.node);
  }

  private noteProgress(visited: number, locks: number): void {
    this.node.search = { kind: 'running', visited, locks };
    this.changed.fire(this.node);
  }

  private noteFailure(path: string, error: unknown): void {
    for (const lock of locksAt(this.node, path)) {
      lock.readError = error;
      this.changed.fire(lock);
    }
  }

  private noteWatches(): void {
    for (const lock of this.node.locks.values()) {
      const live = this.watches.isLive(lock.path);
      if (live === lock.live) continue;
      lock.live = live;
      this.changed.fire(lock);
    }
    if (this.node.watched === this.watches.count) return;
    this.node.watched = this.watches.count;
    this.changed.fire(this.node);
  }

  private announce({ changed, isNewList }: CatalogueChange): void {
    for (const lock of changed) {
      lock.live = this.watches.isLive(lock.path);
      this.changed.fire(lock);
    }
    if (!isNewList) return;
    this.changed.fire(this.node);
    this.updateWatches();
  }
}
