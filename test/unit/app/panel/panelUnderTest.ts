import { expect } from 'vitest';
import { toDisposable, type Disposable } from '../../../../src/base/disposable.ts';
import { Emitter } from '../../../../src/base/event.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { ClusterBrowser, type Inspector, type Recorded } from '../../../../src/app/clusters/clusterBrowser.ts';
import type { RecorderSource } from '../../../../src/app/clusters/clusterRecorder.ts';
import { ensureLock } from '../../../../src/app/clusters/lockCatalogue.ts';
import { QueueMarks } from '../../../../src/app/clusters/queueMarks.ts';
import type { PanelActions } from '../../../../src/app/panel/panelIntents.ts';
import type { OpenRecordings } from '../../../../src/app/recordings/openRecordings.ts';
import { Reopenings } from '../../../../src/app/recordings/reopenings.ts';
import { LockPanel } from '../../../../src/app/panel/lockPanel.ts';
import type { WebviewPage } from '../../../../src/app/panel/pageLife.ts';
import type { SavedRecording } from '../../../../src/app/panel/savedLock.ts';
import { panelWords } from '../../../../src/extension/panel/panelWords.ts';
import type { ClusterNode, LockNode } from '../../../../src/app/clusters/clusterModel.ts';
import { ViewState } from '../../../../src/app/clusters/viewState.ts';
import type { LockQueue } from '../../../../src/locks/lockQueue.ts';
import type { HostMessage, Intent, PanelSnapshot, PanelView } from '../../../../src/protocol.ts';
import { eventually } from '../../../support/eventually.ts';
import { FakeClient } from '../../../support/fakeClient.ts';
import { ownerFacts } from './ownerAnswers.ts';
import { browserParts, now, profileNamed } from '../../extension/fixtures.ts';

export const lockPath = '/locks/a';
export const wholeView: PanelView = { filter: '', tableFrom: 0, pictureCount: 50 };

/** The page's side: what it was sent, and what it says. */
export class FakePage implements WebviewPage<HostMessage> {
  readonly sent: HostMessage[] = [];
  isVisible = true;
  /** Whether it draws what it is sent, and says so. */
  isDrawing = true;
  private readonly messages = new Emitter<unknown>(nullLogger);
  private readonly visibility = new Emitter<undefined>(nullLogger);

  readonly onMessage = (listener: (message: unknown) => void): Disposable => this.messages.event(listener);
  readonly onVisibility = (listener: () => void): Disposable => this.visibility.event(listener);

  get listeners(): number {
    return this.messages.listenerCount + this.visibility.listenerCount;
  }

  get snapshots(): PanelSnapshot[] {
    return this.sent.flatMap(message => (message.type === 'snapshot' ? [message.snapshot] : []));
  }

  get outcomes(): Extract<HostMessage, { type: 'outcome' }>[] {
    return this.sent.filter(message => message.type === 'outcome');
  }

  post(message: HostMessage): void {
    // As VS Code does it: what is sent is copied, and must be JSON.
    this.sent.push(JSON.parse(JSON.stringify(message)) as HostMessage);
    if (this.isDrawing) this.draw();
  }

  /** Says that the last snapshot is on screen. */
  draw(): void {
    const revision = this.snapshots.at(-1)?.revision;
    if (revision !== undefined) this.say({ type: 'drawn', revision });
  }

  say(message: unknown): void {
    this.messages.fire(message);
  }

  show(visible: boolean): void {
    this.isVisible = visible;
    this.visibility.fire(undefined);
  }
}

/** A panel on a lock of a cluster that the test plays: real browser, fake session, time that stands still. */
export class PanelUnderTest {
  readonly page = new FakePage();
  readonly watches = new Map<string, (queues: LockQueue[]) => void>();
  readonly asked: unknown[][] = [];
  readonly state = new ViewState(nullLogger);
  readonly clients: FakeClient[] = [];
  readonly browser: ClusterBrowser;
  readonly lock: LockNode;
  panel: LockPanel;
  readonly registryChanged = new Emitter<undefined>(nullLogger);
  queues: LockQueue[] = [];
  failure: unknown;
  /** Why no session can be opened. */
  refusal: unknown;
  clock = now;
  isListed = true;
  limit = 10;
  answers: Partial<PanelActions> = {};
  /** What reading the files of a recording again comes to. */
  reading: () => ReturnType<OpenRecordings['open']> = () => new Promise(() => undefined);
  isTrusted = true;
  readonly reopenings = new Reopenings({
    recordings: { open: (_, open) => open() },
    read: (source, { onProgress }) => {
      this.asked.push(['read', source]);
      onProgress(1, 4);
      return this.reading();
    },
    onOpened: () => this.registryChanged.fire(undefined),
    isTrusted: () => this.isTrusted,
    logger: nullLogger,
  });
  private timers: { callback: () => void; at: number }[] = [];
  private readonly changed = new Emitter<ClusterNode | LockNode>(nullLogger);

  /** @param recorded the record of the past that the cluster is. @param recorders of a live one */
  constructor(inspector?: Inspector, recorded?: Recorded, recorders?: RecorderSource) {
    const parts = browserParts({
      openSession: () => {
        if (this.refusal !== undefined) return reject(this.refusal);
        const client = new FakeClient();
        this.clients.push(client);
        return Promise.resolve(client);
      },
      recorded: () => recorded,
      ...(recorders === undefined ? {} : { recorders }),
      loadInspector: () => Promise.resolve(inspector ?? this.inspector()),
      budget: { used: 0, limit: () => this.limit },
      onChange: node => this.changed.fire(node),
      schedule: (callback, ms) => this.schedule(callback, ms),
      now: () => this.clock,
      wallNow: () => this.clock,
    });
    this.browser = new ClusterBrowser(profileNamed('orders', { environment: 'production' }), parts);
    this.lock = ensureLock(this.browser.node, lockPath, undefined, 'curator').lock;
    this.panel = new LockPanel(this.panelParts(), this.page, this.lock);
  }

  /** The last snapshot; throws if there is none. */
  get last(): PanelSnapshot {
    const snapshot = this.page.snapshots.at(-1);
    if (snapshot === undefined) throw new Error('No snapshot was sent.');
    return snapshot;
  }

  get listeners(): number {
    return this.changed.listenerCount + this.registryChanged.listenerCount + this.page.listeners;
  }

  /** Another lock has the panel from now on. */
  openOn(lock: LockNode, awaited?: SavedRecording): void {
    this.panel.dispose();
    this.panel = new LockPanel(this.panelParts(), this.page, lock, awaited);
  }

  /** Connects, opens the page, and lets the first snapshot come. */
  async open(queue?: LockQueue): Promise<void> {
    this.queues = queue === undefined ? [] : [queue];
    await this.browser.connect();
    this.page.say({ type: 'ready', view: wholeView });
    await this.pass(200);
  }

  /** The cluster reports a new queue. */
  report(queue: LockQueue | undefined): void {
    this.queues = queue === undefined ? [] : [queue];
    this.watches.get(lockPath)?.(this.queues);
  }

  async ask(intent: Intent): Promise<Extract<HostMessage, { type: 'outcome' }> | undefined> {
    const before = this.page.outcomes.length;
    this.page.say({ type: 'intent', intent });
    await settled();
    return this.page.outcomes[before];
  }

  /** Lets time pass until the page shows this; the real inspector takes its time. */
  async shows(expected: object): Promise<void> {
    await eventually(async () => {
      await this.pass(200);
      expect(this.last).toMatchObject(expected);
    });
  }

  /** Lets time pass; timers run in order. */
  async pass(ms: number): Promise<void> {
    await settled();
    const end = this.clock + ms;
    for (;;) {
      const due = this.timers.filter(({ at }) => at <= end).sort((left, right) => left.at - right.at)[0];
      if (due === undefined) break;
      this.timers = this.timers.filter(timer => timer !== due);
      this.clock = Math.max(this.clock, due.at);
      due.callback();
      await settled();
    }
    this.clock = end;
  }

  private schedule(callback: () => void, ms: number): Disposable {
    const timer = { callback, at: this.clock + ms };
    this.timers.push(timer);
    return toDisposable(() => {
      this.timers = this.timers.filter(other => other !== timer);
    });
  }

  private inspector(): Inspector {
    return {
      findLocks: () => Promise.resolve({ locks: [], visited: 1, truncated: false, denied: [] }),
      readQueues: () => (this.failure === undefined ? Promise.resolve(this.queues) : reject(this.failure)),
      watchQueues: (_client, path, listener) => {
        if (this.failure !== undefined) return reject(this.failure);
        this.watches.set(path, listener);
        listener(this.queues);
        return Promise.resolve(toDisposable(() => this.watches.delete(path)));
      },
    };
  }

  private panelParts(): ConstructorParameters<typeof LockPanel>[0] {
    const note =
      <T>(name: keyof PanelActions, otherwise: T) =>
      (...values: unknown[]): Promise<T> => {
        this.asked.push([name, ...values]);
        const answer = this.answers[name] as ((...values: unknown[]) => Promise<T>) | undefined;
        return answer?.(...values) ?? Promise.resolve(otherwise);
      };
    return {
      registry: {
        get: () => (this.isListed ? this.browser : undefined),
        onChange: this.registryChanged.event,
        onNodeChange: this.changed.event,
      },
      state: this.state,
      marks: new QueueMarks(
        () => ({ longHeldMs: 3_600_000, deadlockMs: 30_000 }),
        () => this.clock,
      ),
      actions: {
        copy: note('copy', undefined),
        showNodeData: note('showNodeData', undefined),
        forceDelete: note('forceDelete', undefined),
        showSession: note('showSession', undefined),
        showQueue: note('showQueue', undefined),
        explain: note('explain', undefined),
        explainPast: note('explainPast', undefined),
        findOwners: note('findOwners', ownerFacts()),
        save: note('save', 'file'),
        reconnect: note('reconnect', undefined),
      },
      reopenings: this.reopenings,
      words: panelWords,
      isOwn: (_cluster, path) => path.endsWith('own'),
      language: 'en',
      schedule: (callback, ms) => this.schedule(callback, ms),
      now: () => this.clock,
      monotonicNow: () => this.clock,
      logger: nullLogger,
    };
  }
}

function reject(cause: unknown): Promise<never> {
  return Promise.reject(cause instanceof Error ? cause : new Error(String(cause)));
}

export async function settled(): Promise<void> {
  for (let turn = 0; turn < 6; turn++) await new Promise(resolve => setImmediate(resolve));
}
