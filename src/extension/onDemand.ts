import { acquireCommand } from './commands/acquireCommand.ts';
import { saveAuditList, showAuditList } from './commands/auditCommands.ts';
import { deleteStaleCommand } from './commands/deleteStaleCommand.ts';
import { explainDeadlocksCommand, explainLockCommand, showOwnerCommand } from './commands/explainCommands.ts';
import { findCommand } from './commands/findCommand.ts';
import { forceDeleteCommand } from './commands/forceDeleteCommand.ts';
import { PanelCommands } from './commands/panelCommands.ts';
import { incidentCommands } from './commands/incidentCommands.ts';
import { recorderCommands } from './commands/recorderCommands.ts';
import { recordingCommands } from './commands/recordingCommands.ts';
import { ToolAnswers } from './commands/toolAnswers.ts';
import { askCluster } from './dialogs/clusterQuestions.ts';
import { exportClusters, importClusters } from './commands/clusterFiles.ts';
import { observeLocks } from '../app/recorder/observeLocks.ts';
import { Recorder } from '../app/recorder/recorder.ts';
import { runSandbox } from '../app/sandbox/runSandbox.ts';
import { openLock } from '../app/testLocks/openLock.ts';
import { knownPlaces } from './scenarios/knownPlaces.ts';
import { startLanguage } from './scenarios/startLanguage.ts';
import { openSampleScenarios, recordAsScenario } from './scenarios/scenarioDocuments.ts';
import { ScenarioTests } from './scenarios/scenarioTests.ts';

/**
 * What only a command needs. `import()` of this file and of `firstLook.ts` are the borders between the part of the bundle that every
 * window loads and the parts that are loaded at first use; more such borders would cut the bundle into dozens of files.
 */
export const onDemand = {
  acquireCommand,
  askCluster,
  deleteStaleCommand,
  explainDeadlocksCommand,
  explainLockCommand,
  exportClusters,
  findCommand,
  forceDeleteCommand,
  importClusters,
  incidentCommands,
  openLock,
  openSampleScenarios,
  PanelCommands,
  recordAsScenario,
  recorderCode: { Recorder, observe: observeLocks },
  recorderCommands,
  recordingCommands,
  runSandbox,
  saveAuditList,
  scenarioCode: { knownPlaces, startLanguage },
  ScenarioTests,
  showAuditList,
  showOwnerCommand,
  ToolAnswers,
};
