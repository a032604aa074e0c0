import { DisposableSlot, DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Moment } from '../../history/hold.ts';
import type { HistoryLock } from '../../history/historyFile.ts';
import { readQueues } from '../../inspector/readQueues.ts';
import { isSingleNode } from '../../locks/libraries/singleNode.ts';
import type { LockQueue } from '../../locks/lockQueue.ts';
import type { PanelStatus, PanelView } from '../../protocol.ts';
import { CancelledError } from '../../zookeeper/errors.ts';
import { RowGone } from '../clusters/clusterErrors.ts';
import type { LockName } from '../../history/lockHistory.ts';
import type { LockNode } from '../clusters/clusterModel.ts';
import type { ClusterProfile } from '../clusters/clusterProfile.ts';
import type { RecordedTime, Step } from '../clusters/recordedTime.ts';
import type { Reopenings } from '../recordings/reopenings.ts';
import { FollowedLock, type FollowedLockParts } from './followedLock.ts';
import type { HistoryIntent, PanelLock } from './panelLock.ts';
import type { IntentOutcome, PanelWords, SnapshotFacts } from './panelWords.ts';
import { RecordOfLock } from './recordOfLock.ts';
import type { SavedLock, SavedRecording } from './savedLock.ts';

/** A reading that took t ms is followed by a pause of at least three times that: a long queue is read less often while it plays. */
const restPerReading = 3;

export interface RecordedLockParts extends FollowedLockParts {
  words: Pick<PanelWords, 'recordedStatus'>;
  reopenings: Pick<Reopenings, 'of' | 'open' | 'onChange'>;
  schedule(callback: () => void, ms: number): Disposable;
  /** Monotonic ms. */
  monotonicNow(): number;
}

/** What was read last. */
interface Reading {
  moment: Moment;
  queue: LockQueue;
  isGone: boolean;
  /** The path holds several locks with names, and it is not known which of them is this one. */
  isSeveral: boolean;
}

/**
 * A lock at the moment that its recording shows. The panel reads the queue itself, so that queue and moment always belong together,
 * however the rows of the tree are read; while a reading is under way the one before it stays on screen with its moment.
 */
export class RecordedLock implements PanelLock {
  private readonly parts: RecordedLockParts;
  readonly time: RecordedTime;
  private readonly onChange: () => void;
  private readonly followed: FollowedLock;
  private readonly identity: Pick<LockNode, 'path' | 'lockName'>;
  private readonly record: RecordOfLock;
  /** By which the recording knows it. */
  private queuePath: string;
  private readonly following = new DisposableSlot();
  private readonly rest = new DisposableSlot();
  private abort = new AbortController();
  private isReading = false;
  private isBehind = false;
  private reading: Reading | undefined;
  private error: unknown;
  /** While it plays, each frame would be kept. */
  private keptAt: Moment;

  /** @param onChange called when there is something new to show */
  constructor(parts: RecordedLockParts, lock: LockNode, time: RecordedTime, onChange: () => void) {
    this.parts = parts;
    this.time = time;
    this.onChange = onChange;
    this.keptAt = time.moment;
    this.identity = { path: lock.path, lockName: lock.lockName };
    this.queuePath = lock.queue?.path ?? lock.path;
    this.record = new RecordOfLock(
      // One that is followed grows.
      () => ({ past: time.recording, version: time.recording.to.zxid, until: time.recording.to.time }),
      () => this.pastLock,
    );
    this.followed = new FollowedLock(parts, lock, onChange);
  }

  get clusterId(): string {
    return this.followed.clusterId;
  }

  get profile(): ClusterProfile {
    return this.followed.profile;
  }

  get lock(): LockNode {
    // Whether the row is behind does not matter here: this queue is of the moment that is shown with it.
    return { ...this.followed.lock, queue: this.reading?.queue, readError: this.error, isBehind: false, isLate: false };
  }

  get queue(): LockQueue {
    return this.reading?.queue ?? this.emptyQueue;
  }

  get saved(): SavedLock {
    return { ...this.followed.saved, recording: this.source };
  }

  get isRemoved(): boolean {
    return this.followed.browser?.node.time !== this.time;
  }

  get status(): PanelStatus {
    const { reading, isRemoved, error } = this;
    return this.parts.words.recordedStatus({
      isRemoved,
      reopening: this.parts.reopenings.of(this.time.folder),
      path: this.time.folder,
      error,
      contenders: reading?.queue.contenders.length,
      isGone: reading?.isGone === true,
      isSeveral: reading?.isSeveral === true,
    });
  }

  is(lock: LockNode): boolean {
    return this.followed.is(lock);
  }

  start(): void {
    const owned = new DisposableStore();
    owned.add(this.parts.registry.onChange(() => this.onChange()));
    owned.add(this.time.onMove(() => this.moved()));
    owned.add(
      this.parts.reopenings.onChange(path => {
        if (path === this.time.folder) this.onChange();
      }),
    );
    this.following.value = owned;
    this.abort = new AbortController();
    this.moved();
  }

  stop(): void {
    this.abort.abort();
    this.isReading = false;
    this.rest.value = undefined;
    this.following.value = undefined;
  }

  dispose(): void {
    this.abort.abort();
    this.rest.dispose();
    this.following.dispose();
    this.followed.dispose();
  }

  facts(view: PanelView): Pick<SnapshotFacts, 'now' | 'aheadMs' | 'history'> {
    const { time, reading } = this;
    // Between two transactions the same queue is right for any time.
    const isOfNow = reading === undefined || reading.moment.zxid === time.moment.zxid;
    const moment = isOfNow ? time.moment : reading.moment;
    return { now: moment.time, aheadMs: 0, history: { time, moment, ...this.record.part(view.timeline, moment.time) } };
  }

  /** @throws RowGone when its recording was closed */
  async carryOut(intent: HistoryIntent): Promise<IntentOutcome> {
    if (this.isRemoved) throw new RowGone();
    const { time } = this;
    switch (intent.kind) {
      case 'moveTo':
        time.moveTo('time' in intent.to ? intent.to : { zxid: BigInt.asIntN(64, BigInt(intent.to.zxid)) });
        return { kind: 'done' };
      case 'step':
        return this.step(intent.what, intent.direction);
      case 'play':
        time.play(intent.speed);
        return { kind: 'done' };
      case 'pause':
        time.pause();
        return { kind: 'done' };
      case 'follow':
        time.follow(intent.isWanted);
        return { kind: 'done' };
      default:
        return { kind: 'done' };
    }
  }

  private async step(what: Step, direction: 1 | -1): Promise<IntentOutcome> {
    const isThere = await this.time.step(what, direction, this.pastLock);
    if (this.isRemoved) throw new RowGone();
    return { kind: isThere ? 'done' : 'no-step' };
  }

  reopen(): void {
    const { kind, folder, moment } = this.time;
    this.parts.reopenings.open({ kind, path: folder }, moment);
  }

  historyText(format: 'json' | 'csv', { cluster }: HistoryLock): string {
    return this.record.text(format, cluster);
  }

  /** What opens the recording again, at the moment that is shown; one that follows its files at their end. */
  private get source(): SavedRecording {
    const { kind, folder, moment, speed, isFollowing } = this.time;
    if (speed === 0) this.keptAt = moment;
    const { zxid, time } = this.keptAt;
    return {
      kind,
      path: folder,
      ...(isFollowing ? {} : { at: { zxid: `0x${BigInt.asUintN(64, zxid).toString(16)}`, time } }),
      ...(this.isRemoved ? { isClosed: true as const } : {}),
    };
  }

  /** What was read last is of the moment that the recording shows. */
  private get isRead(): boolean {
    return this.reading?.moment.zxid === this.time.moment.zxid && this.error === undefined;
  }

  private moved(): void {
    if (this.isRead) this.onChange();
    else if (this.isReading || this.rest.value !== undefined) this.isBehind = true;
    else void this.read();
  }

  /** Reads the queue at the moment that is shown; what moved meanwhile is read after a rest. */
  private async read(): Promise<void> {
    const { signal } = this.abort;
    const begun = this.parts.monotonicNow();
    this.isReading = true;
    this.isBehind = false;
    try {
      const reading = await this.readAt(this.time.moment, signal);
      if (signal.aborted) return;
      // The recording may be back at the moment that was read before.
      if (!this.isRead) [this.reading, this.error] = [reading, undefined];
      if (reading.queue.contenders.length > 0) this.queuePath = reading.queue.path;
    } catch (error) {
      if (signal.aborted || error instanceof CancelledError) return;
      if (!this.isRead) this.error = error;
    }
    this.isReading = false;
    this.onChange();
    const took = this.parts.monotonicNow() - begun;
    this.rest.value = this.parts.schedule(() => {
      this.rest.value = undefined;
      if (this.isBehind) this.moved();
    }, took * restPerReading);
  }

  private async readAt(moment: Moment, signal: AbortSignal): Promise<Reading> {
    const { path, lockName } = this.identity;
    const client = this.time.recording.at({ zxid: moment.zxid });
    const read = await readQueues(client, path, { signal });
    // As in the tree: since when holders hold is known by the holds.
    const { sightings } = this.followed.lock.cluster;
    const queues = this.time.moment.zxid === moment.zxid ? sightings.narrow(read) : read;
    const isSeveral = lockName === undefined && queues.length > 1;
    const queue = this.ownAmong(queues);
    if (queue !== undefined && queue.contenders.length > 0) return { moment, queue, isGone: false, isSeveral };
    const { dialect } = this.followed.lock;
    const isGone = !isSingleNode({ path, dialect }) && (await client.exists(path)) === undefined;
    return { moment, queue: queue ?? this.emptyQueue, isGone, isSeveral };
  }

  /** Without a name it is the only lock at its path. */
  private ownAmong(queues: readonly LockQueue[]): LockQueue | undefined {
    const { lockName } = this.identity;
    if (lockName === undefined && queues.length === 1) return queues[0];
    return queues.find(queue => queue.lockName === lockName);
  }

  /** As its recording knows it. */
  private get pastLock(): LockName {
    const { lockName } = this.identity;
    return lockName === undefined ? { path: this.queuePath } : { path: this.queuePath, lockName };
  }

  private get emptyQueue(): LockQueue {
    const { path, lockName, dialect } = this.followed.lock;
    const named = lockName === undefined ? {} : { lockName };
    return { path, ...named, dialect, contenders: [], strangers: [], hazards: [] };
  }
}
