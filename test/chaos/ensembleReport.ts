import type { Library, Overlap, Verdict } from './ensembleChecks.ts';
import type { EnsembleFault } from './ensembleFaults.ts';
import type { FaultName } from './lockFaults.ts';
import type { LockCounts, LockPlayed } from './lockPlay.ts';

/** What a library did in all runs. */
export interface LibraryFigures extends LockCounts {
  /** By name of the error; only of other libraries. */
  failures: Map<string, number>;
  /** Programs that did not end their sessions 5 s after they were asked to, after all faults. */
  killed: number;
}

export interface EnsembleReport {
  runs: number;
  libraries: Record<Library, LibraryFigures>;
  faults: Map<EnsembleFault | FaultName, number>;
  /** Believed in a lease after its node was gone and the next holder was granted. */
  lateness: Overlap[];
  /** The same, for a program that stops at its library's first report of a lost connection. */
  carefulLateness: Overlap[];
  /** Were granted the lock beside the holder before them. */
  early: Overlap[];
  /** How often the fenced register refused a token that was not the newest. */
  refused: number;
  /** Must be empty. */
  violations: string[];
}

interface Run {
  violations: string[];
  verdict: Verdict;
  faults: (EnsembleFault | FaultName)[];
  played: { library: Library; kills: number; played: LockPlayed | undefined }[];
  refused: number;
}

export function emptyReport(): EnsembleReport {
  const none = (): LibraryFigures => ({
    acquired: 0,
    timedOut: 0,
    cancelled: 0,
    sessionsLost: 0,
    failures: new Map(),
    killed: 0,
  });
  return {
    runs: 0,
    libraries: { ours: none(), curator: none(), kazoo: none() },
    faults: new Map(),
    lateness: [],
    carefulLateness: [],
    early: [],
    refused: 0,
    violations: [],
  };
}

/** Adds one run. */
export function addRun(report: EnsembleReport, run: Run): void {
  report.runs++;
  report.refused += run.refused;
  report.violations.push(...run.violations);
  report.lateness.push(...run.verdict.lateness);
  report.carefulLateness.push(...run.verdict.carefulLateness);
  report.early.push(...run.verdict.early);
  for (const fault of run.faults) count(report.faults, fault);
  for (const { library, kills, played } of run.played) addPlayed(report.libraries[library], kills, played);
}

function addPlayed(figures: LibraryFigures, kills: number, played: LockPlayed | undefined): void {
  figures.killed += kills;
  if (played === undefined) return;
  for (const key of Object.keys(played.counts) as (keyof LockCounts)[]) figures[key] += played.counts[key];
  for (const failure of played.failures) count(figures.failures, failure);
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** @returns one line per figure */
export function describeEnsembleReport(report: EnsembleReport): string {
  const lines = [`runs: ${report.runs}`, `faults: ${list(report.faults)}`];
  for (const [library, figures] of Object.entries(report.libraries)) {
    const { acquired, timedOut, cancelled, sessionsLost, killed, failures } = figures;
    lines.push(
      `${library}: ${acquired} acquired, ${timedOut} timed out, ${cancelled} cancelled, ${sessionsLost} sessions lost, ` +
        `${killed} killed; failures: ${list(failures)}`,
    );
  }
  lines.push(
    `late, while the next one held: ${overlaps(report.lateness)}`,
    `late, had they stopped at the first report of a lost connection: ${overlaps(report.carefulLateness)}`,
    `granted beside the holder: ${overlaps(report.early)}`,
    `tokens refused by the register: ${report.refused}`,
    `violations: ${report.violations.length}`,
  );
  return lines.join('\n');
}

function list(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .sort()
    .map(([name, times]) => `${name} ${times}`)
    .join(', ');
}

function overlaps(all: readonly Overlap[]): string {
  const libraries = [...new Set(all.map(({ late }) => late))].sort();
  const texts = libraries.map(library => {
    const own = all.filter(({ late }) => late === library).map(({ ms }) => ms);
    return `${library} ${own.length} times, ${Math.round(Math.max(...own))} ms at most`;
  });
  return texts.length === 0 ? 'never' : texts.join('; ');
}
