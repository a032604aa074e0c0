import { DisposableSlot, DisposableStore, type Disposable } from '../../base/disposable.ts';
import { parentPath } from '../../base/paths.ts';
import { picturePageSize, type HostMessage, type Intent, type PageMessage, type PanelView } from '../../protocol.ts';
import type { MarkSource } from '../clusters/marks.ts';
import { nameOfLock, type LockNode } from '../clusters/clusterModel.ts';
import { AwaitedLock } from './awaitedLock.ts';
import type { TitledLock } from './panelTitles.ts';
import { TableOrder } from './tableOrder.ts';
import type { FollowedLockParts } from './followedLock.ts';
import { LiveLock } from './liveLock.ts';
import type { PanelLock } from './panelLock.ts';
import { RecordedLock } from './recordedLock.ts';
import type { Pace } from '../../base/pacer.ts';
import { PageLife, type PageLifeParts, type WebviewPage } from './pageLife.ts';
import { PanelIntents, type PanelActions } from './panelIntents.ts';
import type { PanelWords } from './panelWords.ts';
import { parsePageMessage } from './parsePageMessage.ts';
import type { Reopenings } from '../recordings/reopenings.ts';
import { lockOf, type SavedRecording } from './savedLock.ts';

/**
 * One snapshot covers changes that come together, for example a read and the event that the lock is live again. At most ten
 * snapshots a second, and fewer for long queues: building those takes much of a core.
 */
export const panelPace: Pace = { gatherMs: 10, spacingMs: 100, restPerWork: 12, longestSpacingMs: 500 };

export interface LockPanelParts extends FollowedLockParts, PageLifeParts {
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
}

/**
 * One lock on one page. The page gets nothing before its first message; while it is visible it gets a snapshot after every
 * change. VS Code destroys a hidden page: the lock is then not watched, and the history says so.
 */
export class LockPanel implements Disposable {
  private readonly parts: LockPanelParts;
  private readonly owned = new DisposableStore();
  private shown: PanelLock;
  private readonly ownedLock = new DisposableSlot();
  private readonly life: PageLife<HostMessage, PageMessage>;
  private readonly intents: PanelIntents;
  private readonly order: TableOrder;
  private view: PanelView = { filter: '', tableFrom: 0, pictureCount: picturePageSize };
  private revision = 0;
  /** The revision that the page shows; until that is the last one, no other is sent. */
  private drawn = 0;
  /** Something changed while the page was drawing. */
  private isBehind = false;

  /** @param awaited of a lock whose recording is not open: what opens that */
  constructor(parts: LockPanelParts, page: WebviewPage<HostMessage>, lock: LockNode, awaited?: SavedRecording) {
    const { actions, words, logger } = parts;
    this.parts = parts;
    this.order = new TableOrder(kind => words.kind(kind));
    this.owned.add(this.ownedLock);
    this.ownedLock.value = this.shown = this.lockToShow(lock, awaited);
    this.life = this.owned.add(
      new PageLife(parts, page, {
        name: 'a lock',
        pace: panelPace,
        parse: parsePageMessage,
        receive: message => this.receive(message),
        send: () => this.send(),
        // Marks that depend on time alone: held for long.
        tick: () => this.life.refresh(),
        stop: () => this.shown.stop(),
      }),
    );
    this.intents = new PanelIntents({
      shown: () => this.shown,
      actions,
      words,
      cycles: () => parts.marks.of(this.shown.lock, parts.now()).cycles,
      now: () => parts.now(),
      logger,
      onChange: () => this.life.refresh(),
    });
    this.owned.add(parts.registry.onChange(() => this.followRecording()));
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
    this.owned.dispose();
  }

  private lockToShow(lock: LockNode, awaited?: SavedRecording): PanelLock {
    const { parts } = this;
    const { time } = lock.cluster;
    const onChange = (): void => this.life.refresh();
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
    if (this.life.isThere) this.shown.start();
  }

  private receive(message: PageMessage): void {
    switch (message.type) {
      case 'ready':
        this.view = message.view;
        this.start();
        return;
      case 'view':
        this.view = message.view;
        this.life.refresh();
        return;
      case 'intent':
        void this.answer(message.intent);
        return;
      case 'drawn':
        this.drawn = message.revision;
        if (this.isBehind) this.life.refresh();
        return;
      case 'focus':
      // Looked at by lockPanels.ts.
    }
  }

  private start(): void {
    this.drawn = this.revision;
    const { language, words } = this.parts;
    const lock = this.shown.saved;
    this.life.keeps(lock);
    this.life.start({ type: 'texts', texts: words.texts(), language, lock });
    this.shown.start();
  }

  private async answer(intent: Intent): Promise<void> {
    const outcome = this.parts.words.outcome(await this.intents.answer(intent));
    this.life.post({ type: 'outcome', ...outcome });
  }

  private send(): void {
    this.isBehind = this.drawn < this.revision;
    if (this.isBehind) return;
    const { shown, order, view, intents } = this;
    const { lock, queue, profile, clusterId, status, isRemoved } = shown;
    const facts = shown.facts(view);
    this.life.post({
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
    if (this.life.keeps(saved)) this.life.post({ type: 'keep', lock: saved });
  }
}
