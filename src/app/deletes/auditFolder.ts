import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

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

/** Where former versions kept the list: VS Code's global state, which all windows write as a whole. */
export interface AuditStorage {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const formerKey = 'auditList';
/** Before every day in the order of names. */
const formerFile = '0_former.jsonl';

/** The oldest entries are dropped beyond this number. */
export const maxAuditEntries = 1_000;

const dayMs = 86_400_000;

interface AuditFolderParts {
  /** Full path; need not exist. */
  folder: string;
  former: AuditStorage;
  /** Epoch ms. */
  now(): number;
}

/**
 * The audit list on disk: files of one JSON entry per line. A window only appends, to a file of its own and of the day, so no
 * window can overwrite what another one notes at the same time. Files of former days that hold none of the newest entries are
 * removed: no window writes to them any more.
 */
export class AuditFolder {
  private readonly parts: AuditFolderParts;
  private readonly windowId = randomUUID();
  private current = '';

  constructor(parts: AuditFolderParts) {
    this.parts = parts;
  }

  /** @throws Error of the file system */
  async append(entry: AuditEntry): Promise<void> {
    const { folder } = this.parts;
    await mkdir(folder, { recursive: true });
    const name = `${this.dayOf(this.parts.now())}_${this.windowId}.jsonl`;
    await appendFile(join(folder, name), `${JSON.stringify(entry)}\n`, { mode: 0o600 });
    await this.moveFormer();
    if (name === this.current) return;
    this.current = name;
    await this.removeOutdated();
  }

  /** The oldest first, of all windows; what cannot be read is left out. @throws Error of the file system */
  async read(): Promise<AuditEntry[]> {
    const files = await Promise.all((await this.names()).map(name => this.entriesOf(name)));
    const all = [...entriesIn(this.parts.former.get(formerKey)), ...files.flat()];
    // Stable: entries of one window keep their order.
    all.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
    return all.slice(-maxAuditEntries);
  }

  private dayOf(time: number): string {
    return new Date(time).toISOString().slice(0, 10);
  }

  /** Files of the list, the oldest day first. */
  private async names(): Promise<string[]> {
    try {
      return (await readdir(this.parts.folder)).filter(name => name.endsWith('.jsonl')).sort();
    } catch (error) {
      // Nothing was noted so far.
      if (isError(error, 'ENOENT')) return [];
      throw error;
    }
  }

  private async entriesOf(name: string): Promise<AuditEntry[]> {
    try {
      const text = await readFile(join(this.parts.folder, name), 'utf8');
      return entriesIn(text.split('\n').map(parsed));
    } catch (error) {
      // Another window removed it meanwhile, as outdated.
      if (isError(error, 'ENOENT')) return [];
      throw error;
    }
  }

  /** Windows may do this at the same time: they have the same entries, and the first one writes them. */
  private async moveFormer(): Promise<void> {
    const { folder, former } = this.parts;
    const entries = entriesIn(former.get(formerKey));
    if (entries.length === 0) return;
    const lines = entries.map(entry => `${JSON.stringify(entry)}\n`).join('');
    try {
      await writeFile(join(folder, formerFile), lines, { flag: 'wx', mode: 0o600 });
    } catch (error) {
      if (!isError(error, 'EEXIST')) {
        // Half a file would pass for the whole one the next time.
        await rm(join(folder, formerFile), { force: true });
        throw error;
      }
    }
    await former.update(formerKey, undefined);
  }

  private async removeOutdated(): Promise<void> {
    const newest = await this.read();
    const oldestKept = newest.length < maxAuditEntries ? '' : (newest[0]?.at ?? '');
    // Yesterday's file too may be written to: midnight may come between its name and its write.
    const firstKept = this.dayOf(this.parts.now() - dayMs);
    for (const name of await this.names()) {
      const isOutdated = name < firstKept && (await this.entriesOf(name)).every(({ at }) => at < oldestKept);
      if (isOutdated) await rm(join(this.parts.folder, name), { force: true });
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

function entriesIn(values: unknown): AuditEntry[] {
  return Array.isArray(values) ? values.filter(isEntry) : [];
}

/** A line may have been cut off, by a full disk or the end of its window. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isError(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
