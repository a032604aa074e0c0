import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Uri } from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { commandIds } from '../platform/contributions.ts';
import { AuditFolder, type AuditStorage } from '../../app/deletes/auditFolder.ts';
import { AuditList } from '../../app/deletes/auditList.ts';
import type { Logger } from '../../base/logger.ts';
import type { RegisterCommand } from '../platform/commands.ts';
import type { DiagnosisParts } from './diagnosisParts.ts';

function account(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    // The user has no entry in the system's list (containers).
    return hostname();
  }
}

const commands = [
  [commandIds.find, 'findCommand'],
  [commandIds.forceDelete, 'forceDeleteCommand'],
  [commandIds.explainLock, 'explainLockCommand'],
  [commandIds.explainDeadlocks, 'explainDeadlocksCommand'],
  [commandIds.showOwner, 'showOwnerCommand'],
  [commandIds.deleteStale, 'deleteStaleCommand'],
  [commandIds.showAuditList, 'showAuditList'],
  [commandIds.saveAuditList, 'saveAuditList'],
] as const;

/** The functions behind the commands, loaded when one of them runs for the first time. */
type DiagnosisCommands = Record<
  (typeof commands)[number][1],
  (parts: DiagnosisParts, argument: unknown) => Promise<void>
>;

/** Registers *Find*, diagnosis, deletes and the audit list. No server is contacted and no code loaded before a command runs. */
export function registerDiagnosis(
  parts: Omit<DiagnosisParts, 'audit'> & {
    register: RegisterCommand;
    storage: AuditStorage;
    storageUri: Uri;
    logger: Logger;
    load: () => Promise<DiagnosisCommands>;
  },
): Disposable {
  const { register, storage, storageUri, logger, load, texts } = parts;
  const owned = new DisposableStore();
  const folder = new AuditFolder({ folder: join(storageUri.fsPath, 'audit'), former: storage, now: Date.now });
  const audit = new AuditList({ folder, who: account, now: Date.now, logger });
  const diagnosis: DiagnosisParts = { ...parts, audit };
  for (const [id, name] of commands) {
    owned.add(register(id, async argument => (await load())[name](diagnosis, argument)));
  }
  owned.add(register(commandIds.copyReport, uri => texts.copy(uri)));
  return owned;
}
