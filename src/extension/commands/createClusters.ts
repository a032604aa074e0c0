import { monotonicNow } from '../../base/deadline.ts';
import type { Logger } from '../../base/logger.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
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
  /** Loads what reads the locks: called before each use, for activation needs none of it. */
  loadInspection(): Promise<Inspection>;
  logger: Logger;
}

function inspection({ loadInspection }: Pick<ClustersParts, 'loadInspection'>): Inspection {
  return {
    find: async (...request) => (await loadInspection()).find(...request),
    read: async (...request) => (await loadInspection()).read(...request),
    watch: async (...request) => (await loadInspection()).watch(...request),
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
