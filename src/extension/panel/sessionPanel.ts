import { DisposableSlot, DisposableStore, type Disposable } from '../../base/disposable.ts';
import { inTurns } from '../../base/interruptible.ts';
import type { Logger } from '../../base/logger.ts';
import { Pacer } from '../../base/pacer.ts';
import type { ClusterRankings } from '../../app/blockers/rankedCluster.ts';
import { clusterOf, serverTime, type ClusterNode } from '../../app/clusters/clusterModel.ts';
import type { ClusterRegistry } from '../../app/clusters/clusterRegistry.ts';
import type { gatherOwnersAndWatches } from '../../app/owners/gatherFacts.ts';
import type { FollowedLockParts } from '../../app/panel/followedLock.ts';
import { parseSessionMessage } from '../../app/panel/parseSessionMessage.ts';
import { keptMoment, savedRecordingOf, type SavedRecording } from '../../app/panel/savedLock.ts';
import { subjectFields, type SavedSession, type ShownSubject } from '../../app/panel/savedSession.ts';
import { removedRecording } from '../../app/panel/panelWords.ts';
import type { Reopenings } from '../../app/recordings/reopenings.ts';
import { isSameSubject, readSubject, type Subject } from '../../app/sessions/subject.ts';
import type { PageLock, SessionCopyPart, SessionHostMessage, SessionState } from '../../sessionProtocol.ts';
import { l10n } from '../words/language.ts';
import { logText } from '../words/errorText.ts';
import { sessionTexts, subjectTitle } from '../words/sessionPageText.ts';
import { connectionText, recordedStatus } from './panelStatus.ts';
import { SessionContent } from './sessionContent.ts';
import { endingLines, historyAfterMs, locksOn, lookAgainMs, pace, tickMs } from './sessionParts.ts';
import { emptyState } from './sessionState.ts';
import type { WebviewPage } from './webviewPage.ts';

/** What a page does outside of itself. Each method rejects with the cause, or with CancelledError. */
export interface SessionActions {
  copy(text: string): Promise<void>;
  showQueue(cluster: string, lock: PageLock): Promise<void>;
  showSession(cluster: ClusterNode, subject: Subject): void;
  /** With the session that is open; `undefined` if there is none. Nothing is connected and nothing shown. */
  lookForOwners(cluster: ClusterNode): Promise<Awaited<ReturnType<typeof gatherOwnersAndWatches>>> | undefined;
  /** Connects if needed, with progress. */
  askServers(cluster: ClusterNode): ReturnType<typeof gatherOwnersAndWatches>;
  connect(cluster: string): Promise<void>;
  /** So that its locks are read. */
  openRow(cluster: string): void;
  report(error: unknown): void;
}

export interface SessionPanelParts extends FollowedLockParts {
  registry: Pick<ClusterRegistry, 'get' | 'onChange' | 'onNodeChange'>;
  reopenings: Pick<Reopenings, 'of' | 'open' | 'onChange'>;
  rankings: Pick<ClusterRankings, 'of'>;
  actions: SessionActions;
  language: string;
  schedule(callback: () => void, ms: number): Disposable;
  /** Epoch ms. */
  now(): number;
  monotonicNow(): number;
  logger: Logger;
}

/**
 * One session, or all of one address or identifier, on one page. Made of the queues that are loaded; only the servers are asked for
 * their clients: once when it opens on a connected cluster, and on request. A hidden page does not exist, and nothing is done for it.
 */
export class SessionPanel implements Disposable {
  readonly subject: Subject;
  readonly clusterId: string;
  private readonly parts: SessionPanelParts;
  private readonly page: WebviewPage<SessionHostMessage>;
  private readonly owned = new DisposableStore();
  private readonly following = new DisposableSlot();
  private readonly recorder = new DisposableSlot();
  private readonly completing = new DisposableSlot();
  private readonly pacer: Pacer<'page'>;
  private readonly content: SessionContent;
  private clusterName: string;
  private recording: SavedRecording | undefined;
  private isReady = false;
  private wasOpen = false;
  /** Whose servers were asked: a cluster that was removed and added again may have others. */
  private lookedAt: ClusterNode | undefined;
  /** After a failure, by the monotonic clock: not asked again before. */
  private looksAgainAt = 0;
  private isMaking = false;
  private isBehind = false;
  private kept = '';
  private followed: ClusterNode | undefined;
  /** The last state of a cluster that was connected. */
  private last: SessionState | undefined;

  constructor(parts: SessionPanelParts, page: WebviewPage<SessionHostMessage>, shown: ShownSubject) {
    this.parts = parts;
    this.page = page;
    this.subject = shown.subject;
    this.clusterId = shown.cluster;
    this.clusterName = shown.clusterName;
    this.recording = shown.recording;
    this.content = new SessionContent(shown.subject);
    this.owned.add(this.following);
    this.owned.add(this.recorder);
    this.owned.add(this.completing);
    this.pacer = this.owned.add(
      new Pacer({
        ...pace,
        call: () => void this.send(),
        schedule: (callback, ms) => parts.schedule(callback, ms),
        now: () => parts.monotonicNow(),
      }),
    );
    this.owned.add(page.onMessage(message => this.receive(message)));
    this.owned.add(
      page.onVisibility(() => {
        if (!page.isVisible) this.stop();
      }),
    );
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
    this.isReady = false;
    this.owned.dispose();
  }

  private get node(): ClusterNode | undefined {
    return this.parts.registry.get(this.clusterId)?.node;
  }

  private receive(value: unknown): void {
    const message = parseSessionMessage(value);
    switch (message?.type) {
      case undefined:
        this.parts.logger.warn('The page of a session sent a malformed message; it was dropped.');
        return;
      case 'ready':
        this.start();
        return;
      case 'askServers':
        void this.carryOut(() => this.ask());
        return;
      case 'connect':
        void this.carryOut(() => this.connect());
        return;
      case 'showSession':
        void this.carryOut(() => this.showSession(readSubject(message.subject)));
        return;
      case 'showQueue':
        void this.carryOut(() => this.showQueue(message.lock));
        return;
      case 'copy':
        void this.carryOut(() => this.copy(message.part));
    }
  }

  private async carryOut(act: () => Promise<void> | void): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.parts.actions.report(error);
    }
  }

  private start(): void {
    const { registry, state, reopenings, language } = this.parts;
    this.isReady = true;
    this.page.post({ type: 'texts', texts: sessionTexts(), language });
    const owned = new DisposableStore();
    owned.add(registry.onChange(() => this.follow()));
    owned.add(
      registry.onNodeChange(node => {
        if (clusterOf(node).id === this.clusterId) this.follow();
      }),
    );
    owned.add(state.onChange(() => this.refresh()));
    owned.add(
      reopenings.onChange(path => {
        if (path === this.recording?.path) this.refresh();
      }),
    );
    const tick = owned.add(new DisposableSlot());
    const keepTicking = (): void => {
      tick.value = this.parts.schedule(() => {
        this.follow();
        keepTicking();
      }, tickMs);
    };
    keepTicking();
    this.following.value = owned;
    this.awaitRecording();
    this.follow();
    this.pacer.flush();
  }

  private stop(): void {
    this.isReady = false;
    this.followed = undefined;
    this.following.value = undefined;
    this.recorder.value = undefined;
    this.completing.value = undefined;
    this.pacer.cancel();
  }

  /** A recording that came back with the window has its files read. */
  private awaitRecording(): void {
    const { recording } = this;
    if (recording === undefined || this.node !== undefined || recording.isClosed === true) return;
    if (this.parts.reopenings.of(recording.path) === undefined) this.reopen(recording);
  }

  private reopen(recording: SavedRecording): void {
    this.parts.reopenings.open({ kind: recording.kind, path: recording.path }, keptMoment(recording));
  }

  private follow(): void {
    const { node } = this;
    if (node !== this.followed) {
      this.followed = node;
      this.recorder.value = node?.recorder?.onChange(() => this.refresh());
      // Opened again: of a closed row no lock is read.
      if (node?.time !== undefined && this.recording !== undefined) this.parts.actions.openRow(this.clusterId);
    }
    this.forgetEnded();
    if (node !== undefined && node !== this.lookedAt && node.time === undefined) void this.look(node);
    this.refresh();
  }

  /** What the servers said is of one connection: it may have been made to others meanwhile. */
  private forgetEnded(): void {
    const kind = this.parts.registry.get(this.clusterId)?.connection.state.kind;
    if (kind !== undefined && kind !== 'disconnected' && kind !== 'failed') return;
    this.lookedAt = undefined;
    this.looksAgainAt = 0;
    this.content.forget();
  }

  /** Asks, once, who is connected; a failure leaves that unknown, and it is asked again later. */
  private async look(node: ClusterNode): Promise<void> {
    if (this.content.isAsking || this.parts.monotonicNow() < this.looksAgainAt) return;
    const asking = this.parts.actions.lookForOwners(node);
    if (asking === undefined) return;
    this.lookedAt = node;
    const known = this.content.knownIn(node);
    try {
      const found = await asking;
      // Else the connection that it was asked with has ended.
      if (this.lookedAt === node) this.content.note(node, { ...found, known });
    } catch (error) {
      this.parts.logger.warn(logText(error));
      if (this.lookedAt === node) this.lookedAt = undefined;
      this.looksAgainAt = this.parts.monotonicNow() + lookAgainMs;
    }
    this.refresh();
  }

  private async ask(): Promise<void> {
    const { node } = this;
    if (node === undefined || node.time !== undefined || this.content.isAsking) return;
    this.content.isAsking = true;
    this.refresh();
    const known = this.content.knownIn(node);
    try {
      this.content.note(node, { ...(await this.parts.actions.askServers(node)), known });
      this.lookedAt = node;
    } finally {
      this.content.isAsking = false;
      this.refresh();
    }
  }

  private async connect(): Promise<void> {
    if (this.node === undefined) {
      if (this.recording !== undefined) this.reopen(this.recording);
    } else await this.parts.actions.connect(this.clusterId);
  }

  private showSession(subject: Subject | undefined): void {
    if (subject !== undefined && this.node !== undefined) this.parts.actions.showSession(this.node, subject);
  }

  /** Only locks that are on the page. */
  private async showQueue({ path, lockName }: PageLock): Promise<void> {
    const isWanted = (lock: PageLock | undefined): boolean => lock?.path === path && lock.lockName === lockName;
    if (!locksOn(this.last).some(isWanted)) return;
    await this.parts.actions.showQueue(this.clusterId, { path, ...(lockName === undefined ? {} : { lockName }) });
  }

  private async copy(part: SessionCopyPart): Promise<void> {
    const text =
      part === 'subject'
        ? Object.values(subjectFields(this.subject))[0]
        : [subjectTitle(this.subject), ...endingLines(this.last)].join('\n');
    await this.parts.actions.copy(text ?? '');
    if (this.isReady) this.page.post({ type: 'said', text: l10n.t('Copied.') });
  }

  private refresh(): void {
    if (this.isReady) this.pacer.add('page');
  }

  /** One state at a time: a ranking may take turns of the event loop. */
  private async send(): Promise<void> {
    if (!this.canShow()) return;
    this.isBehind = this.isMaking;
    if (this.isMaking) return;
    this.isMaking = true;
    try {
      const state = await this.makeState();
      if (state === undefined || !this.canShow()) return;
      this.page.post({ type: 'state', state });
      this.completing.value = this.content.isHistoryBehind
        ? this.parts.schedule(() => this.refresh(), historyAfterMs)
        : undefined;
      this.keep();
    } catch (error) {
      this.parts.logger.error(logText(error));
    } finally {
      this.isMaking = false;
      if (this.isBehind) this.refresh();
    }
  }

  private canShow(): boolean {
    return this.isReady && this.page.isVisible;
  }

  /** @returns `undefined` once the page is gone */
  private async makeState(): Promise<SessionState | undefined> {
    const { node } = this;
    const { registry, rankings } = this.parts;
    const now = this.parts.now();
    const connection = registry.get(this.clusterId)?.connection.state;
    if (node === undefined || connection?.kind !== 'connected') return this.withoutCluster();
    this.wasOpen = true;
    const serverNow = serverTime(node, now);
    const state = await rankings.of(node, ranking =>
      inTurns(this.content.stateOf(ranking, now, serverNow), () => this.canShow()),
    );
    if (state === undefined) return undefined;
    const isSearching = node.locks.size === 0 && node.search.kind === 'running';
    if (isSearching) return this.lastState('reading', l10n.t('Searching for locks.'));
    this.last = state;
    return this.parts.state.paused && node.time === undefined
      ? { ...state, state: 'stale', status: l10n.t('Live updates are paused.') }
      : state;
  }

  /** Of a cluster that is not connected, or not in the list. */
  private withoutCluster(): SessionState {
    const connection = this.parts.registry.get(this.clusterId)?.connection.state;
    if (connection !== undefined && connection.kind !== 'connected') {
      const isOnTheWay = connection.kind === 'connecting' || connection.kind === 'uncertain';
      return this.lastState('absent', connectionText(connection), isOnTheWay ? undefined : 'connect');
    }
    if (this.recording !== undefined) return this.withoutRecording(this.recording);
    return this.lastState('absent', l10n.t('This cluster is no longer in the list.'));
  }

  private withoutRecording({ path }: SavedRecording): SessionState {
    const status = recordedStatus(removedRecording(path, this.parts.reopenings.of(path)));
    const text = 'text' in status ? (status.text ?? '') : '';
    const canOpen = 'canOpen' in status && status.canOpen === true;
    return this.lastState(status.state === 'loading' ? 'reading' : 'absent', text, canOpen ? 'open' : undefined);
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
    const { node, subject, cluster } = this;
    if (node?.time !== undefined) this.recording = savedRecordingOf(node.time, this.recording?.at);
    else if (node === undefined && this.recording !== undefined && this.wasOpen) {
      this.recording = { ...this.recording, isClosed: true };
    }
    const saved: SavedSession = {
      cluster: this.clusterId,
      clusterName: cluster,
      subject: subjectFields(subject),
      ...(this.recording === undefined ? {} : { recording: this.recording }),
    };
    const kept = JSON.stringify(saved);
    if (kept === this.kept) return;
    this.kept = kept;
    this.page.post({ type: 'keep', kept: saved });
  }
}
