import { DisposableSlot, DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { HistoryRecorder } from '../../history/historyRecorder.ts';
import type { Contender } from '../../locks/lockQueue.ts';
import {
  picturePageSize,
  timelineLanes,
  type HostMessage,
  type PageMessage,
  type PanelStatus,
  type PanelView,
} from '../../protocol.ts';
import type { MarkSource } from '../../app/clusters/marks.ts';
import type { LockNode } from '../../app/clusters/clusterModel.ts';
import { buildSnapshot } from './buildSnapshot.ts';
import { FollowedLock, type FollowedLockParts } from './followedLock.ts';
import { IntentDesk, type PanelActions } from './intentDesk.ts';
import { lockName } from './lockName.ts';
import { Pacer, type Pace, type PacerOptions } from '../../base/pacer.ts';
import { panelStatus } from './panelStatus.ts';
import { panelTexts } from './panelTexts.ts';
import { parsePageMessage } from './parsePageMessage.ts';
import { TableOrder } from './tableOrder.ts';

/** How often marks that come with time alone (held for long) are looked for. */
const tickMs = 10_000;

/**
 * Gathers for example a read and the event that the lock is live again. At most ten snapshots a second, more than an eye can follow,
 * and fewer of queues that cost much: a queue of many thousands would keep a good part of a core busy.
 */
export const panelPace: Pace = { gatherMs: 10, spacingMs: 100, restPerWork: 12, longestSpacingMs: 500 };

/** The page's side of the panel, as far as this side sees it. */
export interface PanelPage {
  readonly isVisible: boolean;
  post(message: HostMessage): void;
  onMessage(listener: (message: unknown) => void): Disposable;
  onVisibility(listener: () => void): Disposable;
}

export interface LockPanelParts extends FollowedLockParts, Pick<PacerOptions<never>, 'schedule'> {
  marks: MarkSource;
  actions: PanelActions;
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
 * One lock on one page. Nothing is sent before the page has asked; while it can be seen it gets a fresh snapshot after every
 * change. A hidden page exists no longer: the lock is not watched, and the history says so.
 */
export class LockPanel implements Disposable {
  private readonly parts: LockPanelParts;
  private readonly page: PanelPage;
  private readonly owned = new DisposableStore();
  private readonly followed: FollowedLock;
  private readonly history: HistoryRecorder;
  private readonly pacer: Pacer<'page'>;
  private readonly desk: IntentDesk;
  private readonly order = new TableOrder();
  private readonly tick = new DisposableSlot();
  private view: PanelView = { filter: '', tableFrom: 0, pictureCount: picturePageSize };
  private isReady = false;
  private revision = 0;
  private seen: readonly Contender[] | undefined;
  private isSeeing = false;
  private lastSeenAt: number | undefined;
  private isGone = false;

  constructor(parts: LockPanelParts, page: PanelPage, lock: LockNode) {
    const { actions, logger } = parts;
    this.parts = parts;
    this.page = page;
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
    this.desk = new IntentDesk({
      followed,
      history,
      actions,
      now: () => parts.now(),
      logger,
      onChange: () => this.refresh(),
    });
    this.owned.add(page.onMessage(message => this.receive(message)));
    this.owned.add(
      page.onVisibility(() => {
        if (!page.isVisible) this.sleep();
      }),
    );
  }

  /** Whether that row is the row of the lock on this page. */
  shows(lock: LockNode): boolean {
    return this.followed.is(lock);
  }

  dispose(): void {
    this.isReady = false;
    this.tick.dispose();
    this.owned.dispose();
  }

  private receive(value: unknown): void {
    const message = parsePageMessage(value);
    if (message === undefined) {
      this.parts.logger.warn('A message of the lock panel is none that it may send; it was dropped.');
      return;
    }
    this.follow(message);
  }

  private follow(message: PageMessage): void {
    switch (message.type) {
      case 'ready':
        this.view = message.view;
        this.wake();
        return;
      case 'view':
        this.view = message.view;
        this.pacer.add('page');
        return;
      case 'intent':
        void this.answer(message);
    }
  }

  private wake(): void {
    this.isReady = true;
    this.page.post({ type: 'texts', texts: panelTexts(), language: this.parts.language });
    this.followed.watch();
    this.keepTicking();
  }

  private keepTicking(): void {
    this.tick.value = this.parts.schedule(() => {
      this.pacer.add('page');
      this.keepTicking();
    }, tickMs);
  }

  private sleep(): void {
    this.isReady = false;
    this.tick.value = undefined;
    this.lookAway();
    this.followed.unwatch();
    this.pacer.cancel();
  }

  private async answer({ request, intent }: Extract<PageMessage, { type: 'intent' }>): Promise<void> {
    const answer = await this.desk.answer(intent);
    if (this.isReady) this.page.post({ type: 'outcome', request, ...answer });
  }

  /** The lock or the way to it changed. */
  private update(): void {
    if (!this.isReady) return;
    const contenders = this.followed.lock.queue?.contenders;
    if (contenders !== undefined && contenders !== this.seen) {
      this.isGone = this.isGone && contenders.length === 0;
      if (contenders.length === 0) void this.lookForNode(contenders);
    }
    this.refresh();
  }

  /** Notes the queue as it is, or that it cannot be seen, and tells the page soon. */
  private refresh(): void {
    // What a page asked for may end when it is hidden.
    if (!this.isReady) return;
    if (isCurrent(this.status())) this.look();
    else this.lookAway();
    this.pacer.add('page');
  }

  private look(): void {
    const { contenders } = this.followed.queue;
    // Who holds meanwhile is not seen, so that nobody does must not be told either.
    if (this.followed.facts.isHolderUnknown) this.history.stopWatching();
    else if (contenders !== this.seen || !this.history.isWatched) this.history.observe(contenders);
    this.seen = contenders;
    this.isSeeing = true;
  }

  private lookAway(): void {
    const now = this.parts.now();
    // The end of the contact comes before it is noticed.
    if (this.isSeeing) this.lastSeenAt = Math.min(now, this.followed.lastContactAt ?? now);
    this.isSeeing = false;
    this.history.stopWatching();
  }

  private status(): PanelStatus {
    return panelStatus({ ...this.followed.facts, isGone: this.isGone, lastSeenAt: this.lastSeenAt });
  }

  /** An empty queue may mean that the lock itself was deleted. */
  private async lookForNode(contenders: readonly Contender[]): Promise<void> {
    const { browser, lock } = this.followed;
    // A lock that is a single node is free, not gone, when there is no node.
    if (lock.dialect === 'exclusive-node' || this.seen?.some(({ path }) => path === lock.path) === true) return;
    try {
      const stat = await browser?.connection.client?.exists(lock.path);
      if (this.followed.queue.contenders !== contenders || browser?.connection.client === undefined) return;
      this.isGone = stat === undefined;
      this.pacer.add('page');
    } catch (error) {
      // Nothing is lost but the difference between an empty lock and none.
      this.parts.logger.info(`Whether ${lock.path} exists is not known: ${String(error)}`);
    }
  }

  private send(): void {
    if (!this.isReady || !this.page.isVisible) return;
    const { followed, order, view, desk } = this;
    const { lock, queue, profile, clusterId } = followed;
    const now = this.parts.now();
    this.page.post({
      type: 'snapshot',
      snapshot: buildSnapshot({
        revision: ++this.revision,
        now,
        status: this.status(),
        profile,
        isRemoved: followed.isRemoved,
        name: lockName(lock),
        queue,
        marks: this.parts.marks.of(lock, now),
        view,
        history: this.history.history(timelineLanes),
        order,
        addresses: desk.addresses,
        isOwn: ({ path }) => this.parts.isOwn(clusterId, path),
      }),
    });
  }
}

/** Whether the queue is known to be as it is shown. */
function isCurrent({ state }: PanelStatus): boolean {
  return state === 'live' || state === 'empty' || state === 'gone';
}
