import type { Logger } from '../../base/logger.ts';

/** What was done to a cluster. */
export type AuditAction = 'force delete' | 'delete stale' | 'remove empty lock' | 'request revoke';

/** One destructive act. Texts are as they came from ZooKeeper: whoever shows them cleans them. */
export interface AuditEntry {
  /** UTC, ISO 8601. */
  at: string;
  /** The person's account on this machine. */
  who: string;
  action: AuditAction;
  cluster: string;
  connectString: string;
  path: string;
  /** `0x…` of the node that the person looked at. */
  czxid: string;
  /** `0x…`; `none` for a node that no session owns. */
  owner: string;
  /** `deleted`, `already gone`, `changed`, `unknown`, or why it was refused or failed. */
  outcome: string;
}

/** Where the list is kept: VS Code's global state. */
export interface AuditStorage {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const key = 'auditList';

/** Old acts make room for new ones. */
export const maxAuditEntries = 1_000;

export interface AuditParts {
  storage: AuditStorage;
  who(): string;
  /** Epoch ms. */
  now(): number;
  logger: Logger;
}

/** Every destructive act of this installation, in the log and in a list that outlives the window. */
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

  /** Never rejects: an act that was done cannot be undone because it could not be noted; the log has it. */
  async record(act: Omit<AuditEntry, 'at' | 'who'>): Promise<void> {
    const entry: AuditEntry = { at: new Date(this.parts.now()).toISOString(), who: this.parts.who(), ...act };
    const { action, cluster, path, czxid, owner, outcome, who } = entry;
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

/** What another version wrote may look otherwise. */
function isEntry(value: unknown): value is AuditEntry {
  if (typeof value !== 'object' || value === null) return false;
  return fields.every(field => typeof (value as Record<string, unknown>)[field] === 'string');
}
