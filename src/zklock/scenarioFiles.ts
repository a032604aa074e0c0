import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readScenario, type ReadScenario } from '../scenario/readScenario.ts';
import type { Span } from '../scenario/scenario.ts';
import { linesOf } from '../scenario/tokens.ts';
import { UsageError } from './commandLine.ts';
import { shown } from './plainText.ts';

/** A scenario file as it was read. */
export interface ScenarioFile extends ReadScenario {
  /** As it was named. Foreign text. */
  readonly file: string;
  readonly lines: readonly string[];
}

/** A file of this size is no scenario: the parser takes a million characters, of up to three bytes each. */
const largestBytes = 4 * 1_048_576;

/** The files that are meant, each once. @param places files, and folders, which stand for their `*.zklock` files @throws UsageError */
export async function findScenarioFiles(places: readonly string[]): Promise<string[]> {
  const found = await Promise.all(places.map(place => filesAt(place)));
  return [...new Set(found.flat())];
}

async function filesAt(place: string): Promise<string[]> {
  const stats = await known(place, stat(place));
  if (!stats.isDirectory()) {
    if (stats.size > largestBytes) throw new UsageError(`${shown(place)}: too large for a scenario.`);
    return [place];
  }
  const names = (await known(place, readdir(place))).filter(name => name.endsWith('.zklock'));
  if (names.length === 0) throw new UsageError(`${shown(place)}: there are no *.zklock files in this folder.`);
  return names.sort().map(name => join(place, name));
}

async function known<T>(place: string, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const what = code === 'ENOENT' ? 'there is no such file.' : `it cannot be read (${code}).`;
    throw new UsageError(`${shown(place)}: ${what}`);
  }
}

/** Reads and checks a file; its text may be anything. @throws UsageError if the file cannot be read */
export async function readScenarioFile(file: string): Promise<ScenarioFile> {
  const text = (await known(file, readFile(file, 'utf8'))).replace(/^\ufeff/u, '');
  return { file, lines: linesOf(text), ...readScenario(text) };
}

/** What stands at a place of a file, harmless. */
export function textAt({ lines }: Pick<ScenarioFile, 'lines'>, { line, from, to }: Span): string {
  return shown((lines[line] ?? '').slice(from, to));
}
