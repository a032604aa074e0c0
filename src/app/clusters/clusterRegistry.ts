import { DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { ClusterBrowser, type BrowserParts } from './clusterBrowser.ts';
import { isOpen } from './clusterConnection.ts';
import { ClusterChanged } from './clusterErrors.ts';
import type { ClusterNode, LockNode } from './clusterModel.ts';
import { type ClusterProfile, connectionKey } from './clusterProfile.ts';

/** Where clusters come from: the settings, or this window. An id is in one source only. */
export interface ClusterSource {
  readonly profiles: readonly ClusterProfile[];
  readonly onChange: Event<unknown>;
}

/** One browser for each cluster. Follows the lists of its sources. */
export class ClusterRegistry {
  /** The list changed: rows came, went or were renamed. */
  readonly onChange: Event<undefined>;
  /** A cluster or a lock changed. */
  readonly onNodeChange: Event<ClusterNode | LockNode>;
  private readonly owned = new DisposableStore();
  private readonly changed: Emitter<undefined>;
  private readonly nodeChanged: Emitter<ClusterNode | LockNode>;
  private readonly sources: readonly ClusterSource[];
  private readonly browserParts: BrowserParts;
  private readonly browsers = new Map<string, ClusterBrowser>();
  private readonly closing = new Set<Promise<void>>();

  constructor(sources: readonly ClusterSource[], parts: Omit<BrowserParts, 'onChange'>) {
    this.sources = sources;
    this.changed = this.owned.add(new Emitter(parts.logger));
    this.onChange = this.changed.event;
    this.nodeChanged = this.owned.add(new Emitter(parts.logger));
    this.onNodeChange = this.nodeChanged.event;
    this.browserParts = { ...parts, onChange: node => this.nodeChanged.fire(node) };
    this.follow();
    for (const { onChange } of sources) {
      this.owned.add(
        onChange(() => {
          this.follow();
          this.changed.fire(undefined);
        }),
      );
    }
  }

  /** In the order of the sources, and of the setting. */
  get all(): readonly ClusterBrowser[] {
    return [...this.browsers.values()];
  }

  get(id: string): ClusterBrowser | undefined {
    return this.browsers.get(id);
  }

  /** Ends everything in order: watches first, then the sessions. Resolves when the sessions are closed. */
  async close(): Promise<void> {
    this.owned.dispose();
    for (const browser of this.browsers.values()) this.end(browser);
    this.browsers.clear();
    await Promise.all(this.closing);
  }

  private follow(): void {
    const former = new Map(this.browsers);
    this.browsers.clear();
    for (const profile of this.sources.flatMap(({ profiles }) => profiles)) {
      const known = former.get(profile.id);
      former.delete(profile.id);
      this.browsers.set(profile.id, known ?? new ClusterBrowser(profile, this.browserParts));
      if (known !== undefined) this.update(known, profile);
    }
    for (const browser of former.values()) this.end(browser);
  }

  private update(browser: ClusterBrowser, profile: ClusterProfile): void {
    const before = browser.node.profile;
    browser.node.profile = profile;
    const isElsewhere = connectionKey(before) !== connectionKey(profile);
    if (!isElsewhere && before.lockRoots.join('\n') === profile.lockRoots.join('\n')) return;
    const wasOpen = isOpen(browser.connection.state);
    this.trackClosing(browser.disconnect());
    // Other lock roots need a new search in a new session; a connection to other servers needs a command.
    if (!isElsewhere && wasOpen) void browser.connect();
  }

  private end(browser: ClusterBrowser): void {
    this.trackClosing(browser.disconnect());
    browser.dispose();
  }

  private trackClosing(closing: Promise<void>): void {
    this.closing.add(closing);
    void closing.finally(() => this.closing.delete(closing));
  }
}

/** The fields of a profile that a confirmation is about: where the cluster is, how careful to be there, what is allowed. */
function confirmedFields({ profile }: ClusterNode): string {
  return JSON.stringify([profile.environment, profile.readOnly === true, connectionKey(profile)]);
}

/**
 * A dialog may stay open for any time, while another window changes the list of clusters.
 *
 * @param node the cluster that the dialog is about, as it is when the dialog opens
 * @returns a check to run after the last answer, right before the request is sent. It throws ClusterChanged unless this
 *   cluster is still in the list, has the same servers, environment and rights, and is connected
 */
export function sameClusterCheck(registry: Pick<ClusterRegistry, 'get'>, node: ClusterNode): () => void {
  const { name } = node.profile;
  const confirmed = confirmedFields(node);
  return () => {
    const listed = registry.get(node.id);
    if (listed === undefined) throw new ClusterChanged(name, 'removed');
    if (listed.node !== node || confirmedFields(node) !== confirmed) throw new ClusterChanged(name, 'changed');
    if (listed.connection.client === undefined) throw new ClusterChanged(name, 'disconnected');
  };
}
