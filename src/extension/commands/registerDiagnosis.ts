import { hostname, userInfo } from 'node:os';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { commandIds } from '../platform/contributions.ts';
import { AuditList, type AuditStorage } from '../../app/deletes/auditList.ts';
import type { saveAuditList, showAuditList } from './auditCommands.ts';
import type { deleteStaleCommand } from './deleteStaleCommand.ts';
import type { Logger } from '../../base/logger.ts';
import type { RegisterCommand } from '../platform/commands.ts';
import type { DiagnosisParts } from './diagnosisParts.ts';
import type { explainDeadlocksCommand, explainLockCommand, showOwnerCommand } from './explainCommands.ts';
import type { forceDeleteCommand } from './forceDeleteCommand.ts';
import { ReadOnlyTexts } from '../platform/readOnlyTexts.ts';

function account(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    // The user has no entry in the system's list (containers).
    return hostname();
  }
}

/** What is loaded when one of these commands runs for the first time. */
interface DiagnosisCommands {
  forceDeleteCommand: typeof forceDeleteCommand;
  explainLockCommand: typeof explainLockCommand;
  explainDeadlocksCommand: typeof explainDeadlocksCommand;
  showOwnerCommand: typeof showOwnerCommand;
  deleteStaleCommand: typeof deleteStaleCommand;
  showAuditList: typeof showAuditList;
  saveAuditList: typeof saveAuditList;
}

/** Registers diagnosis, deletes and the audit list. No server is contacted and no code loaded before a command runs. */
export function registerDiagnosis(
  parts: Omit<DiagnosisParts, 'audit' | 'texts'> & {
    register: RegisterCommand;
    storage: AuditStorage;
    logger: Logger;
    load: () => Promise<DiagnosisCommands>;
  },
): Disposable {
  const { register, storage, logger, load } = parts;
  const owned = new DisposableStore();
  const texts = owned.add(new ReadOnlyTexts());
  const audit = new AuditList({ storage, who: account, now: Date.now, logger });
  const diagnosis: DiagnosisParts = { ...parts, audit, texts };
  const commands = [
    register(commandIds.forceDelete, async argument => (await load()).forceDeleteCommand(diagnosis, argument)),
    register(commandIds.explainLock, async argument => (await load()).explainLockCommand(diagnosis, argument)),
    register(commandIds.explainDeadlocks, async argument =>
      (await load()).explainDeadlocksCommand(diagnosis, argument),
    ),
    register(commandIds.showOwner, async argument => (await load()).showOwnerCommand(diagnosis, argument)),
    register(commandIds.deleteStale, async argument => (await load()).deleteStaleCommand(diagnosis, argument)),
    register(commandIds.showAuditList, async () => (await load()).showAuditList(diagnosis)),
    register(commandIds.saveAuditList, async () => (await load()).saveAuditList(diagnosis)),
  ];
  for (const command of commands) owned.add(command);
  return owned;
}
