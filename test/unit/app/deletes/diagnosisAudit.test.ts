import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AuditFolder, maxAuditEntries, type AuditEntry } from '../../../../src/app/deletes/auditFolder.ts';
import { AuditList } from '../../../../src/app/deletes/auditList.ts';
import { auditReport } from '../../../../src/extension/words/auditText.ts';
import { reportLines, reportText } from '../../../support/reportLines.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { hostileTexts, unseenPattern } from '../../extension/corpus.ts';
import { now, profileNamed } from '../../extension/fixtures.ts';

const dayMs = 86_400_000;

let folder: string;
/** VS Code's global state. */
let former: Map<string, unknown>;

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'audit-list-')), 'audit');
  former = new Map();
});
afterEach(async () => {
  await rm(join(folder, '..'), { recursive: true });
});

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

/** The list as one window has it, at a time. */
function windowAt(time = now, lines: string[] = []): AuditList {
  const warn = (line: string): void => void lines.push(line);
  const update = (key: string, value: unknown): Promise<void> => Promise.resolve(void former.set(key, value));
  const storage = { get: (key: string) => former.get(key), update };
  return new AuditList({
    folder: new AuditFolder({ folder, former: storage, now: () => time }),
    who: () => 'ann@desk',
    now: () => time,
    logger: { ...nullLogger, warn, error: warn },
  });
}

const at = (path: string) => ({ ...act, target: { ...target, path } });
const paths = (entries: readonly AuditEntry[]): string[] => entries.map(({ path }) => path);
const numbered = (count: number, prefix = '/locks'): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}/${String(index)}`);

async function note(list: AuditList, noted: readonly string[]): Promise<void> {
  await Promise.all(noted.map(path => list.record(at(path))));
}

describe('the audit list', () => {
  it('keeps who, when, where, which node, whose, and what came of it, and logs it', async () => {
    const lines: string[] = [];
    const list = windowAt(now, lines);
    await list.record(act);
    expect(await windowAt().entries()).toEqual([entry]);
    expect(lines.join()).toMatch(/force delete by ann@desk on orders: \/locks\/a\/x, czxid 0x17, .*: deleted/);
    await list.record({ ...act, target: { ...target, ownerSession: 0n } });
    expect((await windowAt().entries())[1]?.owner).toBe('none');
  });

  it('loses nothing that two windows note at the same time', async () => {
    const [one, other] = [windowAt(), windowAt()];
    const [ours, theirs] = [numbered(50, '/one'), numbered(50, '/other')];
    await Promise.all([note(one, ours), note(other, theirs)]);
    expect(paths(await one.entries()).sort()).toEqual([...ours, ...theirs].sort());
    expect(await other.entries()).toEqual(await one.entries());
  });

  it('has the acts of all windows in the order of their times', async () => {
    await windowAt(now + 2_000).record(at('/third'));
    await windowAt(now).record(at('/first'));
    await windowAt(now + 1_000).record(at('/second'));
    expect(paths(await windowAt().entries())).toEqual(['/first', '/second', '/third']);
  });

  it('keeps the last thousand, also of acts at the same time, and removes files of former days beyond them', async () => {
    const old = numbered(3, '/old');
    await note(windowAt(now - 5 * dayMs), old);
    const list = windowAt();
    const noted = numbered(maxAuditEntries + 5);
    await note(list, noted);
    expect(paths(await list.entries())).toEqual(noted.slice(5));
    expect(await readdir(folder)).toHaveLength(2);
    await windowAt(now + 1).record(at('/next'));
    expect(paths(await list.entries())).toEqual([...noted.slice(6), '/next']);
    // The old file is gone, that of the other window is not: it may go on.
    expect(await readdir(folder)).toHaveLength(2);
  });

  it('takes over what former versions kept, once', async () => {
    former.set('auditList', [{ ...entry, at: '2020-01-01T00:00:00.000Z' }, 'nonsense', { at: 'x' }]);
    expect(paths(await windowAt().entries())).toEqual([entry.path]);
    await windowAt().record(at('/new'));
    expect(former.get('auditList')).toBeUndefined();
    await windowAt(now + 1).record(at('/newer'));
    expect(paths(await windowAt().entries())).toEqual([entry.path, '/new', '/newer']);
  });

  it('has the act also when what former versions kept cannot be taken over', async () => {
    former.set('auditList', [entry]);
    former.set = () => {
      throw new Error('The state of VS Code cannot be written.');
    };
    await windowAt().record(at('/new'));
    expect(paths(await windowAt().entries())).toContain('/new');
  });

  it('passes over what it does not understand', async () => {
    await windowAt().record(act);
    const line = JSON.stringify(entry);
    await writeFile(join(folder, '2026-01-01_x.jsonl'), `1\nnull\n{"at":"x"}\n\n${line}\n${line.slice(0, 40)}`);
    expect(await windowAt().entries()).toEqual([entry, entry]);
  });

  it('is for the person alone, and is empty before the first act', async () => {
    expect(await windowAt().entries()).toEqual([]);
    await windowAt().record(act);
    const [name] = await readdir(folder);
    if (process.platform !== 'win32') expect((await stat(join(folder, name!))).mode & 0o077).toBe(0);
  });

  it('does not fail when an act cannot be saved, which is in the log all the same', async () => {
    await writeFile(folder, 'a file where the folder should be');
    const lines: string[] = [];
    await windowAt(now, lines).record(act);
    expect(lines[0]).toContain('/locks/a/x');
    expect(lines[1]).toContain('not saved');
  });

  it('is shown with the newest act first, and no foreign text breaks its lines', () => {
    const entries = hostileTexts.map(path => ({ ...entry, path }));
    const lines = reportLines(auditReport(entries));
    expect(lines).toHaveLength(entries.length * 3 + 1);
    expect(lines.join('')).not.toMatch(unseenPattern);
    const [older, newer] = ['/first', '/second'].map(path => ({ ...entry, path }));
    expect(reportText(auditReport([older!, newer!]))).toMatch(/second[^]*first/);
    expect(reportLines(auditReport([]))).toEqual(['No deletes or revoke requests so far.']);
  });
});
