import { backOffMs } from '../../base/backOff.ts';
import { DisposableSlot, type Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { SessionStateChange, ZooKeeperClient } from '../../zookeeper/client.ts';
import { ConnectError } from '../../zookeeper/errors.ts';
import type { SessionCause } from '../../zookeeper/sessionCause.ts';

/** A session that lived this long was a good one: the next loss starts again with the shortest pause. */
const stableAfterMs = 30_000;
const retryPace = { firstMs: 500, longestMs: 30_000, spread: 0.5 };

/**
 * `uncertain`: no contact, the session may still live. `lost`: it ended; a new one is opened while `isWanted`.
 * `failed`: the first session could not be opened; `triesAgain` while it is wanted and the cause may pass.
 */
export type ConnectionState =
  | { kind: 'disconnected' }
  | { kind: 'connecting' }
  | { kind: 'connected' }
  | { kind: 'uncertain' | 'lost'; cause: SessionCause | undefined; lastContactAt: number }
  | { kind: 'failed'; error: unknown; triesAgain: boolean };

/** Whether there is something to disconnect: a session, or attempts to open one. */
export function isOpen(state: ConnectionState): boolean {
  return state.kind === 'failed' ? state.triesAgain : state.kind !== 'disconnected';
}

/**
 * Whether servers may be reached later without a change of the profile: they start, elect a leader, have room again, a VPN comes up.
 * A log-in, a certificate or a wrong port must be mended first, and refused log-ins may lock an account.
 */
function mayPass(error: unknown): boolean {
  return (
    error instanceof ConnectError &&
    error.causes.some(({ failure }) => failure !== 'tls' && failure !== 'not-zookeeper')
  );
}

export interface ConnectionParts {
  open(signal: AbortSignal): Promise<ZooKeeperClient>;
  /** Whether a session is opened without being asked for, after a loss or a failure: only while its results are in use. */
  isWanted(): boolean;
  onState?(state: ConnectionState): void;
  /** Calls back once after `ms`; the result cancels it. */
  schedule(callback: () => void, ms: number): Disposable;
  /** Monotonic milliseconds. */
  now(): number;
  logger: Logger;
}

/** One session of a cluster: opened on demand, replaced when lost, closed in order. */
export class ClusterConnection {
  private readonly parts: ConnectionParts;
  private readonly sessionListener = new DisposableSlot();
  private readonly retryTimer = new DisposableSlot();
  private current: ConnectionState = { kind: 'disconnected' };
  private session: ZooKeeperClient | undefined;
  private attempt: { abort: AbortController; done: Promise<void> } | undefined;
  private failures = 0;
  private connectedAt = 0;

  constructor(parts: ConnectionParts) {
    this.parts = parts;
  }

  get state(): ConnectionState {
    return this.current;
  }

  /** The session, connected or uncertain; `undefined` before the first and after its end. */
  get client(): ZooKeeperClient | undefined {
    return this.session;
  }

  /** Opens a session unless there is one. Never rejects: the outcome is the state. */
  connect(): Promise<void> {
    if (this.session !== undefined) return Promise.resolve();
    // While a lost session is being replaced the state stays `lost`: the rows keep their last contact time.
    if (this.current.kind !== 'lost' && this.current.kind !== 'connecting') this.setState({ kind: 'connecting' });
    return this.attempt?.done ?? this.begin();
  }

  private begin(): Promise<void> {
    this.retryTimer.value = undefined;
    const abort = new AbortController();
    const done = this.open(abort.signal);
    this.attempt = { abort, done };
    return done;
  }

  /** Ends the session in order, or the attempt to open one. Never rejects. */
  async disconnect(): Promise<void> {
    this.retryTimer.value = undefined;
    this.sessionListener.value = undefined;
    const { attempt, session } = this;
    this.session = undefined;
    this.attempt = undefined;
    this.failures = 0;
    this.setState({ kind: 'disconnected' });
    attempt?.abort.abort();
    await Promise.all([attempt?.done, session?.close()]);
  }

  private async open(signal: AbortSignal): Promise<void> {
    try {
      const client = await this.parts.open(signal);
      if (signal.aborted) await client.close();
      else this.adopt(client);
    } catch (error) {
      if (!signal.aborted) this.fail(error);
    }
  }

  private adopt(client: ZooKeeperClient): void {
    this.attempt = undefined;
    this.session = client;
    this.connectedAt = this.parts.now();
    this.sessionListener.value = client.onState(change => {
      this.follow(client, change);
    });
    this.setState({ kind: 'connected' });
    // The state may have changed before the listener was added.
    if (client.state !== 'connected') {
      this.follow(client, { state: client.state, reason: '', lastContactAt: client.lastContactAt });
    }
  }

  private fail(error: unknown): void {
    this.attempt = undefined;
    this.failures++;
    if (this.current.kind === 'lost') {
      this.parts.logger.info(`No new session yet: ${error instanceof Error ? error.message : String(error)}`);
      this.retryLater();
      return;
    }
    const triesAgain = mayPass(error) && this.parts.isWanted();
    this.setState({ kind: 'failed', error, triesAgain });
    if (triesAgain) this.retryLater();
  }

  private follow(client: ZooKeeperClient, change: SessionStateChange): void {
    if (client !== this.session) return;
    const { state, cause, lastContactAt } = change;
    if (state === 'connected') this.setState({ kind: 'connected' });
    else if (state === 'uncertain') this.setState({ kind: 'uncertain', cause, lastContactAt });
    else this.lose(client, cause, lastContactAt);
  }

  private lose(client: ZooKeeperClient, cause: SessionCause | undefined, lastContactAt: number): void {
    this.session = undefined;
    this.sessionListener.value = undefined;
    if (this.parts.now() - this.connectedAt >= stableAfterMs) this.failures = 0;
    this.setState({ kind: 'lost', cause, lastContactAt });
    void client.close();
    this.retryLater();
  }

  private retryLater(): void {
    const delay = backOffMs(this.failures + 1, retryPace);
    // The state stays: what went wrong is more use than that it is tried again.
    this.retryTimer.value = this.parts.schedule(() => {
      if (this.parts.isWanted()) void this.begin();
      else if (this.current.kind === 'failed') this.setState({ ...this.current, triesAgain: false });
    }, delay);
  }

  private setState(state: ConnectionState): void {
    if (this.current.kind === 'disconnected' && state.kind === 'disconnected') return;
    this.current = state;
    this.parts.onState?.(state);
  }
}
