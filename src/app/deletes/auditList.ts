import type { Logger } from '../../base/logger.ts';
import { sessionText } from '../../base/sessionText.ts';
import type { DeleteTarget } from '../../inspector/forceDelete.ts';
import type { ClusterProfile } from '../clusters/clusterProfile.ts';

/** What was done to a cluster. */
export type AuditAction = 'force delete' | 'delete stale' | 'remove empty lock' | 'request revoke';

/** One destructive act as it is kept. Texts are as they came from ZooKeeper: clean them before display. */
export interface AuditEntry {
  /** UTC, ISO 8601. */
  at: string;
  /** The user's account on this machine. */
  who: string;
  action: AuditAction;
  cluster: string;
  connectString: string;
  path: string;
  /** `0x…` of the node that the user saw. */
  czxid: string;
  /** `0x…`; `none` for a node that no session owns. */
  owner: string;
  /** `deleted`, `already gone`, `changed`, `unknown`, or why it was refused or failed. */
  outcome: string;
}

/** Keeps the list: VS Code's global state. */
export interface AuditStorage {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const key = 'auditList';

/** The oldest entries are dropped beyond this number. */
export const maxAuditEntries = 1_000;

/** One act and its outcome. */
export interface AuditedAct {
  action: AuditAction;
  profile: Pick<ClusterProfile, 'name' | 'connectString'>;
  target: DeleteTarget;
  outcome: string;
}

interface AuditParts {
  storage: AuditStorage;
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

  /** The oldest first. */
  get entries(): readonly AuditEntry[] {
    const stored = this.parts.storage.get(key);
    return Array.isArray(stored) ? stored.filter(isEntry) : [];
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
      await this.parts.storage.update(key, [...this.entries, entry].slice(-maxAuditEntries));
    } catch (error) {
      this.parts.logger.error(
        `The audit list was not saved: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
}

const fields: readonly (keyof AuditEntry)[] = [
  'at', 'who', 'action', 'cluster', 'connectString', 'path', 'czxid', 'owner', 'outcome',
]; // prettier-ignore

/** Entries of other versions may have other fields. */
function isEntry(value: unknown): value is AuditEntry {
  if (typeof value !== 'object' || value === null) return false;
  return fields.every(field => typeof (value as Record<string, unknown>)[field] === 'string');
}
