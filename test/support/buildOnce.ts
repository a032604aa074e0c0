import type { SpawnSyncReturns } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Kept from run to run; not in the repository. */
export const cacheFolder = fileURLToPath(new URL('../../.cache', import.meta.url));

interface Build {
  sourceFolder: string;
  /** Of the source files, with its dot. */
  extension: string;
  /** Of the program; part of the folder's name. */
  name: string;
  /** What the result depends on besides the sources. */
  salt: string;
}

/**
 * Builds a program from the sources of a folder unless that was done before.
 *
 * @param compile writes the program into `folder`
 * @returns the folder with the program
 * @throws Error with the compiler's messages
 */
export function buildOnce(
  { sourceFolder, extension, name, salt }: Build,
  compile: (sources: readonly string[], folder: string) => SpawnSyncReturns<string>,
): string {
  const sources = readdirSync(sourceFolder)
    .filter(file => file.endsWith(extension))
    .map(file => join(sourceFolder, file));
  const hash = createHash('sha256').update(salt);
  for (const source of sources) hash.update(readFileSync(source));
  const built = join(cacheFolder, `${name}-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(built)) return built;
  // Two test workers may build at once: each into its own folder, the first rename wins.
  const unfinished = `${built}-${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  const { status, stderr } = compile(sources, unfinished);
  if (status !== 0) throw new Error(`The ${name} do not compile:\n${stderr}`);
  try {
    renameSync(unfinished, built);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(built)) throw error;
  }
  return built;
}
