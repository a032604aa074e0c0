import { hostname, userInfo } from 'node:os';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { commandIds } from '../platform/contributions.ts';
import { AuditList, type AuditStorage } from '../../app/deletes/auditList.ts';
import type { DiagnosisParts } from './diagnosisParts.ts';
import type { MarkSource } from '../../app/clusters/marks.ts';
import { ReadOnlyTexts } from '../platform/readOnlyTexts.ts';

function account(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    // The user has no entry in the system's list (containers).
    return hostname();
  }
}

const loaded = async () => (await import('../onDemand.ts')).onDemand;

/** Diagnosis, force delete and the audit list. Nothing is asked of a server, nor the code loaded, before a command runs. */
export function registerDiagnosis(
  parts: Omit<DiagnosisParts, 'audit' | 'texts'> & { storage: AuditStorage; marks: MarkSource },
): Disposable {
  const { register, storage, logger } = parts;
  const owned = new DisposableStore();
  const texts = owned.add(new ReadOnlyTexts());
  const audit = new AuditList({ storage, who: account, now: Date.now, logger });
  const diagnosis: DiagnosisParts = { ...parts, audit, texts };
  const commands = [
    register(commandIds.forceDelete, async argument => (await loaded()).forceDeleteCommand(diagnosis, argument)),
    register(commandIds.explainLock, async argument => (await loaded()).explainLockCommand(diagnosis, argument)),
    register(commandIds.explainDeadlocks, async argument =>
      (await loaded()).explainDeadlocksCommand(diagnosis, argument),
    ),
    register(commandIds.showOwner, async argument => (await loaded()).showOwnerCommand(diagnosis, argument)),
    register(commandIds.deleteStale, async argument => (await loaded()).deleteStaleCommand(diagnosis, argument)),
    register(commandIds.showAuditList, async () => (await loaded()).showAuditList(diagnosis)),
    register(commandIds.saveAuditList, async () => (await loaded()).saveAuditList(diagnosis)),
  ];
  for (const command of commands) owned.add(command);
  return owned;
}
