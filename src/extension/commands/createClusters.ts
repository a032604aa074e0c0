import { monotonicNow } from '../../base/deadline.ts';
import type { Logger } from '../../base/logger.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import type { OnDemand } from '../onDemand.ts';
import { readSettings } from '../platform/settings.ts';
import { callLater } from '../../base/timer.ts';
import type { ClusterNode, LockNode } from '../../app/clusters/clusterModel.ts';
import { ClusterBrowser, type Inspection } from '../../app/clusters/clusterBrowser.ts';
import { ClusterConnection } from '../../app/clusters/clusterConnection.ts';
import type { ClusterProfile } from '../../app/clusters/clusterProfile.ts';
import { ClusterRegistry } from '../../app/clusters/clusterRegistry.ts';
import type { ClusterStore } from '../../app/clusters/clusterStore.ts';
import { WatchBudget } from '../../app/clusters/lockWatches.ts';

/** What the browsers take from the view. */
export interface ClustersParts {
  store: ClusterStore;
  filter(): string;
  /** Opens a session with the log-in and TLS of the profile. */
  openSession(profile: ClusterProfile, signal: AbortSignal): Promise<ZooKeeperClient>;
  onChange(node: ClusterNode | LockNode): void;
  /** Called before the first queue is read. */
  onLoaded(parts: OnDemand): void;
  logger: Logger;
}

/** The inspector, loaded with the first connection: activation needs none of it. */
function inspection({ onLoaded, logger }: Pick<ClustersParts, 'onLoaded' | 'logger'>): Inspection {
  const loaded = async (): Promise<Inspection> => {
    const { onDemand } = await import('../onDemand.ts');
    onLoaded(onDemand);
    return onDemand.inspectorCalls(logger);
  };
  return {
    find: async (...request) => (await loaded()).find(...request),
    read: async (...request) => (await loaded()).read(...request),
    watch: async (...request) => (await loaded()).watch(...request),
  };
}

/** Makes the registry with the real session and inspector behind it. Nothing is connected yet. */
export function createClusters(parts: ClustersParts): ClusterRegistry {
  const { store, logger } = parts;
  const budget = new WatchBudget(() => readSettings().maxWatchedLocks);
  const createBrowser = (profile: ClusterProfile): ClusterBrowser => {
    const connection: ClusterConnection = new ClusterConnection({
      open: signal => parts.openSession(browser.node.profile, signal),
      isWanted: () => browser.isWanted,
      schedule: callLater,
      now: monotonicNow,
      logger,
    });
    const browser = new ClusterBrowser({
      profile,
      connection,
      inspection: inspection(parts),
      budget,
      filter: () => parts.filter(),
      logger,
    });
    browser.onChange(node => parts.onChange(node));
    return browser;
  };
  return new ClusterRegistry(store, createBrowser, logger);
}
