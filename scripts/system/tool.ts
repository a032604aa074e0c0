import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '../build/bundle.ts';
import { run } from './run.ts';

/**
 * Runs a program of an installed package with our Node. Not through `node_modules/.bin`: what npm puts there on Windows
 * are scripts, which cannot be started without a shell.
 *
 * @param program its name, where it is not that of the package
 * @param env added to our own environment
 * @returns the exit code; 1 when a signal ended it
 */
export async function runTool(
  packageName: string,
  args: readonly string[],
  program = packageName,
  env: Record<string, string> = {},
): Promise<number> {
  const folder = join(repositoryRoot, 'node_modules', packageName);
  const { bin } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    bin: string | Record<string, string>;
  };
  const script = typeof bin === 'string' ? bin : bin[program];
  if (script === undefined) throw new Error(`${packageName} has no program ${program}.`);
  return run(process.execPath, [join(folder, script), ...args], env);
}
