import { DisposableSlot, type Disposable } from '../../base/disposable.ts';
import type { LockName } from '../../history/lockHistory.ts';
import type { TimeSpan } from '../../historyProtocol.ts';
import type { ClusterRecorder } from '../clusters/clusterRecorder.ts';
import type { SeenFacts } from './panelWords.ts';
import { RecordOfLock } from './recordOfLock.ts';

interface SeenPastParts {
  /** The recorder of the lock's cluster; `undefined` for a cluster that is not in the list. */
  recorder(): ClusterRecorder | undefined;
  /** By which the recorder knows it. */
  lock(): LockName;
  /** Epoch ms of the server's clock. */
  serverNow(): number;
  /** Called when more is known. */
  onChange(): void;
  schedule(callback: () => void, ms: number): Disposable;
}

/** The recorder reads a change of a lock on its own, mostly sooner than this, ms. */
const behindMs = 300;

/** The page may ask by a snapshot that is a little older than the last one, ms. */
const lateMs = 2_000;

/** What the recorder of this window has seen of a live lock: nothing while it does not record its cluster. */
export class SeenPast implements Disposable {
  private readonly parts: SeenPastParts;
  private readonly following = new DisposableSlot();
  private readonly later = new DisposableSlot();
  private followed: ClusterRecorder | undefined;
  private entries: number | undefined;
  /** All of the time as it was given last, and the part that the page asks for, by the clock of this machine. */
  private whole: TimeSpan | undefined;
  private asked: { part: TimeSpan; reachesNow: boolean } | undefined;
  private readonly record: RecordOfLock;

  constructor(parts: SeenPastParts) {
    this.parts = parts;
    this.record = new RecordOfLock(
      () => {
        const { past } = this;
        if (past === undefined) throw new Error('nothing is recorded');
        return { past, version: `${past.from.zxid} ${past.entries}`, until: parts.serverNow() };
      },
      () => parts.lock(),
    );
  }

  /** The lock has changed, or its cluster, which after it was added again has another recorder. */
  follow(): void {
    const recorder = this.parts.recorder();
    if (recorder?.past !== undefined) this.later.value = this.parts.schedule(() => this.look(), behindMs);
    if (recorder === this.followed && this.following.value !== undefined) return;
    this.followed = recorder;
    this.following.value = recorder?.onChange(() => this.look());
  }

  unfollow(): void {
    this.following.value = undefined;
    this.later.value = undefined;
  }

  /** @param asked the part of the time that the page asks for, by the clock of this machine. @param aheadMs of that clock */
  facts(asked: TimeSpan | undefined, aheadMs: number): SeenFacts | undefined {
    const { past } = this;
    this.entries = past?.entries;
    if (past === undefined) return undefined;
    const now = this.parts.serverNow();
    const wanted = asked && this.upToNow(asked, now + aheadMs);
    const part = this.record.part(wanted && { from: wanted.from - aheadMs, to: wanted.to - aheadMs }, now);
    this.whole = { from: part.whole.from + aheadMs, to: part.whole.to + aheadMs };
    return { ...part, gaps: past.gaps, aheadMs };
  }

  /** A part that reached up to now when it was asked for goes on to do so. @param now as `part`, epoch ms by the clock of this machine */
  private upToNow(part: TimeSpan, now: number): TimeSpan {
    const { asked, whole } = this;
    if (asked?.part.from !== part.from || asked.part.to !== part.to) {
      this.asked = { part, reachesNow: whole !== undefined && part.to >= whole.to - lateMs };
    }
    if (this.asked?.reachesNow !== true) return part;
    const isWhole = whole !== undefined && part.from <= whole.from;
    return { from: isWhole ? part.from : part.from + now - part.to, to: now };
  }

  /** All holds and waits of the lock as a file. @param cluster its name */
  text(format: 'json' | 'csv', cluster: string): string | undefined {
    return this.past === undefined ? undefined : this.record.text(format, cluster);
  }

  dispose(): void {
    this.following.dispose();
    this.later.dispose();
  }

  private look(): void {
    if (this.past?.entries !== this.entries) this.parts.onChange();
  }

  private get past() {
    return this.parts.recorder()?.past;
  }
}
