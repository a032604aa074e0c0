import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** What Stryker tells a checker about a mutant, as far as it is used here. Lines and columns count from 0. */
interface Mutant {
  id: string;
  fileName: string;
  mutatorName: string;
  replacement: string;
  location: { start: Position; end: Position };
}

interface Position {
  line: number;
  column: number;
}

export const checkerName = 'sample';

/** Why a mutant did not run. Stryker files these under compile errors, which no score counts. */
export const notInSample = 'not in the sample';

const seed = 1;

/** One mutant in so many is in the sample. */
const oneIn = 4;

/**
 * A mutant without its place: its kind, the line it begins in, where in that line, and what it becomes. Code that moves
 * to another file keeps its mutants in the sample, so a run before the move compares with a run after it.
 */
function keyOf({ mutatorName, replacement, location: { start, end } }: Mutant, lines: readonly string[]): string {
  const line = lines[start.line] ?? '';
  const indentation = line.length - line.trimStart().length;
  const length = start.line === end.line ? end.column - start.column : 0;
  return JSON.stringify([seed, mutatorName, line.trim(), start.column - indentation, length, replacement]);
}

function isInSample(mutant: Mutant, lines: readonly string[]): boolean {
  const digest = createHash('sha256').update(keyOf(mutant, lines)).digest();
  return digest.readUInt32BE(0) % oneIn === 0;
}

function readLines(file: string): string[] {
  return readFileSync(file, 'utf8').split(/\r?\n/);
}

/**
 * Decides about every single mutant that Stryker made. Ranges in `mutate` and ignorers would not be exact: they take or
 * leave all the mutants of a place, and a place often has several.
 */
const checker = {
  init: () => Promise.resolve(),

  /** All in one group. */
  group: (mutants: readonly Mutant[]) => Promise.resolve([mutants.map(({ id }) => id)]),

  check(mutants: readonly Mutant[]) {
    const lines = new Map([...new Set(mutants.map(({ fileName }) => fileName))].map(file => [file, readLines(file)]));
    const verdict = (mutant: Mutant) =>
      isInSample(mutant, lines.get(mutant.fileName) ?? [])
        ? { status: 'passed' }
        : { status: 'compileError', reason: notInSample };
    return Promise.resolve(Object.fromEntries(mutants.map(mutant => [mutant.id, verdict(mutant)])));
  },
};

/** Stryker loads this file as a plugin and looks for this name. */
export const strykerPlugins = [{ kind: 'Checker', name: checkerName, value: checker }];
