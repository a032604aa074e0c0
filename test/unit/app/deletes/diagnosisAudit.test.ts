import { describe, expect, it } from 'vitest';
import {
  AuditList,
  maxAuditEntries,
  type AuditEntry,
  type AuditStorage,
} from '../../../../src/app/deletes/auditList.ts';
import { auditDocument } from '../../../../src/extension/words/auditText.ts';
import { documentText } from '../../../../src/extension/platform/readOnlyTexts.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { hostileTexts, unseenPattern } from '../../extension/corpus.ts';
import { now, profileNamed } from '../../extension/fixtures.ts';

class Storage implements AuditStorage {
  readonly values = new Map<string, unknown>();
  failing = false;

  get(key: string): unknown {
    return this.values.get(key);
  }

  update(key: string, value: unknown): Promise<void> {
    if (this.failing) return Promise.reject(new Error('disk full'));
    // As VS Code does: nothing but JSON survives.
    this.values.set(key, JSON.parse(JSON.stringify(value)));
    return Promise.resolve();
  }
}

const target = { path: '/locks/a/x', czxid: 0x17n, ownerSession: -1n };
const act = { action: 'force delete' as const, profile: profileNamed('orders'), target, outcome: 'deleted' };
const entry: AuditEntry = {
  at: new Date(now).toISOString(),
  who: 'ann@desk',
  action: 'force delete',
  cluster: 'orders',
  connectString: 'zk1:2181',
  path: '/locks/a/x',
  czxid: '0x17',
  owner: '0xffffffffffffffff',
  outcome: 'deleted',
};

function listIn(storage: Storage, lines: string[] = []): AuditList {
  const warn = (line: string): void => void lines.push(line);
  return new AuditList({
    storage,
    who: () => 'ann@desk',
    now: () => now,
    logger: { ...nullLogger, warn, error: warn },
  });
}

describe('the audit list', () => {
  it('keeps who, when, where, which node, whose, and what came of it, and logs it', async () => {
    const storage = new Storage();
    const lines: string[] = [];
    await listIn(storage, lines).record(act);
    expect(listIn(storage).entries).toEqual([entry]);
    expect(lines.join()).toMatch(/force delete by ann@desk on orders: \/locks\/a\/x, czxid 0x17, .*: deleted/);
    await listIn(storage).record({ ...act, target: { ...target, ownerSession: 0n } });
    expect(listIn(storage).entries[1]?.owner).toBe('none');
  });

  it('keeps the last thousand, also of acts at the same time', async () => {
    const storage = new Storage();
    const list = listIn(storage);
    const paths = Array.from({ length: maxAuditEntries + 5 }, (_, index) => `/locks/${String(index)}`);
    await Promise.all(paths.map(path => list.record({ ...act, target: { ...target, path } })));
    expect(list.entries.map(({ path }) => path)).toEqual(paths.slice(5));
  });

  it('passes over what it does not understand, and does not fail when it cannot be saved', async () => {
    const storage = new Storage();
    storage.values.set('auditList', [1, null, { at: 'x' }, 'y']);
    storage.failing = true;
    const lines: string[] = [];
    const list = listIn(storage, lines);
    await list.record(act);
    expect(list.entries).toEqual([]);
    expect(lines.join()).toContain('disk full');
  });

  it('is shown with the newest act first, and no foreign text breaks its lines', () => {
    const entries = hostileTexts.map(path => ({ ...entry, path }));
    const text = auditDocument(entries, documentText, 'empty');
    expect(text.split('\n')).toHaveLength(entries.length * 3 + 1);
    expect(text).not.toMatch(unseenPattern);
    const [older, newer] = ['/first', '/second'].map(path => ({ ...entry, path }));
    expect(auditDocument([older!, newer!], documentText, '')).toMatch(/second[^]*first/);
    expect(auditDocument([], documentText, 'empty')).toBe('empty\n');
  });
});
