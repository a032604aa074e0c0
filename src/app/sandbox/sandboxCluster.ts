import { randomUUID } from 'node:crypto';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import { CancelledError } from '../../zookeeper/errors.ts';
import type { ClusterProfile } from '../clusters/clusterProfile.ts';
import type { ClusterSource } from '../clusters/clusterRegistry.ts';

/** A server of this process, and what lives on it. */
export interface RunningSandbox {
  readonly connectString: string;
  stop(): Promise<void>;
}

export interface SandboxParts {
  /** Of its cluster. */
  name: string;
  /** Starts a server with its example locks. Rejects when the signal aborts, and leaves nothing then. */
  run(signal: AbortSignal): Promise<RunningSandbox>;
  /** Ends the test locks of its cluster. Never rejects. */
  endLocks(clusterId: string): Promise<void>;
  logger: Logger;
}

type State =
  | { kind: 'off' }
  | { kind: 'starting'; id: Promise<string>; abort: AbortController }
  | { kind: 'running'; profile: ClusterProfile; sandbox: RunningSandbox }
  | { kind: 'stopping'; end: Promise<void> };

/** The sandbox of this window, as a cluster of the list: one at most, in no setting, and gone with the window. */
export class SandboxCluster implements ClusterSource, Disposable {
  readonly onChange: Event<undefined>;
  private readonly changed: Emitter<undefined>;
  private readonly parts: SandboxParts;
  private state: State = { kind: 'off' };

  constructor(parts: SandboxParts) {
    this.parts = parts;
    this.changed = new Emitter(parts.logger);
    this.onChange = this.changed.event;
  }

  get profiles(): readonly ClusterProfile[] {
    return this.state.kind === 'running' ? [this.state.profile] : [];
  }

  /** Whether there is nothing to stop. */
  get isOff(): boolean {
    return this.state.kind === 'off';
  }

  /**
   * Starts it unless it runs or starts already; one that stops ends first.
   *
   * @returns the id of its cluster
   * @throws CancelledError when it is stopped meanwhile; what `run` throws
   */
  start(): Promise<string> {
    const { state } = this;
    if (state.kind === 'running') return Promise.resolve(state.profile.id);
    if (state.kind === 'starting') return state.id;
    const abort = new AbortController();
    const id = this.begin(state.kind === 'stopping' ? state.end : undefined, abort.signal);
    this.enter({ kind: 'starting', id, abort });
    return id;
  }

  /** Takes its cluster from the list and ends it, or its start. Resolves when nothing of it is left, for later callers too. */
  stop(): Promise<void> {
    const { state } = this;
    if (state.kind === 'off') return Promise.resolve();
    if (state.kind === 'stopping') return state.end;
    const end = this.end(state).finally(() => {
      // The next one may wait for this end already.
      if (this.state === stopping) this.enter({ kind: 'off' });
    });
    const stopping: State = { kind: 'stopping', end };
    this.enter(stopping);
    return end;
  }

  dispose(): void {
    this.changed.dispose();
  }

  private async begin(former: Promise<void> | undefined, signal: AbortSignal): Promise<string> {
    try {
      // Why that one failed to end is for those who stopped it.
      await former?.catch(() => undefined);
      signal.throwIfAborted();
      const sandbox = await this.parts.run(signal);
      if (signal.aborted) await sandbox.stop();
      signal.throwIfAborted();
      const { connectString } = sandbox;
      // Another id each time: rows, panels and questions about a former sandbox are not about this one.
      const fixed = { id: randomUUID(), name: this.parts.name, environment: 'development', lockRoots: ['/'] } as const;
      this.enter({ kind: 'running', profile: { ...fixed, connectString, isSandbox: true }, sandbox });
      return fixed.id;
    } catch (error) {
      if (signal.aborted) throw new CancelledError('Starting the sandbox');
      this.enter({ kind: 'off' });
      throw error;
    }
  }

  private async end(state: Extract<State, { kind: 'starting' | 'running' }>): Promise<void> {
    if (state.kind === 'starting') {
      state.abort.abort();
      await state.id.catch(() => undefined);
      return;
    }
    // Before the server goes: a lock that is released says so, one whose server is gone is lost.
    await this.parts.endLocks(state.profile.id);
    await state.sandbox.stop();
  }

  private enter(state: State): void {
    const before = this.profiles.length;
    this.state = state;
    if (this.profiles.length !== before) this.changed.fire(undefined);
  }
}
