import { toDisposable } from '../../../../src/base/disposable.ts';
import { Emitter } from '../../../../src/base/event.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { ClusterRankings } from '../../../../src/app/blockers/rankedCluster.ts';
import type { ClusterNode, LockNode } from '../../../../src/app/clusters/clusterModel.ts';
import { ensureLock } from '../../../../src/app/clusters/lockCatalogue.ts';
import type { Reopening } from '../../../../src/app/recordings/reopenings.ts';
import type { ShownSubject } from '../../../../src/app/panel/savedSession.ts';
import { SessionPanel, type SessionPanelParts } from '../../../../src/extension/panel/sessionPanel.ts';
import type { LockQueue } from '../../../../src/locks/lockQueue.ts';
import type { SessionHostMessage, SessionState } from '../../../../src/sessionProtocol.ts';
import { eventually } from '../../../support/eventually.ts';
import { noon, ownersOf } from '../../app/sessions/sessionQueues.ts';
import { clusterNode } from '../fixtures.ts';

type Connection = ClusterNode['connection'];
type Asked = ReturnType<SessionPanelParts['actions']['askServers']>;

/** A session page with a cluster that the test changes, and what it sent and asked for. */
export class SessionPanelUnderTest {
  node: ClusterNode | undefined;
  connection: Connection = { kind: 'connected' };
  isPaused = false;
  isVisible = true;
  /** Epoch ms. */
  time = noon;
  reopening: Reopening | undefined;
  readonly sent: SessionHostMessage[] = [];
  readonly asked: unknown[][] = [];
  readonly changed = new Emitter<ClusterNode | LockNode>(nullLogger);
  readonly listChanged = new Emitter<undefined>(nullLogger);
  readonly stateChanged = new Emitter<undefined>(nullLogger);
  readonly reopened = new Emitter<string>(nullLogger);
  readonly messages = new Emitter<unknown>(nullLogger);
  readonly visibility = new Emitter<undefined>(nullLogger);
  readonly panel: SessionPanel;
  owners = ownersOf({ 1: '10.0.0.1:4000' });
  answer: () => Asked = () => Promise.resolve({ owners: this.owners });
  private readonly timers = new Set<() => void>();

  constructor(
    queues: readonly LockQueue[],
    { node, ...shown }: Partial<ShownSubject> & { node?: Partial<ClusterNode> } = {},
  ) {
    this.node = clusterNode(node);
    for (const queue of queues) this.setQueue(queue);
    this.panel = new SessionPanel(this.parts(), this.page(), {
      cluster: 'orders',
      clusterName: 'Orders',
      subject: { kind: 'session', id: 1n },
      ...shown,
    });
  }

  setQueue(queue: LockQueue, fields: Partial<LockNode> = {}): void {
    if (this.node === undefined) throw new Error('There is no cluster.');
    const { lock } = ensureLock(this.node, queue.path, queue.lockName, queue.dialect);
    Object.assign(lock, { queue, live: true, ...fields });
    this.changed.fire(lock);
  }

  /** The page is there. */
  ready(): Promise<SessionState> {
    this.messages.fire({ type: 'ready' });
    return this.nextState();
  }

  /** Lets the time of the pacer pass, and waits for what it leads to. */
  async nextState(): Promise<SessionState> {
    const before = this.states.length;
    this.elapse();
    await eventually(() => {
      this.elapse();
      if (this.states.length === before) throw new Error('No state was sent.');
    }, 3_000);
    const [last] = this.states.slice(-1);
    if (last === undefined) throw new Error('No state was sent.');
    return last;
  }

  /** Waits for a state that fits. */
  async until(fits: (state: SessionState) => boolean): Promise<SessionState> {
    return eventually(() => {
      this.elapse();
      const found = this.states.at(-1);
      if (found === undefined || !fits(found)) throw new Error(`The last state: ${JSON.stringify(found)}`);
      return found;
    }, 3_000);
  }

  get states(): SessionState[] {
    return this.sent.flatMap(message => (message.type === 'state' ? [message.state] : []));
  }

  get kept(): unknown {
    return this.sent.findLast(({ type }) => type === 'keep');
  }

  private elapse(): void {
    const due = [...this.timers];
    this.timers.clear();
    for (const callback of due) callback();
  }

  private page() {
    const isVisible = (): boolean => this.isVisible;
    return {
      get isVisible() {
        return isVisible();
      },
      post: (message: SessionHostMessage) =>
        void this.sent.push(JSON.parse(JSON.stringify(message)) as SessionHostMessage),
      onMessage: this.messages.event,
      onVisibility: (listener: () => void) => this.visibility.event(listener),
    };
  }

  private parts(): SessionPanelParts {
    const note =
      (name: string) =>
      (...values: unknown[]): Promise<void> => {
        this.asked.push([name, ...values]);
        return Promise.resolve();
      };
    const isPaused = (): boolean => this.isPaused;
    let time = 0;
    return {
      registry: {
        get: () =>
          this.node && ({ node: this.node, connection: { state: this.connection } } as unknown as ReturnType<SessionPanelParts['registry']['get']>), // prettier-ignore
        onChange: this.listChanged.event,
        onNodeChange: this.changed.event,
      },
      state: {
        get paused() {
          return isPaused();
        },
        onChange: this.stateChanged.event,
      },
      reopenings: {
        of: () => this.reopening,
        open: (...values: unknown[]) => void this.asked.push(['open', ...values]),
        onChange: this.reopened.event,
      },
      rankings: new ClusterRankings(),
      actions: {
        copy: note('copy'),
        showQueue: note('showQueue'),
        showSession: (cluster, subject) => void this.asked.push(['showSession', cluster.id, subject]),
        lookForOwners: () => (this.connection.kind === 'connected' ? this.answer() : undefined),
        askServers: () => this.answer(),
        connect: note('connect'),
        openRow: () => undefined,
        report: error => void this.asked.push(['report', error]),
      },
      language: 'en',
      schedule: (callback, ms) => {
        // Ages are not what is tested.
        if (ms < 10_000) this.timers.add(callback);
        return toDisposable(() => this.timers.delete(callback));
      },
      now: () => this.time,
      monotonicNow: () => (time += 1_000),
      logger: nullLogger,
    };
  }
}
