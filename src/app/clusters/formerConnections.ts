import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { ClusterBrowser } from './clusterBrowser.ts';
import { isOfWindow } from './clusterProfile.ts';
import type { ConnectionState } from './clusterConnection.ts';
import type { ClusterRegistry } from './clusterRegistry.ts';

/** VS Code's state of a workspace. */
export interface ConnectionMemory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const key = 'connectedClusters';

/**
 * The clusters that were connected when this workspace was open last. A cluster leaves the list when it is disconnected on
 * purpose, not when the window closes: what the window ends itself is not reported any more.
 */
export class FormerConnections implements Disposable {
  private readonly registry: Pick<ClusterRegistry, 'all' | 'onChange' | 'onNodeChange'>;
  private readonly memory: ConnectionMemory;
  private readonly onChange: () => void;
  private readonly owned = new DisposableStore();
  /** Ids of clusters that were connected, now or when the workspace was open last. */
  private readonly connected: Set<string>;
  /** The last state of each cluster that was used since. */
  private readonly used = new Map<string, ConnectionState['kind']>();

  /** @param onChange called when `waiting` may have changed */
  constructor(
    registry: Pick<ClusterRegistry, 'all' | 'onChange' | 'onNodeChange'>,
    memory: ConnectionMemory,
    onChange: () => void,
  ) {
    this.registry = registry;
    this.memory = memory;
    this.onChange = onChange;
    const stored = memory.get(key);
    this.connected = new Set(Array.isArray(stored) ? stored.filter(id => typeof id === 'string') : []);
    this.owned.add(registry.onChange(onChange));
    this.owned.add(
      registry.onNodeChange(node => {
        if (node.type !== 'cluster' || isOfWindow(node.profile)) return;
        this.follow(node.id, node.connection.kind);
      }),
    );
  }

  /** Those that were connected and have not been used since, in the order of the list. */
  get waiting(): ClusterBrowser[] {
    return this.registry.all.filter(({ node: { id } }) => this.connected.has(id) && !this.used.has(id));
  }

  dispose(): void {
    this.owned.dispose();
  }

  private follow(id: string, kind: ConnectionState['kind']): void {
    const former = this.used.get(id);
    // A row that nothing was done with may be drawn again, too.
    if (former === kind || (former === undefined && kind === 'disconnected')) return;
    this.used.set(id, kind);
    if (kind === 'connected') this.connected.add(id);
    if (kind === 'disconnected') this.connected.delete(id);
    if (kind === 'connected' || kind === 'disconnected') void this.memory.update(key, [...this.connected]);
    this.onChange();
  }
}
