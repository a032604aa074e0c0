import { DisposableSlot, DisposableStore, toDisposable } from '../base/disposable.ts';
import type { SessionStateChange, WatchEvent, ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError, SessionLostError } from '../zookeeper/errors.ts';
import type { SessionCause } from '../zookeeper/sessionCause.ts';
import { LateSignal } from '../base/lateSignal.ts';
import { onceDone } from '../base/onceDone.ts';
import { BaseLease } from './baseLease.ts';
import type { LeaseCause, LeaseState } from './lock.ts';
import { deleteOwnNode, type OwnNode } from './ownNode.ts';
import { isConnectionTrouble, isOver } from './attemptLimits.ts';

/** The own node is watched only after this, ms: a lease that ends sooner costs no extra read. */
const watchAfterMs = 50;
/** The node is read again so long after a reading that the server refused for the moment, or answered in doubt, ms. */
const readAgainMs = 1_000;

/**
 * A lease over one own node. Its state is never better than the session's: back from an outage it is `held` again only
 * when the same session is confirmed, by a quorum, and the node was read again with our owner (docs/faults.md: L18-L21, L24, L34).
 */
export class OwnedLease extends BaseLease {
  readonly release = onceDone(() => this.deleteNode());
  private readonly client: ZooKeeperClient;
  private readonly node: OwnNode;
  private readonly isNameUnique: boolean;
  private readonly store = new DisposableStore();
  private readonly nextReading = this.store.add(new DisposableSlot());
  private readonly loss = new LateSignal();
  private current: LeaseState = 'held';
  private cause: LeaseCause | undefined;
  /** One function for all readings: as a watch it is registered once, however often the node is read (D26). */
  private readonly nodeChanged = ({ type }: WatchEvent): void => {
    if (this.current === 'released' || this.current === 'lost') return;
    if (type === 'lost') this.lose({ kind: 'session', cause: undefined });
    else void this.verify();
  };

  constructor(client: ZooKeeperClient, node: OwnNode, isNameUnique: boolean) {
    super([node.path], node.czxid);
    this.client = client;
    this.node = node;
    this.isNameUnique = isNameUnique;
    this.store.add(client.onState(change => this.follow(change)));
    this.store.add(client.confirmByQuorum());
    this.verifyIn(watchAfterMs);
    // A session that has ended already sends no more changes of state.
    if (isOver(client)) this.lose({ kind: 'session', cause: undefined });
  }

  get state(): LeaseState {
    // Judged at every use, not only on events (L19).
    return this.current === 'held' && this.client.state !== 'connected' ? 'uncertain' : this.current;
  }

  get signal(): AbortSignal {
    return this.loss.signal;
  }

  get stateCause(): LeaseCause | undefined {
    return this.cause;
  }

  private async deleteNode(): Promise<void> {
    // In doubt, and after a release that was refused, another client may own a node of the same name by now: read before
    // deleting (L30).
    const isOurs = this.state === 'held' && this.isNameUnique;
    this.store.dispose();
    this.become('released');
    await deleteOwnNode(this.client, this.node, isOurs);
  }

  private follow({ state, cause }: SessionStateChange): void {
    if (state === 'connected') void this.verify();
    else if (state === 'uncertain') this.become('uncertain', { kind: 'session', cause });
    else this.lose({ kind: 'session', cause });
  }

  private verifyIn(ms: number): void {
    const timer = setTimeout(() => void this.verify(), ms);
    this.nextReading.value = toDisposable(() => clearTimeout(timer));
  }

  /** Reads the own node again and watches it. */
  private async verify(): Promise<void> {
    try {
      const { stat } = await this.client.getData(this.path, { watch: this.nodeChanged });
      const isOurs = stat.czxid === this.node.czxid && stat.ephemeralOwner === this.client.sessionId;
      if (!isOurs) this.lose({ kind: 'node-replaced' });
      else if (this.client.state === 'connected') this.become('held');
      // A server that is cut off answers readings too. If the trust is back soon, no change of state leads to another one.
      else this.verifyIn(readAgainMs);
    } catch (error) {
      if (isZooKeeperError(error, 'NO_NODE')) this.lose({ kind: 'node-deleted' });
      else if (isOver(this.client)) this.lose({ kind: 'session', cause: endOf(error) });
      else if (!isConnectionTrouble(error)) this.become('uncertain', { kind: 'unread', error });
      // Without a new connection no change of state would lead to another reading.
      else if (this.client.state === 'connected') this.verifyIn(readAgainMs);
    }
  }

  private lose(cause: LeaseCause): void {
    if (this.current === 'lost' || this.current === 'released') return;
    this.become('lost', cause);
    this.store.dispose();
    this.loss.abort();
  }

  private become(state: LeaseState, cause?: LeaseCause): void {
    if (this.current === 'lost' || this.current === 'released') return;
    // An outage goes on, and more is known of it: the latest reason is the one to show.
    if (this.current === state && cause === undefined) return;
    this.current = state;
    this.cause = cause;
    this.states.fire(state);
  }
}

function endOf(error: unknown): SessionCause | undefined {
  return error instanceof SessionLostError ? error.why : undefined;
}
