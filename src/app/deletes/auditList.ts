import type { Logger } from '../../base/logger.ts';
import { sessionText } from '../../base/sessionText.ts';
import type { DeleteTarget } from '../../inspector/forceDelete.ts';
import type { ClusterProfile } from '../clusters/clusterProfile.ts';
import type { AuditAction, AuditEntry, AuditFolder } from './auditFolder.ts';

/** One act and its outcome. */
export interface AuditedAct {
  action: AuditAction;
  profile: Pick<ClusterProfile, 'name' | 'connectString'>;
  target: DeleteTarget;
  outcome: string;
}

interface AuditParts {
  folder: Pick<AuditFolder, 'append' | 'read'>;
  who(): string;
  /** Epoch ms. */
  now(): number;
  logger: Logger;
}

/** Every destructive act of this installation, in the log and in a list that survives the window. */
export class AuditList {
  private readonly parts: AuditParts;
  private writing: Promise<void> = Promise.resolve();

  constructor(parts: AuditParts) {
    this.parts = parts;
  }

  /** The newest thousand acts of all windows, the oldest first. @throws Error of the file system */
  async entries(): Promise<readonly AuditEntry[]> {
    return this.parts.folder.read();
  }

  /** Never rejects: an entry that cannot be saved is still in the log. */
  async record({ action, profile, target, outcome }: AuditedAct): Promise<void> {
    const { path, ownerSession = 0n } = target;
    const who = this.parts.who();
    const cluster = profile.name;
    const { connectString } = profile;
    const czxid = sessionText(target.czxid);
    const owner = ownerSession === 0n ? 'none' : sessionText(ownerSession);
    const at = new Date(this.parts.now()).toISOString();
    const entry: AuditEntry = { at, who, action, cluster, connectString, path, czxid, owner, outcome };
    this.parts.logger.warn(
      `Audit: ${action} by ${who} on ${cluster}: ${path}, czxid ${czxid}, owner ${owner}: ${outcome}`,
    );
    this.writing = this.writing.then(() => this.append(entry));
    await this.writing;
  }

  private async append(entry: AuditEntry): Promise<void> {
    try {
      await this.parts.folder.append(entry);
    } catch (error) {
      this.parts.logger.error(
        `The audit list was not saved: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
}
