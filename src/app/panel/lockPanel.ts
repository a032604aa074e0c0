import { DisposableSlot, DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { parentPath } from '../../base/paths.ts';
import { HistoryRecorder } from '../../history/historyRecorder.ts';
import { isSingleNode } from '../../locks/libraries/singleNode.ts';
import type { Contender } from '../../locks/lockQueue.ts';
import {
  picturePageSize,
  timelineLanes,
  type HostMessage,
  type Intent,
  type PanelStatus,
  type PanelView,
} from '../../protocol.ts';
import type { MarkSource } from '../clusters/marks.ts';
import { nameOfLock, type LockNode } from '../clusters/clusterModel.ts';
import type { TitledLock } from './panelTitles.ts';
import { TableOrder } from './tableOrder.ts';
import { FollowedLock, type FollowedLockParts } from './followedLock.ts';
import { Pacer, type Pace, type PacerOptions } from '../../base/pacer.ts';
import { PanelIntents, type PanelActions } from './panelIntents.ts';
import type { PanelWords } from './panelWords.ts';
import { parsePageMessage } from './parsePageMessage.ts';

/** How often marks that depend on time alone (held for long) are computed again. */
const tickMs = 10_000;

/**
 * One snapshot covers changes that come together, for example a read and the event that the lock is live again. At most ten
 * snapshots a second, and fewer for long queues: building those takes much of a core.
 */
export const panelPace: Pace = { gatherMs: 10, spacingMs: 100, restPerWork: 12, longestSpacingMs: 500 };

/** The page, as the panel sees it. */
export interface PanelPage {
  readonly isVisible: boolean;
  post(message: HostMessage): void;
  onMessage(listener: (message: unknown) => void): Disposable;
  onVisibility(listener: () => void): Disposable;
}

export interface LockPanelParts extends FollowedLockParts, Pick<PacerOptions<never>, 'schedule'> {
  marks: MarkSource;
  actions: PanelActions;
  words: PanelWords;
  /** Whether a node belongs to a test lock of this window. */
  isOwn(clusterId: string, path: string): boolean;
  /** Language of the editor. */
  language: string;
  /** Epoch ms. */
  now(): number;
  /** Monotonic ms. */
  monotonicNow(): number;
  logger: Logger;
}

/**
 * One lock on one page. The page gets nothing before its first message; while it is visible it gets a snapshot after every
 * change. VS Code destroys a hidden page: the lock is then not watched, and the history says so.
 */
export class LockPanel implements Disposable {
  private readonly parts: LockPanelParts;
  private readonly page: PanelPage;
  private readonly owned = new DisposableStore();
  private readonly followed: FollowedLock;
  private readonly history: HistoryRecorder;
  private readonly pacer: Pacer<'page'>;
  private readonly intents: PanelIntents;
  private readonly order: TableOrder;
  private readonly tick = new DisposableSlot();
  private view: PanelView = { filter: '', tableFrom: 0, pictureCount: picturePageSize };
  private isReady = false;
  private revision = 0;
  /** The revision that the page shows; until that is the last one, no other is sent. */
  private drawn = 0;
  /** Something changed while the page was drawing. */
  private isBehind = false;
  /** The contenders that were recorded last. */
  private recorded: readonly Contender[] | undefined;
  /** Whether the picture is current. */
  private isCurrent = false;
  private lastSeenAt: number | undefined;
  private isGone = false;

  constructor(parts: LockPanelParts, page: PanelPage, lock: LockNode) {
    const { actions, words, logger } = parts;
    this.parts = parts;
    this.page = page;
    this.order = new TableOrder(kind => words.kind(kind));
    this.history = new HistoryRecorder(parts);
    this.followed = this.owned.add(new FollowedLock(parts, lock, () => this.update()));
    this.pacer = this.owned.add(
      new Pacer({
        ...panelPace,
        call: () => this.send(),
        schedule: (callback, ms) => parts.schedule(callback, ms),
        now: () => parts.monotonicNow(),
      }),
    );
    const { followed, history } = this;
    this.intents = new PanelIntents({
      followed,
      history,
      actions,
      words,
      cycles: () => parts.marks.of(followed.lock, parts.now()).cycles,
      now: () => parts.now(),
      logger,
      onChange: () => this.refresh(),
    });
    this.owned.add(page.onMessage(message => this.receive(message)));
    this.owned.add(
      page.onVisibility(() => {
        if (!page.isVisible) this.stop();
      }),
    );
  }

  /** The row of the lock on this page, or the last one. */
  get lock(): LockNode {
    return this.followed.lock;
  }

  /** Whether this row belongs to the lock on this page. */
  shows(lock: LockNode): boolean {
    return this.followed.is(lock);
  }

  /** What it is called after. */
  get titled(): TitledLock {
    const { lock, profile } = this.followed;
    const directory = lock.lockName === undefined ? parentPath(lock.path) : lock.path;
    return { name: nameOfLock(lock), cluster: profile.name, directory };
  }

  dispose(): void {
    this.isReady = false;
    this.tick.dispose();
    this.owned.dispose();
  }

  private receive(value: unknown): void {
    const message = parsePageMessage(value);
    if (message === undefined) {
      this.parts.logger.warn('The lock panel sent a malformed message; it was dropped.');
      return;
    }
    switch (message.type) {
      case 'ready':
        this.view = message.view;
        this.start();
        return;
      case 'view':
        this.view = message.view;
        this.pacer.add('page');
        return;
      case 'intent':
        void this.answer(message.intent);
        return;
      case 'drawn':
        this.drawn = message.revision;
        if (this.isBehind) this.pacer.add('page');
        return;
      case 'focus':
      // Looked at by lockPanels.ts.
    }
  }

  private start(): void {
    this.isReady = true;
    this.drawn = this.revision;
    const { language, words } = this.parts;
    this.page.post({ type: 'texts', texts: words.texts(), language, lock: this.followed.saved });
    this.followed.watch();
    this.keepTicking();
  }

  private keepTicking(): void {
    this.tick.value = this.parts.schedule(() => {
      this.pacer.add('page');
      this.keepTicking();
    }, tickMs);
  }

  private stop(): void {
    this.isReady = false;
    this.tick.value = undefined;
    this.stopRecording();
    this.followed.unwatch();
    this.pacer.cancel();
  }

  private async answer(intent: Intent): Promise<void> {
    const outcome = this.parts.words.outcome(await this.intents.answer(intent));
    if (this.isReady) this.page.post({ type: 'outcome', ...outcome });
  }

  /** Called after a change of the lock or of its connection. */
  private update(): void {
    if (!this.isReady) return;
    const contenders = this.followed.lock.queue?.contenders;
    if (contenders !== undefined && contenders !== this.recorded) {
      this.isGone = this.isGone && contenders.length === 0;
      if (contenders.length === 0) void this.lookForNode(contenders);
    }
    this.refresh();
  }

  /** Records the queue, or that it is not current, and sends a snapshot soon. */
  private refresh(): void {
    // An intent may end after its page was hidden.
    if (!this.isReady) return;
    if (showsCurrent(this.status())) this.record();
    else this.stopRecording();
    this.pacer.add('page');
  }

  private record(): void {
    const { contenders } = this.followed.queue;
    // The holder may be a node that cannot be read: no hold may be recorded, nor that the lock is free.
    if (this.followed.facts.isHolderUnknown) this.history.stopWatching();
    else if (contenders !== this.recorded || !this.history.isWatched) this.history.observe(contenders);
    this.recorded = contenders;
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

  private status(): PanelStatus {
    return this.parts.words.status({ ...this.followed.facts, isGone: this.isGone, lastSeenAt: this.lastSeenAt });
  }

  /** Finds out whether the node of an empty lock still exists. */
  private async lookForNode(contenders: readonly Contender[]): Promise<void> {
    const { browser, lock } = this.followed;
    // A lock that is a single node is free, not gone, without its node.
    if (isSingleNode(lock) || this.recorded?.some(({ path }) => path === lock.path) === true) return;
    try {
      const stat = await browser?.connection.client?.exists(lock.path);
      if (this.followed.queue.contenders !== contenders || browser?.connection.client === undefined) return;
      this.isGone = stat === undefined;
      this.pacer.add('page');
    } catch (error) {
      // The page then shows an empty lock, which is still true.
      this.parts.logger.info(`Cannot find out whether ${lock.path} exists: ${String(error)}`);
    }
  }

  private send(): void {
    if (!this.isReady || !this.page.isVisible) return;
    this.isBehind = this.drawn < this.revision;
    if (this.isBehind) return;
    const { followed, order, view, intents } = this;
    const { lock, queue, profile, clusterId } = followed;
    const now = this.parts.now();
    this.page.post({
      type: 'snapshot',
      snapshot: this.parts.words.snapshot({
        revision: ++this.revision,
        now,
        aheadMs: lock.cluster.sightings.aheadMs,
        status: this.status(),
        profile,
        isRemoved: followed.isRemoved,
        name: nameOfLock(lock),
        queue,
        marks: this.parts.marks.of(lock, now),
        view,
        history: this.history.history(timelineLanes),
        order,
        owners: intents.owners,
        isOwn: ({ path }) => this.parts.isOwn(clusterId, path),
      }),
    });
  }
}

/** Whether the shown queue is the current one. */
function showsCurrent({ state }: PanelStatus): boolean {
  return state === 'live' || state === 'empty' || state === 'gone';
}
