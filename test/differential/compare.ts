import type { Outcome, ComparedServer } from './play.ts';
import type { Program, Step } from './program.ts';
import { explain } from './knownDifferences.ts';

/** Where two servers part. */
export interface Difference {
  /** Index of the step; the end of the sessions and the tree that is left come after the last. */
  at: number;
  session: string;
  expected: string[];
  actual: string[];
}

export interface Comparison {
  difference: Difference | undefined;
  /** Reasons of the known differences that were met. */
  known: string[];
  /** Of the expected side. */
  exercised: string[];
}

/** The server that is right, and the one that is compared with it. */
export interface ComparedServers {
  expected: ComparedServer;
  actual: ComparedServer;
  /** Of the expected server, as `3.9.5`. */
  version: string;
}

/** Plays a program on both servers and compares what came. Stops at the first difference that is not known. */
export async function comparePlays(servers: ComparedServers, program: Program, folder: string): Promise<Comparison> {
  const plays = await Promise.allSettled([
    servers.expected.play(program, folder),
    servers.actual.play(program, folder),
  ]);
  const [expected, actual] = plays.map(play => {
    if (play.status === 'rejected') throw play.reason;
    return play.value;
  }) as [Outcome[], Outcome[]];
  const comparison: Comparison = { difference: undefined, known: [], exercised: [] };
  for (const [at, outcome] of expected.entries()) {
    comparison.exercised.push(...outcome.exercised);
    for (const difference of differences(at, outcome, actual[at])) {
      const explanation = explain(servers.version, program.steps[at], difference);
      if (explanation === undefined) return { ...comparison, difference };
      comparison.known.push(...explanation.reasons);
      if (!explanation.goesOn) return comparison;
    }
  }
  return comparison;
}

function differences(at: number, expected: Outcome, actual: Outcome | undefined): Difference[] {
  return [...expected.lines].flatMap(([session, lines]) => {
    const others = actual?.lines.get(session) ?? [];
    return lines.join('\n') === others.join('\n') ? [] : [{ at, session, expected: lines, actual: others }];
  });
}

/** Tries to find the difference in fewer steps, and in fewer requests of a step. @returns the shortest program that showed one */
export async function shrink(
  program: Program,
  differs: (program: Program) => Promise<boolean>,
  maxPlays = 300,
): Promise<Program> {
  let best = program;
  let plays = 0;
  const attempt = async (steps: Step[]): Promise<void> => {
    if (plays++ < maxPlays && (await differs({ ...best, steps }))) best = { ...best, steps };
  };
  for (let size = Math.ceil(best.steps.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = best.steps.length - size; from > -size; from -= size) {
      const first = Math.max(0, from);
      await attempt(best.steps.toSpliced(first, from + size - first));
    }
  }
  for (const steps of fewerRequests(best)) await attempt(steps);
  return best;
}

/** Splits a pipeline into its requests, each alone. */
function fewerRequests({ steps }: Program): Step[][] {
  return steps.flatMap((step, at) =>
    step.kind === 'requests' && step.requests.length > 1
      ? step.requests.map(request => steps.with(at, { ...step, requests: [request] }))
      : [],
  );
}

/** @returns for people: the step, what was expected and what came, and the program */
export function describeDifference(program: Program, { at, session, expected, actual }: Difference): string {
  const step = program.steps[at];
  const where =
    step === undefined ? (at === program.steps.length ? 'the end of the sessions' : 'the tree that is left') : '';
  return [
    `step ${at}: ${step === undefined ? where : JSON.stringify(step)}`,
    `  what ${session} got differs`,
    ...lineDifferences(expected, actual),
    `  time-outs ${program.timeouts.join()}, steps:`,
    ...program.steps.map((each, index) => `  ${index}. ${JSON.stringify(each)}`),
  ].join('\n');
}

function lineDifferences(expected: readonly string[], actual: readonly string[]): string[] {
  const length = Math.max(expected.length, actual.length);
  return Array.from({ length }, (_, index) => [expected[index] ?? 'nothing', actual[index] ?? 'nothing'] as const)
    .filter(([wanted, got]) => wanted !== got)
    .slice(0, 5)
    .flatMap(([wanted, got]) => [`  expected ${wanted}`, `  got      ${got}`]);
}
