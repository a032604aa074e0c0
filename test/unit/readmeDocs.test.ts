import { dialectLabels } from '../../src/locks/lockQueue.ts';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

/** Files below a folder with their text; what is installed there is not ours. */
function filesBelow(folder: string): { path: string; text: string }[] {
  return readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .map(path => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter(path => /\.(?:ts|mts|mjs|css|java|py)$/.test(path) && !path.includes('/node_modules/'))
    .map(path => ({ path, text: read(path) }));
}

const code = ['src', 'webview', 'scripts', 'test']
  .flatMap(filesBelow)
  .filter(({ path }) => !path.includes('readmeDocs'));
const faults = read('docs/faults.md');

/** Rows of `docs/faults.md`, by id: the last cell names the tests. */
const rows = new Map(
  [...faults.matchAll(/^\| ([LDF]\d+|4\.\d+) \|.*\| ?([^|]*) \|$/gm)].map(match => [match[1]!, match[2]!]),
);

const folders = ['', ...['recipes', 'zookeeper', 'ensemble', 'inspector'].map(folder => `test/integration/${folder}/`)];
const unitFolders = ['zookeeper/', 'base/', ''].map(folder => `test/unit/${folder}`);

/** The test files that a cell names, each with its text; `undefined` where there is no such file or folder. */
function namedFiles(cell: string): { name: string; text: string | undefined }[] {
  return [...cell.matchAll(/`([\w./-]+)`/g)].map(([, name]) => {
    const places = [
      ...folders.flatMap(folder => [`${folder}${name!}`, `${folder}${name!}.integration.test.ts`]),
      ...unitFolders.flatMap(folder => [`${folder}${name!}`, `${folder}${name!}.test.ts`]),
    ];
    const found = places.find(path => existsSync(new URL(path, root)));
    if (found === undefined) return { name: name!, text: undefined };
    return { name: name!, text: found.endsWith('.ts') ? read(found) : '' };
  });
}

/** What a file says in its comments. */
function commentsOf(text: string): string {
  return text
    .split('\n')
    .filter(line => /^\s*(?:\/\/|\/?\*)/.test(line))
    .join('\n');
}

describe('comments', () => {
  it('cite pages that exist', () => {
    const cited = code.flatMap(({ path, text }) =>
      [...commentsOf(text).matchAll(/\bdocs\/[\w-]+\.md/g)].map(([page]) => ({ page, path })),
    );
    expect(cited.length).toBeGreaterThan(60);
    for (const { page, path } of cited) expect(existsSync(new URL(page, root)), `${path}: ${page}`).toBe(true);
    const elsewhere = code.filter(({ text }) => /(?<!docs\/)\b(?:faults|znode-layouts|lock-theory)\.md/.test(text));
    expect(elsewhere.map(({ path }) => path)).toEqual([]);
  });

  it('cite ids that docs/faults.md explains', () => {
    const cited = code.flatMap(({ path, text }) =>
      [...text.matchAll(/docs\/faults\.md[:,] (L\d+|D\d+|F\d+|4\.\d+)/g)].map(match => ({ id: match[1]!, path })),
    );
    expect(cited.length).toBeGreaterThan(15);
    for (const { id, path } of cited) expect([...rows.keys()], path).toContain(id);
  });
});

describe('docs/faults.md', () => {
  it('names tests that exist, and for faults of recipes such as name the fault', () => {
    for (const [id, cell] of rows) {
      for (const { name, text } of namedFiles(cell)) expect(text, `${id}: ${name}`).toBeDefined();
      if (!id.startsWith('L')) continue;
      expect(
        namedFiles(cell).some(({ text }) => new RegExp(`\\b${id}\\b`).test(text ?? '')),
        id,
      ).toBe(true);
    }
  });
});

describe('docs/dialects.md', () => {
  const page = read('docs/dialects.md');

  it('has every dialect of the code', () => {
    const ids = Object.keys(dialectLabels);
    expect(ids.length).toBeGreaterThan(25);
    const rows = page.split('\n').filter(line => line.startsWith('|'));
    for (const id of ids)
      expect(
        rows.some(row => row.includes(`| \`${id}\` |`)),
        id,
      ).toBe(true);
  });

  it('has the sections that comments cite', () => {
    const cited = code.flatMap(({ text }) =>
      [...commentsOf(text).matchAll(/docs\/dialects\.md, (?:section )?(\d(?:\.\d)?)\b/g)].map(match => match[1]!),
    );
    expect(cited).toContain('0.1');
    for (const number of cited) expect(page).toMatch(new RegExp(`^###? ${number.replace('.', '\\.')}\\.? `, 'm'));
  });

  it('and the recipes are those that comments cite', () => {
    const recipes = read('docs/recipes.md');
    const cited = code.flatMap(({ text }) =>
      [...commentsOf(text).matchAll(/docs\/recipes\.md, (R\d+)/g)].map(match => match[1]!),
    );
    expect(cited).toContain('R1');
    for (const id of cited) expect(recipes).toContain(`\n| ${id} |`);
  });
});
