import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildZklock } from '../../../scripts/build/bundle.ts';
import * as editor from '../../../src/extension/words/editorLanguage.ts';
import * as english from '../../../src/zklock/englishLanguage.ts';

let folder: string;
let program: string;
let metafile: Awaited<ReturnType<typeof buildZklock>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zklock-'));
  program = join(folder, 'zklock.mjs');
  metafile = await buildZklock(program);
}, 30_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the bundled program', () => {
  it('needs nothing but Node: neither VS Code nor packages nor other files', () => {
    const outputs = Object.values(metafile.outputs);
    expect(outputs).toHaveLength(1);
    const imported = outputs.flatMap(({ imports }) => imports.map(({ path }) => path));
    expect(imported).toContain('tls');
    expect(imported.filter(path => !isBuiltin(path))).toEqual([]);
  });

  it('has its words in English instead of asking an editor', () => {
    expect(Object.keys(metafile.inputs)).toContain('src/zklock/englishLanguage.ts');
    expect(Object.keys(metafile.inputs)).not.toContain('src/extension/words/editorLanguage.ts');
    expect(Object.keys(english).sort()).toEqual(Object.keys(editor).sort());
    for (const text of ['no values', '{0} and {1}', '{1} before {0}', 'no {2}']) {
      expect(english.translated(text, ['a', 1])).toBe(editor.translated(text, ['a', 1]));
    }
  });

  it('can be called by its path, and imports statically what every Node has', async () => {
    const text = await readFile(program, 'utf8');
    expect(text).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect((await stat(program)).mode & 0o111).toBe(0o111);
    expect(text.match(/^import .*$/gm)).toEqual(["import { createRequire } from 'module';"]);
  });

  it('is in the package of npm, and stays out of that of VS Code', async () => {
    const { bin } = JSON.parse(await readFile('package.json', 'utf8')) as { bin: unknown };
    expect(bin).toEqual({ zklock: 'dist/zklock.mjs' });
    expect(await readFile('.npmignore', 'utf8')).toContain('!/dist/zklock.mjs');
    expect(await readFile('.vscodeignore', 'utf8')).not.toContain('dist/zklock');
  });
});
