import { DisposableSlot, DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import { isHolderUnknown, type LockQueue } from '../../locks/lockQueue.ts';
import type { ClusterBrowser } from '../clusters/clusterBrowser.ts';
import type { ClusterProfile } from '../clusters/clusterProfile.ts';
import type { ClusterRegistry } from '../clusters/clusterRegistry.ts';
import type { LockNode } from '../clusters/clusterModel.ts';
import type { SavedLock } from './savedLock.ts';

export interface FollowedLockParts {
  registry: Pick<ClusterRegistry, 'get' | 'onChange' | 'onNodeChange'>;
  /** Whether live updates of all clusters are paused, and when that changes. */
  state: { readonly paused: boolean; readonly onChange: Event<undefined> };
}

/**
 * One lock, independent of its row: rows are removed when a cluster disconnects and added again later. The last reading is
 * kept. The lock is watched by the browsing session of its cluster, with the same watch as the tree.
 *
 * Cluster, path and name identify the lock. Without a name it is the only lock at the path: a free directory has no names, its
 * first contender may bring one, and then another row takes the place of the first.
 */
export class FollowedLock implements Disposable {
  readonly clusterId: string;
  private readonly parts: FollowedLockParts;
  private readonly onChange: () => void;
  private readonly following = new DisposableSlot();
  private readonly pin = new DisposableSlot();
  private readonly identity: Pick<LockNode, 'key' | 'path' | 'lockName'>;
  private pinnedOn: ClusterBrowser | undefined;
  private last: LockNode;
  private lastProfile: ClusterProfile;

  /** @param onChange called after every change of the lock or of its connection, while it is watched */
  constructor(parts: FollowedLockParts, lock: LockNode, onChange: () => void) {
    this.parts = parts;
    this.clusterId = lock.cluster.id;
    this.identity = lock;
    this.last = lock;
    this.lastProfile = lock.cluster.profile;
    this.onChange = onChange;
  }

  get browser(): ClusterBrowser | undefined {
    return this.parts.registry.get(this.clusterId);
  }

  get profile(): ClusterProfile {
    this.lastProfile = this.browser?.node.profile ?? this.lastProfile;
    return this.lastProfile;
  }

  /** The row of the lock, or the last one if there is none now. */
  get lock(): LockNode {
    this.last = this.row ?? this.last;
    return this.last;
  }

  /** What identifies the lock after the window was closed. */
  get saved(): SavedLock {
    const { clusterId: cluster, profile, identity, lock } = this;
    const { path, lockName } = identity;
    const name = lockName === undefined ? {} : { lockName };
    return { cluster, clusterName: profile.name, path, ...name, dialect: lock.dialect };
  }

  /** Whether a row, present or past, is a row of this lock. */
  is({ cluster, key }: LockNode): boolean {
    return cluster.id === this.clusterId && (key === this.identity.key || key === this.row?.key);
  }

  /** Epoch ms of the last contact with the cluster; `undefined` without a session. */
  get lastContactAt(): number | undefined {
    const connection = this.browser?.connection;
    if (connection?.client !== undefined) return connection.client.lastContactAt;
    return connection?.state.kind === 'lost' ? connection.state.lastContactAt : undefined;
  }

  /** Whether the row belongs to a cluster that was removed from the list, even if it was added again. */
  get isRemoved(): boolean {
    return this.lock.cluster !== this.browser?.node;
  }

  /** The queue as read last; an empty one before the first time. */
  get queue(): LockQueue {
    const { queue, path, dialect } = this.lock;
    return queue ?? { path, dialect, contenders: [], strangers: [], hazards: [] };
  }

  /** The state of the lock and of its connection. */
  get facts() {
    const { browser, lock, rows } = this;
    return {
      /** `undefined`: the cluster is no longer in the list. */
      connection: browser?.connection.state,
      /** The user paused live updates of all clusters. */
      isPaused: this.parts.state.paused,
      /** A watch keeps the queue current. */
      isLive: rows.includes(lock) && lock.live,
      /** The path holds several named locks now, and it is not known which of them is this one. */
      isSeveral: rows.length > 1,
      /** The limit on watches leaves none for this lock. */
      isOverCap: browser !== undefined && !browser.isWatched(lock.path),
      readError: lock.readError,
      /** `undefined`: nothing has been read yet. */
      contenders: lock.queue?.contenders.length,
      /** No holder is seen, and a node that cannot be read may be the holder. */
      isHolderUnknown: lock.queue !== undefined && isHolderUnknown(lock.queue),
    };
  }

  /** Watches the lock from now on. */
  watch(): void {
    const { registry, state } = this.parts;
    const owned = new DisposableStore();
    owned.add(registry.onChange(() => this.repin()));
    owned.add(state.onChange(() => this.onChange()));
    owned.add(
      registry.onNodeChange(node => {
        // When another row takes the place of this one, the event names the cluster.
        if (node === this.last || node === this.browser?.node) this.onChange();
      }),
    );
    this.following.value = owned;
    this.repin();
  }

  /** Removes all listeners and the watch. */
  unwatch(): void {
    this.following.value = undefined;
    this.pinnedOn = undefined;
    this.pin.value = undefined;
  }

  dispose(): void {
    this.following.dispose();
    this.pin.dispose();
  }

  private get row(): LockNode | undefined {
    const { rows } = this;
    return rows.length === 1 ? rows[0] : undefined;
  }

  /** The rows that can be this lock's. */
  private get rows(): LockNode[] {
    const { browser, identity } = this;
    if (browser === undefined) return [];
    const own = browser.node.locks.get(identity.key);
    if (own !== undefined) return [own];
    return identity.lockName === undefined ? browser.node.locks.at(identity.path) : [];
  }

  /** Pins the lock again after its cluster was removed and added, which brings another browser. */
  private repin(): void {
    const { browser } = this;
    const { path, lockName } = this.identity;
    if (browser !== this.pinnedOn) {
      this.pinnedOn = browser;
      this.pin.value = browser?.pin({ path, lockName, dialect: this.lock.dialect });
    }
    this.onChange();
  }
}
