import { readQueues } from '../inspector/readQueues.ts';
import { watchQueues } from '../inspector/watchQueues.ts';
import { inspectorCalls } from './clusters/inspectorCalls.ts';
import { acquireCommand } from './commands/acquireCommand.ts';
import { saveAuditList, showAuditList } from './diagnosis/auditCommands.ts';
import { deleteStaleCommand } from './diagnosis/deleteStaleCommand.ts';
import { explainDeadlocksCommand, explainLockCommand, showOwnerCommand } from './diagnosis/explainCommands.ts';
import { forceDeleteCommand } from './diagnosis/forceDeleteCommand.ts';
import { QueueMarks } from './diagnosis/queueMarks.ts';
import { PanelCommands } from './panel/panelCommands.ts';
import { exportClusters } from './profiles/exportClusters.ts';
import { importClusters } from './profiles/importClusters.ts';
import { openSession } from './security/openSession.ts';
import { openLock } from './testLocks/openLock.ts';

/**
 * What only a connection or a command needs. `import()` of this one file is the border between the part of the bundle that every
 * window loads and the part that is loaded at first use; more such borders would cut the bundle into dozens of files.
 */
export const onDemand = {
  acquireCommand,
  deleteStaleCommand,
  explainDeadlocksCommand,
  explainLockCommand,
  exportClusters,
  forceDeleteCommand,
  importClusters,
  inspectorCalls,
  openLock,
  openSession,
  PanelCommands,
  QueueMarks,
  readQueues,
  saveAuditList,
  showAuditList,
  showOwnerCommand,
  watchQueues,
};

export type OnDemand = typeof onDemand;
