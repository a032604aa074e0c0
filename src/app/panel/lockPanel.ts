import { DisposableSlot, DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { parentPath } from '../../base/paths.ts';
import { picturePageSize, type HostMessage, type Intent, type PanelView } from '../../protocol.ts';
import type { MarkSource } from '../clusters/marks.ts';
import { nameOfLock, type LockNode } from '../clusters/clusterModel.ts';
import { AwaitedLock } from './awaitedLock.ts';
import type { TitledLock } from './panelTitles.ts';
import { TableOrder } from './tableOrder.ts';
import type { FollowedLockParts } from './followedLock.ts';
import { LiveLock } from './liveLock.ts';
import type { PanelLock } from './panelLock.ts';
import { RecordedLock } from './recordedLock.ts';
import { Pacer, type Pace, type PacerOptions } from '../../base/pacer.ts';
import { PanelIntents, type PanelActions } from './panelIntents.ts';
import type { PanelWords } from './panelWords.ts';
import { parsePageMessage } from './parsePageMessage.ts';
import type { Reopenings } from '../recordings/reopenings.ts';
import { lockOf, type SavedLock, type SavedRecording } from './savedLock.ts';

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
  reopenings: Pick<Reopenings, 'of' | 'open' | 'onChange'>;
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
  private shown: PanelLock;
  private readonly ownedLock = new DisposableSlot();
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
  /** What the page keeps of the lock, as JSON. */
  private kept = '';

  /** @param awaited of a lock whose recording is not open: what opens that */
  constructor(parts: LockPanelParts, page: PanelPage, lock: LockNode, awaited?: SavedRecording) {
    const { actions, words, logger } = parts;
    this.parts = parts;
    this.page = page;
    this.order = new TableOrder(kind => words.kind(kind));
    const onChange = (): void => this.refresh();
    this.owned.add(this.ownedLock);
    this.ownedLock.value = this.shown = this.lockToShow(lock, awaited);
    this.pacer = this.owned.add(
      new Pacer({
        ...panelPace,
        call: () => this.send(),
        schedule: (callback, ms) => parts.schedule(callback, ms),
        now: () => parts.monotonicNow(),
      }),
    );
    this.intents = new PanelIntents({
      shown: () => this.shown,
      actions,
      words,
      cycles: () => parts.marks.of(this.shown.lock, parts.now()).cycles,
      now: () => parts.now(),
      logger,
      onChange,
    });
    this.owned.add(parts.registry.onChange(() => this.followRecording()));
    this.owned.add(page.onMessage(message => this.receive(message)));
    this.owned.add(
      page.onVisibility(() => {
        if (!page.isVisible) this.stop();
      }),
    );
  }

  /** The row of the lock on this page, or the last one. */
  get lock(): LockNode {
    return this.shown.lock;
  }

  /** Whether this row belongs to the lock on this page. */
  shows(lock: LockNode): boolean {
    return this.shown.is(lock);
  }

  /** What it is called after. */
  get titled(): TitledLock {
    const { lock, profile } = this.shown;
    const directory = lock.lockName === undefined ? parentPath(lock.path) : lock.path;
    return { name: nameOfLock(lock), cluster: profile.name, directory };
  }

  dispose(): void {
    this.isReady = false;
    this.tick.dispose();
    this.owned.dispose();
  }

  private lockToShow(lock: LockNode, awaited?: SavedRecording): PanelLock {
    const { parts } = this;
    const { time } = lock.cluster;
    const onChange = (): void => this.refresh();
    if (time !== undefined) return new RecordedLock(parts, lock, time, onChange);
    return awaited === undefined
      ? new LiveLock(parts, lock, onChange)
      : new AwaitedLock(parts, lock, awaited, onChange);
  }

  /** The recording of the lock is in the list, for the first time in this window or again. */
  private followRecording(): void {
    const { registry } = this.parts;
    const { shown } = this;
    const time = registry.get(shown.clusterId)?.node.time;
    if (time === undefined || time === shown.time) return;
    this.ownedLock.value = this.shown = this.lockToShow(lockOf(registry, shown.saved));
    if (this.isReady) this.shown.start();
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
    const lock = this.keep(this.shown.saved);
    this.page.post({ type: 'texts', texts: words.texts(), language, lock });
    this.shown.start();
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
    this.shown.stop();
    this.pacer.cancel();
  }

  private async answer(intent: Intent): Promise<void> {
    const outcome = this.parts.words.outcome(await this.intents.answer(intent));
    if (this.isReady) this.page.post({ type: 'outcome', ...outcome });
  }

  /** Sends a snapshot soon. */
  private refresh(): void {
    if (this.isReady) this.pacer.add('page');
  }

  private keep(saved: SavedLock): SavedLock {
    this.kept = JSON.stringify(saved);
    return saved;
  }

  private send(): void {
    if (!this.isReady || !this.page.isVisible) return;
    this.isBehind = this.drawn < this.revision;
    if (this.isBehind) return;
    const { shown, order, view, intents } = this;
    const { lock, queue, profile, clusterId, status, isRemoved } = shown;
    const facts = shown.facts(view);
    this.page.post({
      type: 'snapshot',
      snapshot: this.parts.words.snapshot({
        revision: ++this.revision,
        ...facts,
        status,
        profile,
        isRemoved,
        name: nameOfLock(lock),
        queue,
        marks: this.parts.marks.of(lock, this.parts.now()),
        view,
        order,
        owners: intents.owners,
        isOwn: ({ path }) => this.parts.isOwn(clusterId, path),
      }),
    });
    const { saved } = shown;
    // The moment of a recording, or that it was closed.
    if (JSON.stringify(saved) !== this.kept) this.page.post({ type: 'keep', lock: this.keep(saved) });
  }
}
