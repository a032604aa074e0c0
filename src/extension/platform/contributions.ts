/** Everything that package.json and the code must name alike. test/unit/extension/manifest.test.ts compares the two. */

export const commandIds = {
  addCluster: 'zookeeperLocks.addCluster',
  editCluster: 'zookeeperLocks.editCluster',
  removeCluster: 'zookeeperLocks.removeCluster',
  connect: 'zookeeperLocks.connect',
  disconnect: 'zookeeperLocks.disconnect',
  reconnectAll: 'zookeeperLocks.reconnectAll',
  trySandbox: 'zookeeperLocks.trySandbox',
  stopSandbox: 'zookeeperLocks.stopSandbox',
  copyConnectString: 'zookeeperLocks.copyConnectString',
  refresh: 'zookeeperLocks.refresh',
  retry: 'zookeeperLocks.retry',
  showMore: 'zookeeperLocks.showMore',
  showMoreBlockers: 'zookeeperLocks.showMoreBlockers',
  findLocks: 'zookeeperLocks.findLocks',
  openLock: 'zookeeperLocks.openLock',
  find: 'zookeeperLocks.find',
  copyPath: 'zookeeperLocks.copyPath',
  copyName: 'zookeeperLocks.copyName',
  copySessionId: 'zookeeperLocks.copySessionId',
  filter: 'zookeeperLocks.filter',
  clearFilter: 'zookeeperLocks.clearFilter',
  pauseLive: 'zookeeperLocks.pauseLive',
  resumeLive: 'zookeeperLocks.resumeLive',
  groupByDirectory: 'zookeeperLocks.groupByDirectory',
  showAsList: 'zookeeperLocks.showAsList',
  showLog: 'zookeeperLocks.showLog',
  acquireExclusive: 'zookeeperLocks.acquireExclusive',
  acquireRead: 'zookeeperLocks.acquireRead',
  acquireWrite: 'zookeeperLocks.acquireWrite',
  acquireMutex: 'zookeeperLocks.acquireMutex',
  acquireSemaphore: 'zookeeperLocks.acquireSemaphore',
  acquireSeveral: 'zookeeperLocks.acquireSeveral',
  releaseTestLock: 'zookeeperLocks.releaseTestLock',
  releaseAllTestLocks: 'zookeeperLocks.releaseAllTestLocks',
  keepLonger: 'zookeeperLocks.keepLonger',
  cancelWait: 'zookeeperLocks.cancelWait',
  dismissTestLock: 'zookeeperLocks.dismissTestLock',
  revealTestLock: 'zookeeperLocks.revealTestLock',
  copyTestLockPath: 'zookeeperLocks.copyTestLockPath',
  copyFencingToken: 'zookeeperLocks.copyFencingToken',
  showOnly: 'zookeeperLocks.showOnly',
  forceDelete: 'zookeeperLocks.forceDelete',
  deleteStale: 'zookeeperLocks.deleteStale',
  showQueue: 'zookeeperLocks.showQueue',
  showNodeData: 'zookeeperLocks.showNodeData',
  explainLock: 'zookeeperLocks.explainLock',
  explainDeadlocks: 'zookeeperLocks.explainDeadlocks',
  showOwner: 'zookeeperLocks.showOwner',
  showSession: 'zookeeperLocks.showSession',
  showAuditList: 'zookeeperLocks.showAuditList',
  saveAuditList: 'zookeeperLocks.saveAuditList',
  copyReport: 'zookeeperLocks.copyReport',
  exportClusters: 'zookeeperLocks.exportClusters',
  importClusters: 'zookeeperLocks.importClusters',
  addRecommended: 'zookeeperLocks.addRecommended',
  revokeExtensions: 'zookeeperLocks.revokeExtensions',
  openLogs: 'zookeeperLocks.openLogs',
  closeRecording: 'zookeeperLocks.closeRecording',
  goToMoment: 'zookeeperLocks.goToMoment',
  nextHandOver: 'zookeeperLocks.nextHandOver',
  previousHandOver: 'zookeeperLocks.previousHandOver',
  nextSessionEnd: 'zookeeperLocks.nextSessionEnd',
  previousSessionEnd: 'zookeeperLocks.previousSessionEnd',
  playRecording: 'zookeeperLocks.playRecording',
  pauseRecording: 'zookeeperLocks.pauseRecording',
  followRecording: 'zookeeperLocks.followRecording',
  explainWhatHappened: 'zookeeperLocks.explainWhatHappened',
  longestWaits: 'zookeeperLocks.longestWaits',
  endedByExpiry: 'zookeeperLocks.endedByExpiry',
  saveHolds: 'zookeeperLocks.saveHolds',
  describeRecording: 'zookeeperLocks.describeRecording',
  saveIncident: 'zookeeperLocks.saveIncident',
  openIncident: 'zookeeperLocks.openIncident',
  showIncidentReport: 'zookeeperLocks.showIncidentReport',
  compareIncidents: 'zookeeperLocks.compareIncidents',
  copyAsMarkdown: 'zookeeperLocks.copyAsMarkdown',
  recordLocks: 'zookeeperLocks.recordLocks',
  stopRecording: 'zookeeperLocks.stopRecording',
  openRecording: 'zookeeperLocks.openRecording',
  deleteRecordings: 'zookeeperLocks.deleteRecordings',
  runScenario: 'zookeeperLocks.runScenario',
  runScenarioOn: 'zookeeperLocks.runScenarioOn',
  recordAsScenario: 'zookeeperLocks.recordAsScenario',
  savePlayAsScenario: 'zookeeperLocks.savePlayAsScenario',
  openSampleScenarios: 'zookeeperLocks.openSampleScenarios',
} as const;

export type CommandId = (typeof commandIds)[keyof typeof commandIds];

/** VS Code's own commands that this extension calls. */
export const builtInCommandIds = {
  setContext: 'setContext',
  open: 'vscode.open',
  openWith: 'vscode.openWith',
  /** Of the editor in front: what opens next does not take its place. */
  keepEditor: 'workbench.action.keepEditor',
  manageTrust: 'workbench.trust.manage',
  /** The text of the user settings that count for all profiles, where clusters are saved. */
  openSettingsText: 'workbench.action.openApplicationSettingsJson',
  /** VS Code makes one for every view. */
  focusTestLocks: 'zookeeperLocks.testLocks.focus',
} as const;

/** A context key that no `when` clause reads: setting it is a call to the window that changes nothing. */
export const roundTripKey = 'zookeeperLocks.roundTrip';

export const viewContainerId = 'zookeeperLocks';

export const viewIds = {
  clusters: 'zookeeperLocks.clusters',
  testLocks: 'zookeeperLocks.testLocks',
  blockers: 'zookeeperLocks.blockers',
} as const;

/** Kinds of webview panels. */
export const panelTypes = { queue: 'zookeeperLocks.queue', session: 'zookeeperLocks.session' } as const;

/** Kinds of editors of files. */
export const editorTypes = { incident: 'zookeeperLocks.incident' } as const;

export const testControllerId = 'zookeeperLocks.scenarios';

/** Language of the files with scenarios, and where they are in a workspace. */
export const scenarioLanguage = 'zklock';
export const scenarioFiles = '**/*.zklock';

export const contextKeys = {
  hasClusters: 'zookeeperLocks.hasClusters',
  /** Unlike `!hasClusters` it is not so before the setting was read. */
  hasNoClusters: 'zookeeperLocks.hasNoClusters',
  /** The sandbox of this window is in the list, which no setting shows. */
  hasSandbox: 'zookeeperLocks.hasSandbox',
  /** Some recordings are in the list, which no setting shows. */
  hasRecording: 'zookeeperLocks.hasRecording',
  /** Some recording plays, or follows its files. */
  isPlaying: 'zookeeperLocks.isPlaying',
  /** The locks of some cluster are recorded, or will be when it is connected. */
  recordsLocks: 'zookeeperLocks.recordsLocks',
  hasConnection: 'zookeeperLocks.hasConnection',
  /** Some cluster is connected, or was and will be again by itself: the view Blockers stays while a session is replaced. */
  showsBlockers: 'zookeeperLocks.showsBlockers',
  /** Some, or all, are connected or on the way there. */
  hasOpenCluster: 'zookeeperLocks.hasOpenCluster',
  allOpen: 'zookeeperLocks.allOpen',
  /** Some were connected when the workspace was open last, and have not been connected since. */
  canReconnect: 'zookeeperLocks.canReconnect',
  filtered: 'zookeeperLocks.filtered',
  paused: 'zookeeperLocks.paused',
  grouped: 'zookeeperLocks.grouped',
  hasTestLocks: 'zookeeperLocks.hasTestLocks',
  holdsTestLocks: 'zookeeperLocks.holdsTestLocks',
  waitsForTestLocks: 'zookeeperLocks.waitsForTestLocks',
  /** Some are released by themselves. */
  hasTimedTestLocks: 'zookeeperLocks.hasTimedTestLocks',
  hasAllowedExtensions: 'zookeeperLocks.hasAllowedExtensions',
} as const;

export type ContextKey = (typeof contextKeys)[keyof typeof contextKeys];

export const settingKeys = {
  clusters: 'zookeeperLocks.clusters',
  maxWatchedLocks: 'zookeeperLocks.maxWatchedLocks',
  maxSearchedNodes: 'zookeeperLocks.maxSearchedNodes',
  connectTimeoutSeconds: 'zookeeperLocks.connectTimeoutSeconds',
  autoReleaseSeconds: 'zookeeperLocks.testLocks.autoReleaseSeconds',
  longHeldMinutes: 'zookeeperLocks.longHeldMinutes',
  deadlockSeconds: 'zookeeperLocks.deadlockSeconds',
  adminServerPort: 'zookeeperLocks.adminServerPort',
  reconnectOnStartup: 'zookeeperLocks.reconnectOnStartup',
  recordWhileConnected: 'zookeeperLocks.recording.whileConnected',
  recordDays: 'zookeeperLocks.recording.days',
  recordMegabytes: 'zookeeperLocks.recording.megabytes',
  recordQuestionsPerMinute: 'zookeeperLocks.recording.questionsPerMinute',
  recordNodeData: 'zookeeperLocks.recording.nodeData',
  toolsEnabled: 'zookeeperLocks.languageModelTools.enabled',
  toolsInProduction: 'zookeeperLocks.languageModelTools.productionClusters',
} as const;

export const colorIds = {
  production: 'zookeeperLocks.productionForeground',
  holder: 'zookeeperLocks.holderForeground',
  waiter: 'zookeeperLocks.waiterForeground',
  stale: 'zookeeperLocks.staleForeground',
  deadlocked: 'zookeeperLocks.deadlockedForeground',
} as const;

/**
 * What a tree row is, for the `when` clauses of menus. `readOnly`: of a cluster where nothing may be written. `recorded`: of a
 * recording. `recording`: a cluster whose locks are recorded,
 * `failed` if that ended by itself: it can be begun again, or given up.
 */
export const contextValues = {
  clusterOpen: 'cluster.open',
  clusterOpenReadOnly: 'cluster.open.readOnly',
  clusterClosed: 'cluster.closed',
  sandboxOpen: 'cluster.open.sandbox',
  sandboxClosed: 'cluster.closed.sandbox',
  clusterOpenRecording: 'cluster.open.recording',
  clusterOpenRecordingReadOnly: 'cluster.open.readOnly.recording',
  clusterClosedRecording: 'cluster.closed.recording',
  sandboxOpenRecording: 'cluster.open.sandbox.recording',
  sandboxClosedRecording: 'cluster.closed.sandbox.recording',
  clusterOpenFailed: 'cluster.open.recording.failed',
  clusterOpenFailedReadOnly: 'cluster.open.readOnly.recording.failed',
  clusterClosedFailed: 'cluster.closed.recording.failed',
  sandboxOpenFailed: 'cluster.open.sandbox.recording.failed',
  sandboxClosedFailed: 'cluster.closed.sandbox.recording.failed',
  recording: 'recording',
  incident: 'recording.incident',
  directory: 'directory',
  lock: 'lock',
  lockReadOnly: 'lock.readOnly',
  lockRecorded: 'lock.recorded',
  holder: 'contender.holder',
  holderReadOnly: 'contender.holder.readOnly',
  holderRecorded: 'contender.holder.recorded',
  holderWithSession: 'contender.holder.session',
  holderWithSessionReadOnly: 'contender.holder.session.readOnly',
  holderWithSessionRecorded: 'contender.holder.session.recorded',
  waiter: 'contender.waiter',
  waiterReadOnly: 'contender.waiter.readOnly',
  waiterRecorded: 'contender.waiter.recorded',
  waiterWithSession: 'contender.waiter.session',
  waiterWithSessionReadOnly: 'contender.waiter.session.readOnly',
  waiterWithSessionRecorded: 'contender.waiter.session.recorded',
  /** A contender that may not be read: nothing is done to it. */
  unread: 'contender.unread',
  stranger: 'stranger',
  hazard: 'hazard',
  more: 'more',
  message: 'message',
  retry: 'message.retry',
  testLockWaiting: 'testLock.waiting',
  testLockHeld: 'testLock.held',
  /** Held, and released by itself. */
  testLockTimed: 'testLock.held.timed',
  testLockReleasing: 'testLock.releasing',
  testLockLost: 'testLock.lost',
  /** Could not be given back, so it still blocks others. */
  testLockStuck: 'testLock.stuck',
  testLockEnded: 'testLock.ended',
  /** Rows of the view Blockers: a session, one together with the only lock of its line, a lock, and what is neither. */
  blockerSession: 'blocker.session',
  blockerSessionLock: 'blocker.session.lock',
  blockerLock: 'blocker.lock',
  blockerOther: 'blocker.other',
  blockerMore: 'blocker.more',
} as const;

export type ContextValue = (typeof contextValues)[keyof typeof contextValues];
