import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { WallAndSteadyClock } from '../../history/clocks.ts';
import { historyCsv, historyJson, type HistoryLock } from '../../history/historyFile.ts';
import { HistoryRecorder } from '../../history/historyRecorder.ts';
import { isSingleNode } from '../../locks/libraries/singleNode.ts';
import type { Contender, LockQueue } from '../../locks/lockQueue.ts';
import { timelineLanes } from '../../historyProtocol.ts';
import type { PanelStatus, PanelView } from '../../protocol.ts';
import { serverTime, type LockNode } from '../clusters/clusterModel.ts';
import type { ClusterProfile } from '../clusters/clusterProfile.ts';
import { FollowedLock, type FollowedLockParts } from './followedLock.ts';
import type { HistoryIntent, PanelLock } from './panelLock.ts';
import type { IntentOutcome, PanelWords, SnapshotFacts } from './panelWords.ts';
import { SeenPast } from './seenPast.ts';
import type { SavedLock } from './savedLock.ts';

export interface LiveLockParts extends FollowedLockParts, WallAndSteadyClock {
  words: Pick<PanelWords, 'status'>;
  schedule(callback: () => void, ms: number): Disposable;
  logger: Logger;
}

/** The lock of a live cluster, and what was seen of it: while the page was there, or since this window records the cluster. */
export class LiveLock implements PanelLock {
  private readonly parts: LiveLockParts;
  private readonly onChange: () => void;
  private readonly followed: FollowedLock;
  private readonly history: HistoryRecorder;
  /** It takes the place of `history` while this window records the cluster. */
  private readonly past: SeenPast;
  private isStarted = false;
  /** The contenders that were recorded last. */
  private recorded: readonly Contender[] | undefined;
  /** Whether the picture is current. */
  private isCurrent = false;
  private lastSeenAt: number | undefined;
  private isGone = false;

  /** @param onChange called when there is something new to show */
  constructor(parts: LiveLockParts, lock: LockNode, onChange: () => void) {
    this.parts = parts;
    this.onChange = onChange;
    this.followed = new FollowedLock(parts, lock, () => this.update());
    this.history = new HistoryRecorder(parts);
    this.past = new SeenPast({
      recorder: () => this.followed.browser?.node.recorder,
      lock: () => this.queue,
      serverNow: () => serverTime(this.lock, parts.now()),
      onChange: () => this.onChange(),
      schedule: (callback, ms) => parts.schedule(callback, ms),
    });
  }

  get clusterId(): string {
    return this.followed.clusterId;
  }

  get profile(): ClusterProfile {
    return this.followed.profile;
  }

  get lock(): LockNode {
    return this.followed.lock;
  }

  get queue(): LockQueue {
    return this.followed.queue;
  }

  get saved(): SavedLock {
    return this.followed.saved;
  }

  get isRemoved(): boolean {
    return this.followed.isRemoved;
  }

  get status(): PanelStatus {
    return this.parts.words.status({ ...this.followed.facts, isGone: this.isGone, lastSeenAt: this.lastSeenAt });
  }

  is(lock: LockNode): boolean {
    return this.followed.is(lock);
  }

  start(): void {
    this.isStarted = true;
    this.followed.watch();
  }

  /** The lock is not watched, and the history says so. */
  stop(): void {
    this.isStarted = false;
    this.past.unfollow();
    this.stopRecording();
    this.followed.unwatch();
  }

  dispose(): void {
    this.isStarted = false;
    this.past.dispose();
    this.followed.dispose();
  }

  facts({ timeline }: PanelView): Pick<SnapshotFacts, 'now' | 'aheadMs' | 'history'> {
    const { aheadMs } = this.lock.cluster.sightings;
    const history = this.past.facts(timeline, aheadMs) ?? this.history.history(timelineLanes);
    return { now: this.parts.now(), aheadMs, history };
  }

  carryOut(intent: HistoryIntent): IntentOutcome {
    if (intent.kind === 'pauseHistory') this.history.pause(intent.paused);
    else if (intent.kind === 'clearHistory') this.history.clear();
    this.refresh();
    return { kind: 'done' };
  }

  historyText(format: 'json' | 'csv', lock: HistoryLock, savedAt: number): string {
    const { history } = this;
    const text = this.past.text(format, lock.cluster);
    if (text !== undefined) return text;
    return format === 'csv'
      ? historyCsv(history.events)
      : historyJson(history.events, history.history(timelineLanes), lock, savedAt);
  }

  /** Called after a change of the lock or of its connection. */
  private update(): void {
    if (!this.isStarted) return;
    this.past.follow();
    const contenders = this.lock.queue?.contenders;
    if (contenders !== undefined && contenders !== this.recorded) {
      this.isGone = this.isGone && contenders.length === 0;
      if (contenders.length === 0) void this.lookForNode(contenders);
    }
    this.refresh();
  }

  /** Records the queue, or that it is not current. */
  private refresh(): void {
    // An intent may end after its page was hidden.
    if (!this.isStarted) return;
    if (showsCurrent(this.status)) this.record();
    else this.stopRecording();
    this.onChange();
  }

  private record(): void {
    const { queue } = this;
    // The holder may be a node that cannot be read: no hold may be recorded, nor that the lock is free.
    if (this.followed.facts.isHolderUnknown) this.history.stopWatching();
    else if (queue.contenders !== this.recorded || !this.history.isWatched) this.history.observe(queue);
    this.recorded = queue.contenders;
    this.isCurrent = true;
  }

  private stopRecording(): void {
    const now = this.parts.now();
    const { lastContactAt = now, facts } = this.followed;
    // The contact ended before the loss was noticed.
    if (this.isCurrent) this.lastSeenAt = Math.min(now, lastContactAt);
    this.isCurrent = false;
    const isConnected = facts.connection?.kind === 'connected';
    this.history.stopWatching(isConnected ? 0 : Math.max(0, now - lastContactAt));
  }

  /** Finds out whether the node of an empty lock still exists. */
  private async lookForNode(contenders: readonly Contender[]): Promise<void> {
    const { browser, lock } = this.followed;
    // A lock that is a single node is free, not gone, without its node.
    if (isSingleNode(lock) || this.recorded?.some(({ path }) => path === lock.path) === true) return;
    try {
      const stat = await browser?.connection.client?.exists(lock.path);
      if (this.queue.contenders !== contenders || browser?.connection.client === undefined) return;
      this.isGone = stat === undefined;
      this.onChange();
    } catch (error) {
      // The page then shows an empty lock, which is still true.
      this.parts.logger.info(`Cannot find out whether ${lock.path} exists: ${String(error)}`);
    }
  }
}

/** Whether the shown queue is the current one. */
function showsCurrent({ state }: PanelStatus): boolean {
  return state === 'live' || state === 'empty' || state === 'gone';
}
