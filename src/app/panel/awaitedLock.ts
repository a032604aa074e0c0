import { DisposableSlot } from '../../base/disposable.ts';
import type { WallAndSteadyClock } from '../../history/clocks.ts';
import { HistoryRecorder } from '../../history/historyRecorder.ts';
import type { LockQueue } from '../../locks/lockQueue.ts';
import type { PanelStatus } from '../../protocol.ts';
import { RowGone } from '../clusters/clusterErrors.ts';
import type { LockNode } from '../clusters/clusterModel.ts';
import type { ClusterProfile } from '../clusters/clusterProfile.ts';
import type { Reopenings } from '../recordings/reopenings.ts';
import { FollowedLock, type FollowedLockParts } from './followedLock.ts';
import type { PanelLock } from './panelLock.ts';
import { removedRecording, type PanelWords, type SnapshotFacts } from './panelWords.ts';
import { openAgain, openWithWindow, type SavedLock, type SavedRecording } from './savedLock.ts';

export interface AwaitedLockParts extends FollowedLockParts, WallAndSteadyClock {
  words: Pick<PanelWords, 'recordedStatus'>;
  reopenings: Pick<Reopenings, 'of' | 'open' | 'onChange'>;
}

/**
 * A lock of a recording that is not open: its panel came back with the window, and has the files read. It has nothing to show but how
 * far that is, or why it cannot be; the panel shows the lock in its place once the recording is in the list.
 */
export class AwaitedLock implements PanelLock {
  /** It is not in the list. */
  readonly isRemoved = true;
  private readonly parts: AwaitedLockParts;
  private readonly recording: SavedRecording;
  private readonly onChange: () => void;
  private readonly followed: FollowedLock;
  private readonly following = new DisposableSlot();

  /** @param onChange called when there is something new to show */
  constructor(parts: AwaitedLockParts, lock: LockNode, recording: SavedRecording, onChange: () => void) {
    this.parts = parts;
    this.recording = recording;
    this.onChange = onChange;
    this.followed = new FollowedLock(parts, lock, onChange);
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
    return { ...this.followed.saved, recording: this.recording };
  }

  get status(): PanelStatus {
    const { path } = this.recording;
    return this.parts.words.recordedStatus(removedRecording(path, this.parts.reopenings.of(path)));
  }

  is(lock: LockNode): boolean {
    return this.followed.is(lock);
  }

  start(): void {
    const { reopenings } = this.parts;
    this.following.value = reopenings.onChange(path => {
      if (path === this.recording.path) this.onChange();
    });
    openWithWindow(reopenings, this.recording);
    this.onChange();
  }

  stop(): void {
    this.following.value = undefined;
  }

  dispose(): void {
    this.following.dispose();
    this.followed.dispose();
  }

  facts(): Pick<SnapshotFacts, 'now' | 'aheadMs' | 'history'> {
    const history = new HistoryRecorder(this.parts).history(0);
    return { now: this.parts.now(), aheadMs: 0, history };
  }

  /** @throws RowGone: nothing is open that time could move in */
  carryOut(): never {
    throw new RowGone();
  }

  reopen(): void {
    openAgain(this.parts.reopenings, this.recording);
  }

  /** @throws RowGone: nothing was read that could be saved */
  historyText(): never {
    throw new RowGone();
  }
}
