import { DisposableStore, toDisposable, type Disposable } from '../../base/disposable.ts';
import { ServerClock } from '../../history/clocks.ts';
import type { findLocks, SearchProgress } from '../../inspector/findLocks.ts';
import type { FoundLocks } from '../../inspector/lockSearch.ts';
import type { readQueues } from '../../inspector/readQueues.ts';
import type { watchQueues } from '../../inspector/watchQueues.ts';
import type { LockQueue } from '../../locks/lockQueue.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import { CancelledError, NotConnectedError } from '../../zookeeper/errors.ts';
import { ClusterConnection, type ConnectionParts } from './clusterConnection.ts';
import { pastOfLive, pastOfRecording } from './clusterPast.ts';
import type { RecorderSource } from './clusterRecorder.ts';
import { locksPerPage, shownLocks, type ClusterNode, type LockNode } from './clusterModel.ts';
import type { ClusterProfile } from './clusterProfile.ts';
import { applyFound, applyOpened, applyQueues, ensureLock, lengthAt, type CatalogueChange } from './lockCatalogue.ts';
import { followRecorder } from './followedRecorder.ts';
import { LateLocks } from './lateLocks.ts';
import { forgetLabels } from './lockLabels.ts';
import { LockTable } from './lockTable.ts';
import { LockWatches, type WatchBudget } from './lockWatches.ts';
import { isSure, type RecordedTime } from './recordedTime.ts';
import type { Sightings } from './sightings.ts';

/** So often a recording that plays may be faster than a reading. */
const mostOutrun = 5;

/** Whether the rows of the cluster can be seen and are to be live. */
export interface Attention {
  expanded: boolean;
  visible: boolean;
  paused: boolean;
}

/** A lock that is watched for a view other than the tree. */
type PinnedLock = Pick<LockNode, 'path' | 'lockName' | 'dialect'>;

export interface Inspector {
  findLocks: typeof findLocks;
  readQueues: typeof readQueues;
  watchQueues: typeof watchQueues;
}

/** What a cluster has that is a record of the past. */
export interface Recorded {
  readonly time: RecordedTime;
  readonly sightings: Sightings;
}

/** What the browsers of all clusters share. */
export interface BrowserParts extends Pick<ConnectionParts, 'schedule' | 'now' | 'logger'> {
  /** Opens a session with the log-in and TLS of the profile. */
  openSession(profile: ClusterProfile, signal: AbortSignal): Promise<ZooKeeperClient>;
  /** The record of the past that a cluster is; `undefined` for a live one. */
  recorded?(profile: ClusterProfile): Recorded | undefined;
  /** What records live clusters. */
  recorders?: RecorderSource;
  /** Epoch ms; `now` is monotonic. */
  wallNow(): number;
  /** Called before each use: the inspector is loaded with the first connection, not at activation. */
  loadInspector(): Promise<Inspector>;
  maxSearchedNodes(): number;
  budget: WatchBudget;
  filter(): string;
  onChange(node: ClusterNode | LockNode): void;
}

/** Finds, reads and watches the locks of one cluster while their rows are in use; the results are the fields of `node`. */
export class ClusterBrowser implements Disposable {
  readonly node: ClusterNode;
  readonly connection: ClusterConnection;
  private readonly parts: BrowserParts;
  private readonly owned = new DisposableStore();
  private readonly watches: LockWatches;
  private readonly clock: ServerClock;
  private readonly sightings: Sightings;
  /** Watched whether or not their rows can be seen. */
  private readonly pins = new Set<{ lock: PinnedLock }>();
  /** Need the session though no row does. */
  private readonly keepers = new Set<object>();
  private attention: Attention = { expanded: false, visible: true, paused: false };
  private search: AbortController | undefined;
  /** Of the moment that the rows of a recording show. */
  private shownZxid: bigint | undefined;
  private shownSure: boolean | undefined;
  private readonly late: LateLocks;
  /** The end of the recording whose locks have rows. */
  private recordedTo: bigint | undefined;

  constructor(profile: ClusterProfile, parts: BrowserParts) {
    this.parts = parts;
    const { schedule, now, logger, budget } = parts;
    this.connection = new ClusterConnection({
      open: signal => parts.openSession(this.node.profile, signal),
      isWanted: () => this.attention.expanded || this.pins.size > 0 || this.keepers.size > 0,
      onState: state => this.followConnection(state),
      schedule,
      now,
      logger,
    });
    this.late = this.owned.add(new LateLocks({ schedule, now, onLate: lock => this.fire(lock) }));
    this.clock = new ServerClock({ now: () => parts.wallNow(), monotonicNow: now });
    const recorded = parts.recorded?.(profile);
    const past =
      recorded === undefined ? pastOfLive(profile.id, this.clock, parts.recorders) : pastOfRecording(recorded);
    this.sightings = past.sightings;
    this.node = {
      type: 'cluster',
      id: profile.id,
      profile,
      connection: this.connection.state,
      search: { kind: 'none' },
      locks: new LockTable(),
      lockLimit: locksPerPage,
      watched: 0,
      ...past,
    };
    this.watches = this.owned.add(
      new LockWatches({
        watch: async (client, path, listener, options) => {
          const { watchQueues } = await parts.loadInspector();
          return watchQueues(client, path, listener, { ...options, logger });
        },
        onQueues: (path, queues, isContinuous) => this.take(path, queues, isContinuous),
        onFailure: (path, error) => this.noteFailure(path, error),
        lengthOf: path => lengthAt(this.node, path),
        onChange: path => this.noteWatch(path),
        budget,
      }),
    );
    this.owned.add(followRecorder(this.node, { now: () => parts.now(), fire: node => this.fire(node) }));
    if (recorded === undefined) return;
    const { time } = recorded;
    this.shownZxid = time.moment.zxid;
    this.shownSure = isSure(time.recording, time.moment);
    this.owned.add(time.onMove(() => this.followMove(time)));
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
    forgetLabels(this.node);
    this.sightings.clear();
    this.node.search = { kind: 'none' };
    this.node.lockLimit = locksPerPage;
    this.node.lastOwners = undefined;
    await this.connection.disconnect();
  }

  setAttention(attention: Attention): void {
    this.attention = attention;
    if (attention.expanded && this.connection.state.kind === 'lost') void this.connection.connect();
    this.updateWatches();
  }

  /** Watches a lock, before all others, whether or not its row can be seen, until the result is disposed. */
  pin(lock: PinnedLock): Disposable {
    const pin = { lock };
    this.pins.add(pin);
    if (this.connection.state.kind === 'lost') void this.connection.connect();
    this.updateWatches();
    return toDisposable(() => {
      this.pins.delete(pin);
      this.updateWatches();
    });
  }

  /** A session that is lost is replaced, whether or not its rows can be seen, until the result is disposed. */
  keepSession(): Disposable {
    const keeper = {};
    this.keepers.add(keeper);
    if (this.connection.state.kind === 'lost') void this.connection.connect();
    return toDisposable(() => this.keepers.delete(keeper));
  }

  /** Watches the locks that are shown now: to be called when pages, the filter or the set of rows changed. */
  updateWatches(): void {
    const { expanded, visible, paused } = this.attention;
    // What moves a recording is the person.
    const isPaused = paused && this.node.time === undefined;
    const client = isPaused ? undefined : this.connection.client;
    const pinned = new Set([...this.pins].map(({ lock }) => lock.path));
    if (client !== undefined) this.addPinnedRows(pinned);
    const shown = expanded && visible ? shownLocks(this.node, this.parts.filter()).map(lock => lock.path) : [];
    this.watches.setTarget(client, shown, pinned);
  }

  showMoreLocks(): void {
    this.node.lockLimit += locksPerPage;
    this.updateWatches();
    this.fire(this.node);
  }

  /** Searches all lock roots; the outcome is `node.search`. Never rejects. */
  async searchRoots(): Promise<void> {
    this.search?.abort();
    const abort = new AbortController();
    this.search = abort;
    try {
      const seen = await this.findBelowRoots(abort.signal, ({ visited, found }) => {
        if (!abort.signal.aborted) this.noteProgress(visited, found);
      });
      if (!abort.signal.aborted) this.node.search = { kind: 'done', ...seen };
      this.addRecordedLocks();
    } catch (error) {
      if (abort.signal.aborted) return;
      this.node.search = { kind: 'failed', error };
    }
    this.fire(this.node);
  }

  /** Searches below every lock root and adds what it finds. Rejects with the cause, `CancelledError` included. */
  async findBelowRoots(
    signal: AbortSignal,
    onProgress: (progress: SearchProgress) => void,
  ): Promise<Omit<FoundLocks, 'locks'>> {
    const seen = { visited: 0, truncated: false, denied: [] as string[] };
    for (const root of this.node.profile.lockRoots) {
      const found = await this.find(root, signal, progress =>
        onProgress({ ...progress, visited: seen.visited + progress.visited }),
      );
      seen.visited += found.visited;
      seen.truncated ||= found.truncated;
      seen.denied.push(...found.denied);
    }
    return seen;
  }

  /** Searches below `root` and adds what it finds. Rejects with the cause, `CancelledError` included. */
  async find(root: string, signal: AbortSignal, onProgress: (progress: SearchProgress) => void): Promise<FoundLocks> {
    const client = this.requireClient('findLocks', root);
    onProgress({ visited: 0, found: 0 });
    const { findLocks } = await this.parts.loadInspector();
    const found = await findLocks(client, root, { signal, onProgress, maxNodes: this.parts.maxSearchedNodes() });
    if (signal.aborted) throw new CancelledError('Looking for locks');
    this.announce(applyFound(this.node, found.locks));
    return found;
  }

  /** Reads the locks at `path` now and adds rows for them, a free one if there is none. Rejects with the cause. */
  async open(path: string): Promise<LockNode | undefined> {
    this.announce(applyOpened(this.node, path, this.seen(path, await this.read(path))));
    this.updateWatches();
    return this.node.locks.at(path)[0];
  }

  /** Reads one path again; failures become the row's text. Never rejects. */
  async refresh(path: string): Promise<void> {
    try {
      this.announce(applyQueues(this.node, path, this.seen(path, await this.read(path))));
    } catch (error) {
      this.noteFailure(path, error);
    }
    this.updateWatches();
  }

  /** Searches again and reads every shown lock that is not live. Never rejects. */
  async refreshAll(): Promise<void> {
    if (this.connection.client === undefined) return;
    await this.searchRoots();
    const paths = new Set(shownLocks(this.node, this.parts.filter()).map(lock => lock.path));
    for (const path of paths) {
      if (!this.watches.isLive(path)) await this.refresh(path);
    }
  }

  /** Ends the watches; `onChange` is not called any more. */
  dispose(): void {
    this.search?.abort();
    this.owned.dispose();
  }

  private take(path: string, queues: readonly LockQueue[], isContinuous: boolean): void {
    this.announce(applyQueues(this.node, path, this.sightings.note(path, queues, isContinuous)));
    for (const [other, again] of this.sightings.afterClockJump()) this.announce(applyQueues(this.node, other, again));
  }

  /** A live watch sees each change itself: another reading may be newer than its next event. */
  private seen(path: string, queues: readonly LockQueue[]): LockQueue[] {
    return this.watches.isLive(path) ? this.sightings.narrow(queues) : this.sightings.note(path, queues, false);
  }

  private fire(node: ClusterNode | LockNode): void {
    if (!this.owned.isDisposed) this.parts.onChange(node);
  }

  /** Rows go when the cluster is disconnected; a new row is read even if its path is watched already. */
  private addPinnedRows(paths: ReadonlySet<string>): void {
    for (const { lock } of this.pins) {
      // A lock without a name may be shown by any row of its path.
      const needsRow = lock.lockName !== undefined || this.node.locks.at(lock.path).length === 0;
      if (needsRow) ensureLock(this.node, lock.path, lock.lockName, lock.dialect);
    }
    const unread = [...paths].filter(path => this.node.locks.at(path).some(({ queue }) => queue === undefined));
    this.watches.forget(unread);
  }

  private async read(path: string): Promise<LockQueue[]> {
    const client = this.requireClient('readQueues', path);
    const { readQueues } = await this.parts.loadInspector();
    const { time } = this.node;
    for (let outrun = 1; ; outrun++) {
      const zxid = time?.moment.zxid;
      const queues = await readQueues(client, path);
      // While a recording's moment moves, a reading may mix two of them.
      if (time?.moment.zxid === zxid) return queues;
      if (outrun === mostOutrun) time?.pause();
    }
  }

  /** The moment of a recording is another one: what is not watched is not read again, so it is not shown. */
  private followMove({ recording, moment }: RecordedTime): void {
    this.addRecordedLocks();
    const sure = isSure(recording, moment);
    const [isAnother, isNewDoubt] = [moment.zxid !== this.shownZxid, sure !== this.shownSure];
    [this.shownZxid, this.shownSure] = [moment.zxid, sure];
    for (const lock of this.node.locks.values()) {
      // The others say at every moment that they are not read.
      const mayDiffer = isNewDoubt || lock.queue !== undefined || lock.readError !== undefined;
      if (!this.watches.has(lock.path)) {
        Object.assign(lock, { queue: undefined, readError: undefined, isBehind: false, isLate: false });
      } else if (isAnother) this.late.note(lock);
      if (mayDiffer) this.fire(lock);
    }
    this.fire(this.node);
  }

  /** A recording knows the locks of all its moments: each has a row all the time. */
  private addRecordedLocks(): void {
    const { time, connection } = this.node;
    if (time === undefined || connection.kind !== 'connected') return;
    const { zxid } = time.recording.to;
    if (this.node.locks.size > 0 && zxid === this.recordedTo) return;
    this.recordedTo = zxid;
    const made = time.recording.locks().map(lock => ensureLock(this.node, lock.path, lock.lockName, lock.dialect));
    const changed = made.flatMap(({ lock, isNew }) => (isNew ? [lock] : []));
    if (changed.length > 0) this.announce({ changed, isNewList: true });
  }

  private requireClient(operation: string, path: string): ZooKeeperClient {
    const { client } = this.connection;
    if (client === undefined) throw new NotConnectedError(operation, path, 'there is no session');
    return client;
  }

  private followConnection(state: ClusterNode['connection']): void {
    // Another server may follow another leader.
    if (state.kind !== 'connected') this.clock.restart();
    this.node.connection = state;
    this.addRecordedLocks();
    this.updateWatches();
    if (state.kind === 'connected' && this.node.search.kind !== 'done') void this.searchRoots();
    this.fire(this.node);
  }

  private noteProgress(visited: number, locks: number): void {
    this.node.search = { kind: 'running', visited, locks };
    this.fire(this.node);
  }

  private noteFailure(path: string, error: unknown): void {
    for (const lock of this.node.locks.at(path)) {
      lock.readError = error;
      this.fire(lock);
    }
  }

  private noteWatch(path: string): void {
    const live = this.watches.isLive(path);
    for (const lock of this.node.locks.at(path)) {
      if (live === lock.live) continue;
      lock.live = live;
      this.fire(lock);
    }
    if (this.node.watched === this.watches.count) return;
    this.node.watched = this.watches.count;
    this.fire(this.node);
  }

  private announce({ changed, isNewList }: CatalogueChange): void {
    for (const lock of changed) {
      lock.live = this.watches.isLive(lock.path);
      this.fire(lock);
    }
    if (!isNewList) return;
    this.fire(this.node);
    this.updateWatches();
  }
}
