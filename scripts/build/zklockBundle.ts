import type { BuildOptions, Plugin } from 'esbuild';
import { readFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { resolve } from 'node:path';
import { withoutReplaced } from './hostBundle.ts';

/** The oldest Node that has all that the sources import. */
const [leastMajor, leastMinor] = [22, 15];

/**
 * First of all, in words that every Node since 14 understands: an older one says in a sentence what it lacks, and nothing behind it is
 * run. Imports stand before everything in a module, and one of what Node does not have yet is an error; so the bundle has one import,
 * and asks for all other modules of Node by `require`.
 */
const head = `#!/usr/bin/env node
import { createRequire } from 'module';
const require = createRequire(import.meta.url);
{
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < ${leastMajor} || (major === ${leastMajor} && minor < ${leastMinor})) {
    console.error('zklock needs Node ${leastMajor}.${leastMinor} or newer; this is ' + process.version + '.');
    process.exit(2);
  }
}`;

/** The program speaks English: what the words take from VS Code comes from a file of its own. */
const inEnglish: Plugin = {
  name: 'in-english',
  setup(build) {
    build.onResolve({ filter: /\/editorLanguage\.ts$/ }, ({ resolveDir }) =>
      build.resolve('../../zklock/englishLanguage.ts', { kind: 'import-statement', resolveDir }),
    );
  },
};

/** So that it can be called by its path, too. */
const executable: Plugin = {
  name: 'executable',
  setup(build) {
    build.onEnd(async ({ errors }) => {
      const { absWorkingDir = '', outfile = '', write } = build.initialOptions;
      if (errors.length === 0 && write !== false) await chmod(resolve(absWorkingDir, outfile), 0o755);
    });
  },
};

/** Of the program `zklock`: one file, which needs nothing beside it. @param root of the repository */
export function zklockBundle(root: string): BuildOptions {
  const { version } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as { version: string };
  return {
    entryPoints: ['src/zklock/main.ts'],
    outfile: 'dist/zklock.mjs',
    platform: 'node',
    format: 'cjs',
    // The syntax of the oldest Node that reads the head, so that it comes to run it.
    target: 'node14',
    banner: { js: head },
    define: { zklockVersion: JSON.stringify(version) },
    plugins: [withoutReplaced(), inEnglish, executable],
  };
}
