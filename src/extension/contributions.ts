/** Everything that package.json and the code must name alike. test/unit/extension/manifest.test.ts compares the two. */

export const commandIds = {
  addCluster: 'zookeeperLocks.addCluster',
  editCluster: 'zookeeperLocks.editCluster',
  removeCluster: 'zookeeperLocks.removeCluster',
  connect: 'zookeeperLocks.connect',
  disconnect: 'zookeeperLocks.disconnect',
  refresh: 'zookeeperLocks.refresh',
  retry: 'zookeeperLocks.retry',
  showMore: 'zookeeperLocks.showMore',
  findLocks: 'zookeeperLocks.findLocks',
  openLock: 'zookeeperLocks.openLock',
  copyPath: 'zookeeperLocks.copyPath',
  copyName: 'zookeeperLocks.copyName',
  copySessionId: 'zookeeperLocks.copySessionId',
  filter: 'zookeeperLocks.filter',
  clearFilter: 'zookeeperLocks.clearFilter',
  pauseLive: 'zookeeperLocks.pauseLive',
  resumeLive: 'zookeeperLocks.resumeLive',
  showLog: 'zookeeperLocks.showLog',
} as const;

export type CommandId = (typeof commandIds)[keyof typeof commandIds];

/** VS Code's own commands that this extension calls. */
export const builtInCommandIds = { setContext: 'setContext', manageTrust: 'workbench.trust.manage' } as const;

export const viewContainerId = 'zookeeperLocks';

export const viewIds = { clusters: 'zookeeperLocks.clusters' } as const;

export const contextKeys = {
  hasClusters: 'zookeeperLocks.hasClusters',
  hasConnection: 'zookeeperLocks.hasConnection',
  filtered: 'zookeeperLocks.filtered',
  paused: 'zookeeperLocks.paused',
} as const;

export type ContextKey = (typeof contextKeys)[keyof typeof contextKeys];

export const settingKeys = {
  clusters: 'zookeeperLocks.clusters',
  maxWatchedLocks: 'zookeeperLocks.maxWatchedLocks',
  maxSearchedNodes: 'zookeeperLocks.maxSearchedNodes',
  connectTimeoutSeconds: 'zookeeperLocks.connectTimeoutSeconds',
} as const;

export const colorIds = {
  production: 'zookeeperLocks.productionForeground',
  holder: 'zookeeperLocks.holderForeground',
  waiter: 'zookeeperLocks.waiterForeground',
} as const;

/** What a tree row is, for the `when` clauses of menus. */
export const contextValues = {
  clusterOpen: 'cluster.open',
  clusterClosed: 'cluster.closed',
  lock: 'lock',
  holder: 'contender.holder',
  holderWithSession: 'contender.holder.session',
  waiter: 'contender.waiter',
  waiterWithSession: 'contender.waiter.session',
  stranger: 'stranger',
  hazard: 'hazard',
  more: 'more',
  message: 'message',
  retry: 'message.retry',
} as const;

export type ContextValue = (typeof contextValues)[keyof typeof contextValues];
