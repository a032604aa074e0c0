import { DisposableSlot, DisposableStore, type Disposable } from '../../base/disposable.ts';
import { inTurns } from '../../base/interruptible.ts';
import type { Pace } from '../../base/pacer.ts';
import type { ClusterRankings } from '../../app/blockers/rankedCluster.ts';
import { clusterOf, serverTime, type ClusterNode } from '../../app/clusters/clusterModel.ts';
import type { ConnectionState } from '../../app/clusters/clusterConnection.ts';
import type { ClusterRegistry } from '../../app/clusters/clusterRegistry.ts';
import type { FollowedLockParts } from '../../app/panel/followedLock.ts';
import { PageLife, type PageLifeParts, type WebviewPage } from '../../app/panel/pageLife.ts';
import { parseSessionMessage } from '../../app/panel/parseSessionMessage.ts';
import { openAgain, openWithWindow, savedRecordingOf, type SavedRecording } from '../../app/panel/savedLock.ts';
import { subjectFields, type SavedSession, type ShownSubject } from '../../app/panel/savedSession.ts';
import type { Reopenings } from '../../app/recordings/reopenings.ts';
import { isSameSubject, readSubject, type Subject } from '../../app/sessions/subject.ts';
import type {
  PageLock,
  PageSubject,
  SessionCopyPart,
  SessionHostMessage,
  SessionPageMessage,
  SessionState,
} from '../../sessionProtocol.ts';
import { l10n } from '../words/language.ts';
import { logText } from '../words/errorText.ts';
import { sessionTexts, subjectTitle } from '../words/sessionPageText.ts';
import { connectionText, reopeningStatus } from './panelStatus.ts';
import { historyEveryMs, SessionContent } from './sessionContent.ts';
import { SessionServers, type ServerQuestions } from './sessionServers.ts';
import { emptyState, endingLines, locksOn } from './sessionState.ts';

/** Changes that come together are shown together; expensive states are made less often, but on a busy machine all take long. */
const pace: Pace = { gatherMs: 50, spacingMs: 250, restPerWork: 3, longestSpacingMs: 1_000 };

/** What a page does outside of itself. Each method rejects with the cause, or with CancelledError. */
export interface SessionActions extends ServerQuestions {
  copy(text: string): Promise<void>;
  showQueue(cluster: string, lock: PageLock): Promise<void>;
  showSession(cluster: ClusterNode, subject: Subject): void;
  connect(cluster: string): Promise<void>;
  /** So that its locks are read. */
  openRow(cluster: string): void;
  report(error: unknown): void;
}

export interface SessionPanelParts extends FollowedLockParts, PageLifeParts {
  reopenings: Pick<Reopenings, 'of' | 'open' | 'onChange'>;
  rankings: Pick<ClusterRankings, 'of'>;
  actions: SessionActions;
  language: string;
  /** Epoch ms. */
  now(): number;
}

/**
 * One session, or all of one address or identifier, on one page. Made of the queues that are loaded; only the servers are asked for
 * their clients: once when it opens on a connected cluster, and on request.
 */
export class SessionPanel implements Disposable {
  readonly subject: Subject;
  private readonly parts: SessionPanelParts;
  private readonly clusterId: string;
  private readonly owned = new DisposableStore();
  private readonly life: PageLife<SessionHostMessage, SessionPageMessage>;
  /** While there is a page: what it shows may change, its recorder knows more, its history is incomplete. */
  private readonly following = this.owned.add(new DisposableSlot());
  private readonly recorder = this.owned.add(new DisposableSlot());
  private readonly completing = this.owned.add(new DisposableSlot());
  private readonly servers: SessionServers;
  private readonly content: SessionContent;
  private clusterName: string;
  private recording: SavedRecording | undefined;
  private wasOpen = false;
  private followed: ClusterNode | undefined;
  /** The last state of a cluster that was connected. */
  private last: SessionState | undefined;

  constructor(parts: SessionPanelParts, page: WebviewPage<SessionHostMessage>, shown: ShownSubject) {
    this.parts = parts;
    this.subject = shown.subject;
    this.clusterId = shown.cluster;
    this.clusterName = shown.clusterName;
    this.recording = shown.recording;
    this.life = this.owned.add(
      new PageLife(parts, page, {
        name: 'a session',
        pace,
        parse: parseSessionMessage,
        receive: message => this.receive(message),
        send: () => this.send(),
        tick: () => this.follow(),
        stop: () => this.stop(),
      }),
    );
    this.servers = new SessionServers(parts, shown.subject, () => this.life.refresh());
    this.content = new SessionContent(shown.subject, this.servers);
  }

  /** The name of the cluster. Foreign text. */
  get cluster(): string {
    this.clusterName = this.node?.profile.name ?? this.clusterName;
    return this.clusterName;
  }

  shows(cluster: string, subject: Subject): boolean {
    return cluster === this.clusterId && isSameSubject(subject, this.subject);
  }

  dispose(): void {
    this.owned.dispose();
  }

  private get browser(): ReturnType<ClusterRegistry['get']> {
    return this.parts.registry.get(this.clusterId);
  }

  private get node(): ClusterNode | undefined {
    return this.browser?.node;
  }

  private get connection(): ConnectionState | undefined {
    return this.browser?.connection.state;
  }

  private receive(message: SessionPageMessage): void {
    if (message.type === 'ready') this.start();
    else this.carryOut(message).catch((error: unknown) => this.parts.actions.report(error));
  }

  private async carryOut(message: Exclude<SessionPageMessage, { type: 'ready' }>): Promise<void> {
    switch (message.type) {
      case 'askServers':
        return this.node && this.servers.ask(this.node);
      case 'connect':
        return this.connect();
      case 'showSession':
        this.showSession(message.subject);
        return;
      case 'showQueue':
        return this.showQueue(message.lock);
      case 'copy':
        return this.copy(message.part);
    }
  }

  private async connect(): Promise<void> {
    if (this.node !== undefined) await this.parts.actions.connect(this.clusterId);
    else if (this.recording !== undefined) openAgain(this.parts.reopenings, this.recording);
  }

  private showSession(named: PageSubject): void {
    const subject = readSubject(named);
    if (subject !== undefined && this.node !== undefined) this.parts.actions.showSession(this.node, subject);
  }

  /** Only locks that are on the page. */
  private async showQueue({ path, lockName }: PageLock): Promise<void> {
    const lock = locksOn(this.last).find(each => each?.path === path && each.lockName === lockName);
    if (lock !== undefined) await this.parts.actions.showQueue(this.clusterId, lock);
  }

  private start(): void {
    const { registry, state, reopenings, language } = this.parts;
    this.life.start({ type: 'texts', texts: sessionTexts(), language });
    const following = new DisposableStore();
    following.add(registry.onChange(() => this.follow()));
    following.add(
      registry.onNodeChange(node => {
        if (clusterOf(node).id === this.clusterId) this.follow();
      }),
    );
    following.add(state.onChange(() => this.life.refresh()));
    following.add(
      reopenings.onChange(path => {
        if (path === this.recording?.path) this.life.refresh();
      }),
    );
    this.following.value = following;
    if (this.recording !== undefined && this.node === undefined) openWithWindow(reopenings, this.recording);
    this.follow();
    this.life.flush();
  }

  private stop(): void {
    this.followed = undefined;
    this.following.value = undefined;
    this.recorder.value = undefined;
    this.completing.value = undefined;
  }

  private follow(): void {
    const { node, connection } = this;
    if (node !== this.followed) {
      this.followed = node;
      this.recorder.value = node?.recorder?.onChange(() => this.life.refresh());
      // Opened again: of a closed row no lock is read.
      if (node?.time !== undefined && this.recording !== undefined) this.parts.actions.openRow(this.clusterId);
    }
    this.servers.follow(node, connection?.kind);
    this.life.refresh();
  }

  private async copy(part: SessionCopyPart): Promise<void> {
    const text =
      part === 'subject'
        ? Object.values(subjectFields(this.subject))[0]
        : [subjectTitle(this.subject), ...endingLines(this.last)].join('\n');
    await this.parts.actions.copy(text ?? '');
    this.life.post({ type: 'said', text: l10n.t('Copied.') });
  }

  private async send(): Promise<void> {
    try {
      const state = await this.makeState();
      if (state === undefined || !this.life.isThere) return;
      this.life.post({ type: 'state', state });
      this.completing.value = this.content.isHistoryBehind
        ? this.parts.schedule(() => this.life.refresh(), historyEveryMs)
        : undefined;
      this.keep();
    } catch (error) {
      this.parts.logger.error(logText(error));
    }
  }

  /** @returns `undefined` if the page is gone, or the moment of a recording has passed meanwhile: a newer state follows */
  private async makeState(): Promise<SessionState | undefined> {
    const { node } = this;
    if (!this.isConnectedTo(node)) return this.withoutCluster();
    this.wasOpen = true;
    const moment = node.time?.moment;
    const now = this.parts.now();
    const serverNow = serverTime(node, now);
    const state = await this.parts.rankings.of(node, ranking =>
      inTurns(this.content.stateOf(ranking, now, serverNow), () => this.life.isThere),
    );
    if (state === undefined || node.time?.moment !== moment) return undefined;
    return this.isConnectedTo(node) ? this.currentState(node, state) : this.withoutCluster();
  }

  private isConnectedTo(node: ClusterNode | undefined): node is ClusterNode {
    return node !== undefined && node === this.node && this.connection?.kind === 'connected';
  }

  private currentState(node: ClusterNode, state: SessionState): SessionState {
    const isSearching = node.locks.size === 0 && node.search.kind === 'running';
    if (isSearching) return this.lastState('reading', l10n.t('Searching for locks.'));
    this.last = state;
    return this.parts.state.paused && node.time === undefined
      ? { ...state, state: 'stale', status: l10n.t('Live updates are paused.') }
      : state;
  }

  /** Of a cluster that is not connected, or not in the list. */
  private withoutCluster(): SessionState {
    const { connection } = this;
    if (connection !== undefined && connection.kind !== 'connected') {
      const isOnTheWay = connection.kind === 'connecting' || connection.kind === 'uncertain';
      return this.lastState('absent', connectionText(connection), isOnTheWay ? undefined : 'connect');
    }
    if (this.recording === undefined) return this.lastState('absent', l10n.t('This cluster is no longer in the list.'));
    const { path } = this.recording;
    const { isReading, text, canOpen } = reopeningStatus(path, this.parts.reopenings.of(path));
    return this.lastState(isReading ? 'reading' : 'absent', text, canOpen ? 'open' : undefined);
  }

  /** What was known last, with the reason why it is not current. */
  private lastState(otherwise: 'reading' | 'absent', status: string, remedy?: SessionState['remedy']): SessionState {
    const shown = { status, ...(remedy === undefined ? {} : { remedy }) };
    if (this.last !== undefined) return { ...this.last, state: 'stale', canAsk: false, isAsking: false, ...shown };
    const isProduction = this.node?.profile.environment === 'production';
    return emptyState(
      { subject: this.subject, cluster: { name: this.cluster, isProduction } },
      { state: otherwise, ...shown },
    );
  }

  /** What the page keeps, for a window that is loaded again. */
  private keep(): void {
    const { node, recording } = this;
    if (node?.time !== undefined) this.recording = savedRecordingOf(node.time, recording?.at);
    else if (node === undefined && recording !== undefined && this.wasOpen) {
      this.recording = { ...recording, isClosed: true };
    }
    const kept: SavedSession = {
      cluster: this.clusterId,
      clusterName: this.cluster,
      subject: subjectFields(this.subject),
      recording: this.recording,
    };
    if (this.life.keeps(kept)) this.life.post({ type: 'keep', kept });
  }
}
