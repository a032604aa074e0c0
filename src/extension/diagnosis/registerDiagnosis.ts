import { hostname, userInfo } from 'node:os';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { commandIds } from '../contributions.ts';
import { AuditList, type AuditStorage } from './auditList.ts';
import { saveAuditList, showAuditList } from './auditCommands.ts';
import type { DiagnosisParts } from './diagnosisParts.ts';
import { deleteStaleCommand } from './deleteStaleCommand.ts';
import { explainDeadlocksCommand, explainLockCommand, showOwnerCommand } from './explainCommands.ts';
import { forceDeleteCommand } from './forceDeleteCommand.ts';
import type { QueueMarks } from './marks.ts';
import { ReadOnlyTexts } from './readOnlyTexts.ts';

function account(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    // The user has no entry in the system's list (containers).
    return hostname();
  }
}

/** Diagnosis, force delete and the audit list. Nothing is asked of a server before a command runs. */
export function registerDiagnosis(
  parts: Omit<DiagnosisParts, 'audit' | 'texts'> & { storage: AuditStorage; marks: QueueMarks },
): Disposable {
  const { register, storage, logger } = parts;
  const owned = new DisposableStore();
  const texts = owned.add(new ReadOnlyTexts());
  const audit = new AuditList({ storage, who: account, now: Date.now, logger });
  const diagnosis: DiagnosisParts = { ...parts, audit, texts };
  const commands = [
    register(commandIds.forceDelete, argument => forceDeleteCommand(diagnosis, argument)),
    register(commandIds.explainLock, argument => explainLockCommand(diagnosis, argument)),
    register(commandIds.explainDeadlocks, argument => explainDeadlocksCommand(diagnosis, argument)),
    register(commandIds.showOwner, argument => showOwnerCommand(diagnosis, argument)),
    register(commandIds.deleteStale, argument => deleteStaleCommand(diagnosis, argument)),
    register(commandIds.showAuditList, () => showAuditList(diagnosis)),
    register(commandIds.saveAuditList, () => saveAuditList(diagnosis)),
  ];
  for (const command of commands) owned.add(command);
  return owned;
}
