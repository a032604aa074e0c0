import type { Row } from './row.ts';
import { blockersRow } from './rows/blockers.row.ts';
import { contendedRow } from './rows/contended.row.ts';
import { extensionRow } from './rows/extension.row.ts';
import { failoverRow } from './rows/failover.row.ts';
import { findRow } from './rows/find.row.ts';
import { firstClusterRow } from './rows/firstCluster.row.ts';
import { firstLookRow } from './rows/firstLook.row.ts';
import { handOverRow } from './rows/handOver.row.ts';
import { journalRow } from './rows/journal.row.ts';
import { latencyRow } from './rows/latency.row.ts';
import { loadRow } from './rows/load.row.ts';
import { notificationsRow } from './rows/notifications.row.ts';
import { readQueueRow } from './rows/readQueue.row.ts';
import { recordingRow } from './rows/recording.row.ts';
import { replayRow } from './rows/replay.row.ts';
import { sandboxRow } from './rows/sandbox.row.ts';
import { sandboxSizeRow } from './rows/sandboxSize.row.ts';
import { uncontendedRow } from './rows/uncontended.row.ts';
import { unitCostsRow } from './rows/unitCosts.row.ts';

/** In the order in which they run. */
export const rows: readonly Row[] = [
  uncontendedRow,
  contendedRow,
  readQueueRow,
  firstLookRow,
  handOverRow,
  notificationsRow,
  findRow,
  firstClusterRow,
  latencyRow,
  loadRow,
  failoverRow,
  extensionRow,
  unitCostsRow,
  sandboxRow,
  sandboxSizeRow,
  replayRow,
  recordingRow,
  journalRow,
  blockersRow,
];
