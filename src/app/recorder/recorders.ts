import { createHash, randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DisposableSlot, DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import type { JournalState } from '../../journal/journalState.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import type { ClusterBrowser } from '../clusters/clusterBrowser.ts';
import { RowGone } from '../clusters/clusterErrors.ts';
import type { RecorderSource, RecorderState } from '../clusters/clusterRecorder.ts';
import { isOfWindow, type ClusterProfile } from '../clusters/clusterProfile.ts';
import type { ClusterRegistry } from '../clusters/clusterRegistry.ts';
import type { OwnerQueryOptions } from '../owners/gatherFacts.ts';
import { JournalFolder } from './journalFolder.ts';
import type { Recorder } from './recorder.ts';
import type { RecorderClocks } from './recorderClocks.ts';
import type { Observation, Sink } from './recordingRun.ts';

/** VS Code's state of all windows. */
export interface RecorderMemory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

export interface RecorderSettings {
  /** Every live cluster is recorded while it is connected. */
  whileConnected: boolean;
  days: number;
  /** Of a cluster on disk. */
  megabytes: number;
  /** To each server, at most; 0: servers are not asked. */
  questionsPerMinute: number;
  /** Whether data of nodes are kept as they are. */
  nodeData: boolean;
  /** Nodes below the lock roots that are read at the start, at most. */
  maxNodes: number;
}

/** What an observation needs to know. */
export interface ObservePlan {
  profile: ClusterProfile;
  settings: RecorderSettings;
  ownerQuery: OwnerQueryOptions;
  logger: Logger;
}

/** The part that only recording needs, loaded with the first one. */
export interface RecorderCode {
  Recorder: typeof Recorder;
  observe(client: ZooKeeperClient, plan: ObservePlan, sink: Sink): Promise<Observation>;
}

export interface RecordersParts extends RecorderClocks {
  registry: Pick<ClusterRegistry, 'all' | 'get' | 'onChange' | 'onNodeChange'>;
  /** Full path; need not exist. A folder in it for each cluster. */
  folder: string;
  memory: RecorderMemory;
  /** Asked before each use. */
  settings(): RecorderSettings;
  /** For questions to servers. */
  ownerQuery(): OwnerQueryOptions;
  load(): Promise<RecorderCode>;
  logger: Logger;
}

/** What recording a cluster costs, before it begins. */
export interface RecordingCost {
  /** One for each lock root, by one session. */
  watches: number;
  /** Below the lock roots, each of them read at the start; `undefined` where no search has counted them. */
  nodes: number | undefined;
  /** More are not read. */
  maxNodes: number;
  /** To each server, at most, about who owns and who ended what; each change of a lock is one small read besides. */
  questionsPerMinute: number;
  /** Of files, at most. */
  bytes: number;
  days: number;
  folder: string;
}

const memoryKey = 'recordedClusters';
const dayMs = 86_400_000;

/** A cluster that is recorded. */
interface Recorded {
  recorder: Recorder;
  /** While there is one, its session is kept. */
  session: DisposableSlot;
  /** The settings that it began with, as text. */
  plan: string;
}

/**
 * Records clusters of the list: those that a person asked for, and with the setting for it every live one, while they are connected. Which
 * ones is remembered beyond the window; that of a sandbox is not, and its files go with it.
 */
export class Recorders implements RecorderSource, Disposable {
  /** The id of a cluster whose state is another one, or whose figures are. */
  readonly onChange: Event<string>;
  private readonly parts: RecordersParts;
  private readonly owned = new DisposableStore();
  private readonly changed: Emitter<string>;
  private readonly windowId = randomBytes(6).toString('hex');
  private readonly recorded = new Map<string, Recorded>();
  /** Clusters of this window that are or are not to be recorded. */
  private readonly ofWindow = new Map<string, boolean>();
  /** Journals that go with their cluster, by its id. */
  private readonly passing = new Map<string, string>();
  private readonly endings = new Set<Promise<void>>();
  private code: RecorderCode | undefined;
  private loading: Promise<void> | undefined;

  constructor(parts: RecordersParts) {
    this.parts = parts;
    const { registry, logger } = parts;
    this.changed = this.owned.add(new Emitter(logger));
    this.onChange = this.changed.event;
    this.owned.add(registry.onChange(() => this.follow()));
    this.owned.add(
      registry.onNodeChange(node => {
        if (node.type === 'cluster') this.followOne(node.id);
      }),
    );
    this.follow();
  }

  state(id: string): RecorderState {
    const recorder = this.recorded.get(id)?.recorder;
    if (recorder !== undefined) return recorder.state;
    return { kind: this.isWanted(id) ? 'waiting' : 'off' };
  }

  /** Whether it is recorded whenever it is connected. */
  isWanted(id: string): boolean {
    const browser = this.parts.registry.get(id);
    if (browser === undefined || browser.node.profile.isRecording === true) return false;
    return this.ofWindow.get(id) ?? this.remembered().get(id) ?? this.parts.settings().whileConnected;
  }

  /** Records it from now on, or tries again after a failure. */
  async start(id: string): Promise<void> {
    await this.remember(id, true);
    // Without a session nothing else says so.
    this.changed.fire(id);
    this.recorded.get(id)?.recorder.retry();
    this.followOne(id);
    await this.loading;
  }

  /** Ends its recording, until it is started again. */
  async stop(id: string): Promise<void> {
    await this.remember(id, false);
    this.followOne(id);
    this.changed.fire(id);
    await Promise.all(this.endings);
  }

  /** Of its journal: full path, which may not exist. @throws RowGone when it is not in the list */
  folder(id: string): string {
    const browser = this.parts.registry.get(id);
    if (browser === undefined) throw new RowGone();
    return this.folderOf(browser.node.profile);
  }

  /** Of its files on disk; 0: there are none. @throws RowGone; what the file system throws */
  bytes(id: string): Promise<number> {
    return new JournalFolder(this.folder(id)).bytes();
  }

  /** Deletes its files; a recording goes on in a new one. @throws RowGone; what the file system throws */
  async delete(id: string): Promise<void> {
    const folder = new JournalFolder(this.folder(id));
    await (this.recorded.get(id)?.recorder.deleteFiles() ?? folder.delete());
  }

  /** What is known of its locks, now and before, live; `undefined` while this window does not record it. */
  past(id: string): JournalState | undefined {
    return this.recorded.get(id)?.recorder.past;
  }

  /** @throws RowGone when it is not in the list */
  cost(id: string): RecordingCost {
    const browser = this.parts.registry.get(id);
    if (browser === undefined) throw new RowGone();
    const { profile, search } = browser.node;
    const { days, megabytes, questionsPerMinute, maxNodes } = this.parts.settings();
    return {
      watches: profile.lockRoots.length,
      nodes: search.kind === 'done' && !search.truncated ? search.visited : undefined,
      maxNodes,
      questionsPerMinute,
      bytes: megabytes * 1_000_000,
      days,
      folder: this.folderOf(profile),
    };
  }

  /** Settings are other ones. */
  follow(): void {
    const listed = this.parts.registry.all.map(({ node }) => node.id);
    const ids = new Set([...listed, ...this.recorded.keys(), ...this.passing.keys()]);
    for (const id of ids) this.followOne(id);
    if (this.recorded.size === 0) return;
    const plan = this.planText();
    for (const recorded of this.recorded.values()) {
      if (recorded.plan === plan) continue;
      recorded.plan = plan;
      recorded.recorder.beginAgain();
    }
  }

  /** Writes what was seen so far and ends all recordings; they stay remembered. Never rejects. */
  async close(): Promise<void> {
    this.owned.dispose();
    for (const id of [...this.recorded.keys(), ...this.passing.keys()]) this.end(id);
    await Promise.all(this.endings);
  }

  dispose(): void {
    void this.close();
  }

  /** Brings the recorder of a cluster in line with what is wanted and with its session. */
  private followOne(id: string): void {
    if (this.owned.isDisposed) return;
    const browser = this.parts.registry.get(id);
    if (browser === undefined || !this.isWanted(id)) {
      this.end(id);
      return;
    }
    const { client } = browser.connection;
    const known = this.recorded.get(id);
    if (known !== undefined) known.recorder.setClient(client);
    else if (client === undefined) return;
    else if (this.code === undefined) this.loading ??= this.loadCode();
    else this.begin(browser, this.code, client);
  }

  private async loadCode(): Promise<void> {
    try {
      this.code = await this.parts.load();
    } catch (error) {
      this.parts.logger.error(`Recording could not be loaded: ${String(error)}`);
      return;
    }
    this.follow();
  }

  /** Another text when an observation that goes on would have to be another one. */
  private planText(): string {
    const { questionsPerMinute, nodeData, maxNodes } = this.parts.settings();
    return JSON.stringify([questionsPerMinute, nodeData, maxNodes, this.parts.ownerQuery().adminServerPort]);
  }

  private begin(browser: ClusterBrowser, code: RecorderCode, client: ZooKeeperClient): void {
    const { schedule, now, wallNow, logger } = this.parts;
    const { id, profile } = browser.node;
    if (isOfWindow(profile)) this.passing.set(id, this.folderOf(profile));
    const session = new DisposableSlot();
    const recorder = new code.Recorder({
      id: this.windowId,
      folder: () => new JournalFolder(this.folderOf(browser.node.profile)),
      observe: (session, sink) => code.observe(session, this.planFor(browser), sink),
      limits: () => {
        const { days, megabytes } = this.parts.settings();
        return { ageMs: days * dayMs, bytes: megabytes * 1_000_000 };
      },
      isWanted: () => this.isWanted(id),
      onUnwanted: () => this.followOne(id),
      onChange: () => {
        // After a failure nothing needs a session until it is started again.
        if (recorder.state.kind === 'failed') session.value = undefined;
        else if (this.recorded.has(id)) session.value ??= browser.keepSession();
        this.changed.fire(id);
      },
      schedule,
      now,
      wallNow,
      logger,
    });
    session.value = browser.keepSession();
    this.recorded.set(id, { recorder, session, plan: this.planText() });
    recorder.setClient(client);
  }

  private planFor({ node: { profile } }: ClusterBrowser): ObservePlan {
    const { parts } = this;
    return { profile, settings: parts.settings(), ownerQuery: parts.ownerQuery(), logger: parts.logger };
  }

  private end(id: string): void {
    const known = this.recorded.get(id);
    this.recorded.delete(id);
    known?.session.dispose();
    const isGone = this.owned.isDisposed || this.parts.registry.get(id) === undefined;
    const passing = isGone ? this.passing.get(id) : undefined;
    if (isGone) for (const each of [this.ofWindow, this.passing]) each.delete(id);
    if (known === undefined && passing === undefined) return;
    const ending = this.closeAndRemove(known?.recorder, passing).finally(() => this.endings.delete(ending));
    this.endings.add(ending);
    this.changed.fire(id);
  }

  private async closeAndRemove(recorder: Recorder | undefined, folder: string | undefined): Promise<void> {
    await recorder?.close();
    if (folder === undefined) return;
    try {
      await rm(folder, { recursive: true, force: true });
    } catch (error) {
      this.parts.logger.warn(`The recording of a sandbox stays in ${folder}: ${String(error)}`);
    }
  }

  private folderOf({ id, connectString }: ClusterProfile): string {
    const hash = createHash('sha256').update(JSON.stringify([id, connectString]));
    return join(this.parts.folder, hash.digest('hex').slice(0, 32));
  }

  /** Of all windows; other versions may have kept something else there. */
  private remembered(): Map<string, boolean> {
    const stored = this.parts.memory.get(memoryKey);
    const known = new Map<string, boolean>();
    if (typeof stored !== 'object' || stored === null) return known;
    for (const [id, isWanted] of Object.entries(stored)) if (typeof isWanted === 'boolean') known.set(id, isWanted);
    return known;
  }

  private async remember(id: string, isWanted: boolean): Promise<void> {
    const browser = this.parts.registry.get(id);
    if (browser === undefined) throw new RowGone();
    if (isOfWindow(browser.node.profile)) {
      this.ofWindow.set(id, isWanted);
      return;
    }
    const listed = new Set(this.parts.registry.all.map(({ node }) => node.id));
    const kept = [...this.remembered()].filter(([other]) => listed.has(other));
    await this.parts.memory.update(memoryKey, Object.fromEntries([...kept, [id, isWanted]]));
  }
}
